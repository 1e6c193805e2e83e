import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { uploadOf } from "../test-setup";
import { renderPage } from "../test-utils";
import { UploadsPage } from "./page";
import { dismissAll, enqueue } from "./upload-queue";

afterEach(() => {
  cleanup();
  dismissAll();
  vi.unstubAllGlobals();
});

const empty = { uploads: [], pagination: { total: 0, limit: 20, offset: 0, has_more: false } };
const answering = () => vi.stubGlobal("fetch", async () => Response.json(empty));

it("says that there is no data only while none is on its way", async () => {
  answering();
  renderPage(UploadsPage);
  await screen.findByText("No data yet");
  act(() => void enqueue([{ files: [new File(["a\n1\n"], "sales.csv")], name: "sales" }]));
  await waitFor(() => expect(screen.queryByText("No data yet")).toBeNull());
});

it("says that nothing has a name, whatever is on its way", async () => {
  answering();
  enqueue([{ files: [new File(["a\n1\n"], "sales.csv")], name: "sales" }]);
  renderPage(UploadsPage, "/?find=taxis");
  await screen.findByText("Nothing here has “taxis” in its name.");
});

it("tells which version each upload is", async () => {
  const uploads = ["v1.1", "v1.0"].map((dataset_version) => ({
    ...uploadOf(dataset_version, "sales"),
    dataset_version,
  }));
  const pagination = { ...empty.pagination, total: 2 };
  vi.stubGlobal("fetch", async () => Response.json({ uploads, pagination }));
  renderPage(UploadsPage);
  await screen.findByText("v1.1");
  screen.getByText("v1.0");
});
