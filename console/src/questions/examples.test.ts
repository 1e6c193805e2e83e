import { expect, it } from "vitest";
import type { Schemas } from "../api/client";
import { examples } from "./examples";

type Column = Schemas["ColumnInfo"];
const column = (name: string, type: Column["type"], unique = false): Column => ({
  name,
  type,
  unique,
  nullable: false,
  unit: "",
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
  const rows = ["red", "blue"].map((colour, index) => ({
    pickup: `2026-03-0${index + 1}`,
    ride_id: `${index}`,
    passengers: "2",
    fare: "7.5",
    note: "",
    colour,
  }));
  expect(examples(columns, rows)).toEqual([
    "How many rows are there?",
    "Number of rows per colour",
    "Bar chart of average fare by colour",
    "Histogram of fare",
    "Line chart of number of rows per month of pickup",
  ]);
});

it("passes over columns that are nearly empty, and groups that are nearly as many as rows", () => {
  const columns = [
    column("tip", "float"),
    column("driver", "string"),
    column("street", "string"),
    column("city", "string"),
  ];
  const rows = Array.from({ length: 60 }, (_, index) => ({
    tip: index === 0 ? "1.5" : "",
    driver: index < 2 ? `${index}` : "",
    street: `Street ${index % 40}`,
    city: `City ${index % 3}`,
  }));
  expect(examples(columns, rows)).toEqual(["How many rows are there?", "Number of rows per city"]);
});

it("asks nothing that the columns can't answer", () => {
  expect(examples([column("ride_id", "integer")], [{ ride_id: "7" }])).toEqual([
    "How many rows are there?",
  ]);
});

it("asks no mean of years, places or codes", () => {
  const columns = [
    column("Year_Birth", "integer"),
    column("latitude", "float"),
    column("zip code", "integer"),
    column("Income", "integer"),
  ];
  const row = { Year_Birth: "1957", latitude: "31.9", "zip code": "39422", Income: "58138" };
  expect(examples(columns, [row])).toContain("Histogram of Income");
});
