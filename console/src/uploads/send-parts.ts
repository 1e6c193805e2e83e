/** Sends a large file in parts, so that what breaks off goes on where it stopped. */
import { api, type Schemas, unwrap } from "../api/client";
import { isOffline, Problem } from "../api/problem";
import { digestOf } from "./digest";
import { broken, isBroken, put, RETRY_PAUSES_MS, stopped } from "./put";

/** A larger file is sent in parts; a smaller one is soon sent again. */
export const RESUMABLE_BYTES = 16 * 1024 ** 2;

/** After these it is asked anew what is missing: the address ran out, or the part before is not over yet. */
const ASK_AGAIN = new Set([403, 409, 503]);

/** Sends what is missing of a file, as often as that leads further, and has it put together. */
export async function sendParts(
  upload_id: string,
  file: File,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  const params = { path: { upload_id, filename: file.name } };
  const place = "/uploads/{upload_id}/files/{filename}/parts";
  const digest = digestOf(file, signal);
  digest.catch(() => undefined); // awaited below, unless the sending fails before
  let received = -1;
  let failures = 0;
  const isWhole = async () => {
    const missing = await unwrap(api.POST(place, { params, signal }));
    if (missing.received_bytes > received) failures = 0;
    received = missing.received_bytes;
    onProgress(received);
    await putAll(file, missing.parts, signal, onProgress);
    return missing.parts.length === 0;
  };
  while (!(await isWhole().catch((fault) => waitAfter(fault, failures++, file.name, signal))));
  const body = { sha256: await digest };
  await unwrap(
    api.POST("/uploads/{upload_id}/files/{filename}/complete", { params, body, signal }),
  );
}

/** Waits before what is missing is asked for once more; says so where that leads nowhere. */
async function waitAfter(
  fault: unknown,
  failures: number,
  filename: string,
  signal: AbortSignal,
): Promise<false> {
  if (signal.aborted) throw stopped();
  const pause = mayGoOn(fault) ? RETRY_PAUSES_MS[failures] : undefined;
  if (pause === undefined) throw isOffline(fault) ? broken(filename) : fault;
  await new Promise((done) => setTimeout(done, pause));
  return false;
}

async function putAll(
  file: File,
  parts: Schemas["MissingPart"][],
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  for (const { start, end, presigned_url } of parts) {
    const target = {
      filename: file.name,
      presigned_url,
      content_type: file.type || "application/octet-stream",
      size: end - start,
    };
    await put(file.slice(start, end), target, signal, (bytes) => onProgress(start + bytes));
  }
}

const mayGoOn = (fault: unknown) =>
  isBroken(fault) || isOffline(fault) || (fault instanceof Problem && ASK_AGAIN.has(fault.status));
