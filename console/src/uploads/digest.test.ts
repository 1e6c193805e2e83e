import { expect, it } from "vitest";
import { DIGESTED_BYTES, digestOf } from "./digest";

/** Blobs of jsdom cannot be read in whole. */
const holding = (text: string, size = text.length) =>
  ({ size, arrayBuffer: async () => new TextEncoder().encode(text).buffer }) as Blob;

it("gives the digest that the server computes", async () => {
  expect(await digestOf(holding("abc"))).toBe(
    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
  );
});

it("gives none of what is too large", async () => {
  expect(await digestOf(holding("abc", DIGESTED_BYTES + 1))).toBeNull();
});
