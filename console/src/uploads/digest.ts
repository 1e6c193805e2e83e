/** The SHA-256 of a file, by which the server tells whether it came as it was sent. */
import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex } from "@noble/hashes/utils.js";
import { stopped } from "./put";

/** Read at a time: some milliseconds of work, so that the page goes on. Browsers digest whole buffers only. */
const PIECE_BYTES = 1024 ** 2;

/** Gives the digest in hexadecimal, of a file of any size, piece by piece. */
export async function digestOf(file: Blob, signal: AbortSignal): Promise<string> {
  const digest = sha256.create();
  for (let start = 0; start < file.size; start += PIECE_BYTES) {
    if (signal.aborted) throw stopped();
    const piece = file.slice(start, start + PIECE_BYTES);
    digest.update(new Uint8Array(await piece.arrayBuffer()));
  }
  return bytesToHex(digest.digest());
}
