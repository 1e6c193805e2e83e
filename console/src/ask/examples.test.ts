import { expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { examples } from "./examples";

type Column = Schemas["ColumnInfo"];
const column = (name: string, type: Column["type"], unique = false): Column => ({
  name,
  type,
  unique,
  nullable: false,
});

it("makes questions of what the columns hold", () => {
  const columns = [
    column("pickup", "date"),
    column("ride_id", "integer"),
    column("passengers", "integer"),
    column("fare", "float"),
    column("note", "string", true),
    column("colour", "string"),
  ];
  expect(examples(columns)).toEqual([
    "How many rows are there?",
    "Number of rows per colour",
    "Bar chart of average fare by colour",
    "Histogram of fare",
    "Line chart of number of rows per month of pickup",
  ]);
});

it("asks nothing that the columns can't answer", () => {
  expect(examples([column("ride_id", "integer")])).toEqual(["How many rows are there?"]);
});
