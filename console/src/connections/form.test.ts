import { expect, it } from "vitest";
import { connectionOf, EMPTY, type FormValues, isComplete, locationOf } from "./form";
import { scheduleWords } from "./schedules";

const shop: FormValues = {
  ...EMPTY,
  host: " db.example.org ",
  database: "shop",
  username: "reader",
  password: " as typed ",
};

it("leaves the port to the server and calls it by its database, unless told", () => {
  expect(connectionOf(shop)).toEqual({
    name: "shop",
    type: "postgresql",
    host: "db.example.org",
    port: null,
    database: "shop",
    username: "reader",
    password: " as typed ",
    options: { sslmode: "prefer" },
  });
  expect(connectionOf({ ...shop, name: "Shop", port: "6000" })).toMatchObject({
    name: "Shop",
    port: 6000,
  });
});

it("keeps a server's fields out of a file", () => {
  const file: FormValues = { ...shop, kind: "sqlite", database: "shop.sqlite" };
  expect(connectionOf(file)).toEqual({
    name: "shop.sqlite",
    type: "sqlite",
    database: "shop.sqlite",
  });
});

it.each([
  [shop, true],
  [{ ...shop, host: " " }, false],
  [{ ...shop, username: "" }, false],
  [{ ...shop, kind: "sqlite", host: "", username: "" }, true],
  [{ ...shop, kind: "sqlite", database: "" }, false],
] as [FormValues, boolean][])("knows when all is there", (typed, isThere) => {
  expect(isComplete(typed)).toBe(isThere);
});

it("says where a database is", () => {
  const stored = { host: "db.example.org", port: 5432, database: "shop" };
  const place = (more: object) =>
    locationOf({ ...stored, ...more } as Parameters<typeof locationOf>[0]);
  expect(place({})).toBe("shop on db.example.org:5432");
  expect(place({ host: null, port: null, database: "shop.sqlite" })).toBe("shop.sqlite");
});

it.each([
  [null, "once"],
  ["0 4 * * 1", "every Monday"],
  ["5 4 * * 1", "by 5 4 * * 1 (UTC)"],
])("tells the schedule %s", (line, words) => {
  expect(scheduleWords(line)).toBe(words);
});
