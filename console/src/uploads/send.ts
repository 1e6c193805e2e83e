/** Sends files: declares them, puts their bytes to the signed addresses, confirms. */
import { api, type Schemas, unwrap } from "../api/client";
import { Problem } from "../api/problem";
import { isBroken, put, RETRY_PAUSES_MS } from "./put";
import { RESUMABLE_BYTES, sendParts } from "./send-parts";

/** Bytes sent so far, by file name. */
export type Sent = Record<string, number>;

/** An upload that was declared; what broke off is gone on with where files of it have arrived. */
export interface Begun {
  uploadId?: string;
}

interface Slot {
  filename: string;
  object_key: string;
  content_type: string;
  size_bytes?: number | null;
  /** Null once the file has arrived. */
  presigned_url: string | null;
}

const FILES_AT_ONCE = 3;
const NOT_THE_SAME = "not_the_same";

/** Sends files as one upload; one that breaks off stays for another try, one that is stopped or refused does not. */
export async function send(
  files: File[],
  name: string,
  onProgress: (sent: Sent) => void,
  signal: AbortSignal,
  begun: Begun = {},
): Promise<string> {
  const slots = begun.uploadId
    ? await slotsLeft(begun.uploadId)
    : await declare(files, name, begun);
  checkSame(slots, files);
  const upload_id = begun.uploadId ?? "";
  const all = new AbortController();
  signal.addEventListener("abort", () => all.abort());
  globalThis.addEventListener("beforeunload", ask);
  try {
    await carryAll(upload_id, slots, files, onProgress, all.signal);
  } catch (fault) {
    all.abort();
    if (!isBroken(fault)) {
      begun.uploadId = undefined;
      const params = { path: { upload_id } };
      await api.DELETE("/uploads/{upload_id}", { params }).catch(() => undefined);
    }
    throw fault;
  } finally {
    globalThis.removeEventListener("beforeunload", ask);
  }
  const listed = slots.map(({ filename, object_key }) => ({ filename, object_key }));
  await unwrap(
    api.POST("/uploads/status", { body: { upload_id, status: "complete", files: listed } }),
  );
  return upload_id;
}

/** Has the browser ask before a tab is closed that still sends. */
const ask = (event: Event) => event.preventDefault();

async function declare(files: File[], name: string, begun: Begun): Promise<Slot[]> {
  const created = await unwrap(
    api.POST("/data/upload", {
      body: {
        name: name || null,
        files: files.map((file) => ({
          filename: file.name,
          content_type: file.type || "application/octet-stream",
          size_bytes: file.size,
        })),
      },
    }),
  );
  begun.uploadId = created.upload_id;
  return created.files;
}

/** Refuses to go on with other files than those that were begun. */
function checkSame(slots: Slot[], files: File[]): void {
  for (const { filename, size_bytes } of slots) {
    const file = files.find(({ name }) => name === filename);
    if (!file) throw new Problem(`${filename} is to come yet; choose it too.`, 0, NOT_THE_SAME);
    if (size_bytes !== undefined && size_bytes !== null && size_bytes !== file.size) {
      const message = `${filename} has another size than the file that was begun; upload it anew.`;
      throw new Problem(message, 0, NOT_THE_SAME);
    }
  }
}

/** The files of an upload, with fresh addresses for those that have not arrived. */
async function slotsLeft(upload_id: string): Promise<Slot[]> {
  const { uploads } = await unwrap(api.GET("/data/upload", { params: { query: { upload_id } } }));
  return uploads[0]?.files ?? [];
}

async function carryAll(
  uploadId: string,
  slots: Slot[],
  files: File[],
  onProgress: (sent: Sent) => void,
  signal: AbortSignal,
): Promise<void> {
  const sent: Sent = {};
  const waiting = [...slots];
  const carry = async () => {
    for (let slot = waiting.shift(); slot; slot = waiting.shift()) {
      const { filename } = slot;
      const file = files.find((candidate) => candidate.name === filename);
      if (!file) continue;
      const tell = (bytes: number) => {
        sent[filename] = bytes;
        onProgress({ ...sent });
      };
      if (slot.presigned_url === null) tell(file.size);
      else if (file.size > RESUMABLE_BYTES) await sendParts(uploadId, file, signal, tell);
      else await putPatiently(file, { ...slot, presigned_url: slot.presigned_url }, signal, tell);
    }
  };
  await Promise.all(Array.from({ length: FILES_AT_ONCE }, carry));
}

type Placed = Pick<Schemas["PlacedFile"], "filename" | "presigned_url" | "content_type">;

/** Puts one file, anew after a pause where the connection breaks. */
async function putPatiently(
  file: File,
  placed: Placed,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  for (const pause of RETRY_PAUSES_MS) {
    try {
      return await put(file, { ...placed, size: file.size }, signal, onProgress);
    } catch (fault) {
      if (!isBroken(fault)) throw fault;
      await new Promise((done) => setTimeout(done, pause));
    }
  }
  return put(file, { ...placed, size: file.size }, signal, onProgress);
}
