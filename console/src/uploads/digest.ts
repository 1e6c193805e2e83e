/** The SHA-256 of a file, by which the server tells whether it came as it was sent. */

/** A larger file does not fit the memory of a tab beside all else; browsers digest whole buffers only. */
export const DIGESTED_BYTES = 256 * 1024 ** 2;
const HEX_DIGITS = 2;

/** Gives the digest in hexadecimal; null where a browser has none (without TLS) or the file is too large. */
export async function digestOf(file: Blob): Promise<string | null> {
  const subtle = globalThis.crypto?.subtle;
  if (!subtle || file.size > DIGESTED_BYTES) return null;
  const bytes = new Uint8Array(await subtle.digest("SHA-256", await file.arrayBuffer()));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(HEX_DIGITS, "0")).join("");
}
