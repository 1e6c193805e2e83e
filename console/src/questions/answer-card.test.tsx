import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { AnswerCard } from "./answer-card";
import type { Answer } from "./types";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const answerOf = (count: number, truncated: boolean): Answer => ({
  query_id: "query_1",
  session_id: "session_1",
  result_type: "table",
  columns: ["number", "name"],
  rows: Array.from({ length: count }, (_, index) => [index + 1, `row ${index + 1}`]),
  row_count: count,
  truncated,
  execution_time_ms: 1,
  generated_sql: "SELECT * FROM t",
});

function shown(answer: Answer) {
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <AnswerCard
          question={{ type: "sql", text: answer.generated_sql }}
          answer={answer}
          onFollowUp={() => undefined}
          onEdit={() => undefined}
        />
      </QueryClientProvider>
    </MantineProvider>,
  );
}

const names = () => [...document.querySelectorAll("tbody tr")].map((row) => row.textContent);

it("brings the rows that an answer lacks, page by page", async () => {
  const asked = vi.fn(async (_: string, init: RequestInit) => {
    expect(JSON.parse(String(init.body))).toMatchObject({
      query: "SELECT * FROM t",
      max_results: 10_000,
    });
    return Response.json(answerOf(250, false));
  });
  vi.stubGlobal("fetch", asked);
  shown(answerOf(100, true));
  screen.getByText(/100 rows shown; there are more/);
  expect(screen.queryByRole("navigation", { name: "Pages" })).toBeNull();
  fireEvent.click(screen.getByRole("button", { name: "Show more rows" }));
  await screen.findByText(/^250 rows ·/);
  expect(screen.queryByRole("button", { name: "Show more rows" })).toBeNull();
  expect(names()).toHaveLength(100);
  fireEvent.click(screen.getByRole("button", { name: "Next" }));
  fireEvent.click(screen.getByRole("button", { name: "Next" }));
  screen.getByText("201–250 of 250");
  expect(names().at(-1)).toBe("250row 250");
  expect(asked).toHaveBeenCalledTimes(1);
});

it("offers no more rows than may be asked for", () => {
  shown(answerOf(10_000, true));
  screen.getByText(/10,000 rows shown; there are more/);
  expect(screen.queryByRole("button", { name: "Show more rows" })).toBeNull();
});

it.each([
  [["$", ""], "number ($)"],
  [null, "number"],
])("heads columns with their units %s", (units, head) => {
  shown({ ...answerOf(2, false), units });
  expect(document.querySelector("th")?.textContent).toBe(head);
});

it.each([
  ["%", "5.06%"],
  ["EUR", "5.06 EUR"],
  ["", "5.06"],
])("writes the unit %s behind the only number", (unit, told) => {
  shown({ ...answerOf(1, false), columns: ["avg_CTR"], rows: [[5.06]], units: [unit] });
  screen.getByText(told);
});
