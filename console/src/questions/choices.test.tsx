import { MantineProvider } from "@mantine/core";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { Problem, problemOf } from "../api/problem";
import { Refusal } from "./refusal";

afterEach(cleanup);

const choiceOf = (choice_id: string, message: string) => ({
  field: "choice",
  message,
  choice_id,
  generated_sql: "SELECT count(*) FROM t",
  columns: ["count"],
  rows: [[42]],
  confidence: 0.4,
});

it("asks of a single choice whether it is meant", () => {
  const choice = choiceOf("c_1", "The number of orders.");
  const problem = new Problem("It may be meant otherwise.", 422, "validation_failed", [choice]);
  render(
    <MantineProvider>
      <Refusal error={problem} onAsk={vi.fn()} onChoose={vi.fn()} />
    </MantineProvider>,
  );
  screen.getByText("It is not sure what is meant. Do you mean this?");
  expect(screen.queryByText(/several ways/)).toBeNull();
});

it("shows what may be meant with its first rows, and asks what is chosen", async () => {
  const details = [
    choiceOf("c_1", "The number of orders."),
    choiceOf("c_2", "The number of rows."),
  ];
  const error = {
    code: "validation_failed",
    message: "It may be meant otherwise.",
    status: 422,
    details,
  };
  const problem = await problemOf(Response.json({ error }, { status: 422 }));
  const choose = vi.fn();
  render(
    <MantineProvider>
      <Refusal error={problem} onAsk={vi.fn()} onChoose={choose} />
    </MantineProvider>,
  );
  screen.getByText("The number of orders.");
  expect(screen.getAllByText("42")).toHaveLength(2);
  fireEvent.click(screen.getAllByRole("button", { name: "I mean this" })[1] as HTMLElement);
  expect(choose).toHaveBeenCalledWith("c_2");
});

it("says that the rows of a choice are the first ones, where there may be more", () => {
  const offered = (rows: number[][]) => ({ ...choiceOf("c_1", "Orders by city."), rows });
  const shown = (choice: ReturnType<typeof offered>) => (
    <MantineProvider>
      <Refusal
        error={new Problem("It may be meant otherwise.", 422, "validation_failed", [choice])}
        onAsk={vi.fn()}
        onChoose={vi.fn()}
      />
    </MantineProvider>
  );
  const { rerender } = render(shown(offered([[1], [2], [3], [4]])));
  expect(screen.queryByText("The first 5 rows")).toBeNull();
  rerender(shown(offered([[1], [2], [3], [4], [5]])));
  screen.getByText("The first 5 rows");
});

const refusedWith = (status: number, details: { field: string; message: string }[] = []) => {
  const onFollowUp = vi.fn();
  render(
    <MantineProvider>
      <Refusal
        error={new Problem("It goes on from another question.", status, "code", details)}
        onAsk={vi.fn()}
        onChoose={vi.fn()}
        before={{ text: "churn by contract", onFollowUp }}
      />
    </MantineProvider>,
  );
  return onFollowUp;
};
const FOLLOW_UP = "Ask it as a follow-up to “churn by contract”";

it("offers to ask what is refused as a follow-up to the last answer", () => {
  const onFollowUp = refusedWith(422, [{ field: "query", message: "Ask it as a whole." }]);
  fireEvent.click(screen.getByRole("button", { name: FOLLOW_UP }));
  expect(onFollowUp).toHaveBeenCalledOnce();
});

it("offers no follow-up for what is no refusal", () => {
  refusedWith(503);
  expect(screen.queryByRole("button", { name: FOLLOW_UP })).toBeNull();
});
