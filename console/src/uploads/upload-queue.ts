/** Uploads on their way: they go on while other pages are looked at, each with its own result. */
import { useSyncExternalStore } from "react";
import { queryClient } from "../api/queries";
import { isBroken } from "./put";
import { type Begun, type Sent, send } from "./send";

export interface QueuedUpload {
  id: number;
  files: File[];
  name: string;
  sent: Sent;
  state: "waiting" | "sending" | "sent" | "failed";
  uploadId?: string;
  error?: Error;
  /** Whether it may go on from the files that have arrived. */
  canResume: boolean;
}

const UPLOADS_AT_ONCE = 2;

let queue: readonly QueuedUpload[] = [];
let lastId = 0;
const stops = new Map<number, AbortController>();
const begun = new Map<number, Begun>();
const listeners = new Set<() => void>();

function put(next: readonly QueuedUpload[]): void {
  queue = next;
  for (const listener of listeners) listener();
}

function change(id: number, part: Partial<QueuedUpload>): void {
  put(queue.map((one) => (one.id === id ? { ...one, ...part } : one)));
}

/** Adds uploads, each of one or more files, and begins with those there is room for. */
export function enqueue(uploads: { files: File[]; name: string }[]): number[] {
  const added = uploads.map(
    ({ files, name }): QueuedUpload => ({
      id: ++lastId,
      files,
      name,
      sent: {},
      state: "waiting",
      canResume: false,
    }),
  );
  put([...queue, ...added]);
  work();
  return added.map(({ id }) => id);
}

/** Goes on with an upload that was begun here or elsewhere, with the files that it awaits. */
export function resume(uploadId: string, files: File[], name: string): void {
  const id = ++lastId;
  begun.set(id, { uploadId });
  put([...queue, { id, files, name, sent: {}, state: "waiting", canResume: true }]);
  work();
}

/** Tries an upload that failed once more. */
export function retry(id: number): void {
  change(id, { state: "waiting", error: undefined });
  work();
}

/** Stops an upload, or takes it off the list. */
export function dismiss(id: number): void {
  stops.get(id)?.abort();
  put(queue.filter((one) => one.id !== id));
}

export const dismissAll = () => {
  for (const { id } of queue) dismiss(id);
};

function work(): void {
  const running = queue.filter(({ state }) => state === "sending").length;
  const next = queue.find(({ state }) => state === "waiting");
  if (!next || running >= UPLOADS_AT_ONCE) return;
  void run(next);
  work();
}

async function run({ id, files, name }: QueuedUpload): Promise<void> {
  const stop = new AbortController();
  const own = begun.get(id) ?? {};
  stops.set(id, stop);
  begun.set(id, own);
  change(id, { state: "sending" });
  try {
    const uploadId = await send(files, name, (sent) => change(id, { sent }), stop.signal, own);
    change(id, { state: "sent", uploadId });
  } catch (fault) {
    const error = fault instanceof Error ? fault : new Error(String(fault));
    change(id, { state: "failed", error, canResume: isBroken(fault) });
  }
  await queryClient.invalidateQueries({ queryKey: ["uploads"] });
  work();
}

export function useUploadQueue(): readonly QueuedUpload[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => queue,
  );
}

/** How much of an upload has been sent, from 0 to 1. */
export function shareOf({ files, sent }: QueuedUpload): number {
  const total = files.reduce((sum, file) => sum + file.size, 0);
  const done = Object.values(sent).reduce((sum, bytes) => sum + bytes, 0);
  return Math.min(1, done / Math.max(1, total));
}
