import { expect, it } from "vitest";
import { digestOf } from "./digest";

const going = new AbortController().signal;

it.each([0, 3, 1024 ** 2, 5 * 1024 ** 2 + 17])(
  "gives the digest that the server computes of %i bytes",
  async (size) => {
    const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251);
    const right = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
    expect(await digestOf(new Blob([bytes]), going)).toBe(
      Array.from(right, (byte) => byte.toString(16).padStart(2, "0")).join(""),
    );
  },
);

it("ends where the upload is stopped", async () => {
  const stop = new AbortController();
  stop.abort();
  await expect(digestOf(new Blob(["abc"]), stop.signal)).rejects.toThrow(/stopped/);
});
