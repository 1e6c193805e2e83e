import { expect, it } from "vitest";
import { csvOf } from "./csv";

it("writes gaps as nothing, and quotes what would break a row", () => {
  const rows = [
    [null, 0, 'say "a, b"'],
    [true, 1.5, "two\nlines"],
    [false, -2, { a: 1 }],
  ];
  expect(csvOf(["x", "y", "a,b"], rows)).toBe(
    'x,y,"a,b"\r\n,0,"say ""a, b"""\r\ntrue,1.5,"two\nlines"\r\nfalse,-2,"{""a"":1}"\r\n',
  );
});
