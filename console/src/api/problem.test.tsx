import { MantineProvider } from "@mantine/core";
import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ProblemNote } from "../ui/problem-note";
import {
  fetchOrProblem,
  fieldError,
  formError,
  isOffline,
  messageOf,
  Problem,
  problemOf,
} from "./problem";

afterEach(cleanup);

const refusal = {
  error: {
    code: "validation_failed",
    message: "name: too long.",
    status: 422,
    details: [
      { field: "name", message: "too long." },
      { field: "files", message: "is empty." },
    ],
    request_id: "req_1",
  },
};

describe("problemOf", () => {
  it("carries the API's own words", async () => {
    const problem = await problemOf(Response.json(refusal, { status: 422 }));
    expect(problem).toMatchObject({ message: "name: too long.", status: 422, requestId: "req_1" });
  });

  it("knows when to try again", async () => {
    const headers = { "Retry-After": "3" };
    const problem = await problemOf(Response.json(refusal, { status: 429, headers }));
    expect(problem.retryAfter).toBe(3);
  });

  it("tells other answers by their status", async () => {
    const answer = new Response("<html>", { status: 418, statusText: "Teapot" });
    expect((await problemOf(answer)).message).toBe("The server answered 418 Teapot.");
  });

  it("knows what a proxy answers for a server that is away", async () => {
    const answer = new Response("<html>", { status: 502, statusText: "Bad Gateway" });
    expect((await problemOf(answer)).message).toMatch(/can't be reached.* 502 Bad Gateway\.$/);
  });
});

it("says what ended without a result in the console's terms too", () => {
  const why = new Error("Name the type float in types.");
  expect(messageOf(why)).toBe("Name the type float under “Read differently”.");
});

it("tells people when the server is away, and other faults as what they are", async () => {
  vi.stubGlobal("fetch", async () => {
    throw new TypeError("Failed to fetch");
  });
  const fault: unknown = await fetchOrProblem("/usage").catch((caught) => caught);
  vi.unstubAllGlobals();
  expect(messageOf(fault)).toMatch(/can't be reached/);
  expect(isOffline(fault)).toBe(true);
  expect(isOffline(new TypeError("undefined is not a function"))).toBe(false);
});

it.each([
  ["is empty.", "Is empty."],
  ["wine_multi.csv lacks the column `age`.", "wine_multi.csv lacks the column age."],
  ["`fee` must be a number in $, not a string", "fee must be a number in $, not a string"],
])("says %s beside its field", (message, told) => {
  const problem = new Problem("no", 422, "validation_failed", [{ field: "upload_id", message }]);
  expect(fieldError(problem, "upload_id")).toBe(told);
});

it("shows every field that was refused, as an alert", () => {
  const { code, details, message, status } = refusal.error;
  render(
    <MantineProvider>
      <ProblemNote error={new Problem(message, status, code, details)} />
    </MantineProvider>,
  );
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toContain("name: too long.");
  expect(alert.textContent).toContain("files: is empty.");
});

it("sets apart what a refusal quotes", () => {
  const said = "`age` has the same value in every row. Choose another target than `age`.";
  render(
    <MantineProvider>
      <ProblemNote error={new Problem(said, 422, "code")} />
    </MantineProvider>,
  );
  const alert = screen.getByRole("alert");
  expect([...alert.querySelectorAll("code")].map((code) => code.textContent)).toEqual([
    "age",
    "age",
  ]);
  expect(alert.textContent).toContain("age has the same value in every row.");
});

it("leaves out of a form's note what all stands at its fields", () => {
  const { code, details, message, status } = refusal.error;
  const problem = new Problem(message, status, code, details);
  expect(formError(problem, ["name", "files"])).toBeNull();
  expect(formError(problem, ["name"])).toBe(problem);
  expect(formError(new Problem("busy", 503, "code"), ["name"])).toBeInstanceOf(Problem);
});
