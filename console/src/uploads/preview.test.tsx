import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { renderPage } from "../test-utils";
import { Preview } from "./preview";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

it("rounds long fractions, tells the whole of them, and leaves long digits alone", async () => {
  const exact = "12345678901234567890.5";
  const data = [
    ["007", "0.09415046039924176", exact],
    ["008", "", "40.0"],
  ];
  const preview = { filename: "a.csv", total_rows: 2, columns: ["id", "share", "sum"], data };
  vi.stubGlobal("fetch", async () => Response.json(preview));
  const column = { nullable: true, unique: false, unit: "" };
  const columns = [
    { ...column, name: "id", type: "string" as const },
    { ...column, name: "share", type: "float" as const, unit: "%" },
    { ...column, name: "sum", type: "float" as const },
  ];
  renderPage(() => <Preview uploadId="upload_1" filename="a.csv" columns={columns} />);
  const rounded = await screen.findByText("0.09415");
  expect(rounded.title).toBe("0.09415046039924176");
  const cells = screen.getAllByRole("cell").map(({ textContent }) => textContent);
  const heads = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(heads).toEqual(["id", "share (%)", "sum"]);
  expect(cells).toEqual(["007", "0.09415", exact, "008", "–", "40"]);
});
