/** Puts bytes to a signed address, and tells how far they got. */
import { Problem } from "../api/problem";

/** Pauses before what a broken connection stopped is sent once more. */
export const RETRY_PAUSES_MS = [1_000, 3_000];

/** Whether the connection broke, so that the same upload may be gone on with. */
export const isBroken = (fault: unknown) => fault instanceof Problem && fault.code === "network";

interface Target {
  filename: string;
  presigned_url: string;
  content_type: string;
  size: number;
}

/** Puts a file, or a part of one, once; only XMLHttpRequest tells how far an upload got. */
export function put(
  content: Blob,
  { presigned_url, content_type, filename, size }: Target,
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(stopped());
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    const end = (act: () => void) => {
      signal.removeEventListener("abort", stop);
      act();
    };
    request.open("PUT", presigned_url);
    request.setRequestHeader("Content-Type", content_type);
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onload = () =>
      end(() => {
        if (request.status < 300) {
          onProgress(size);
          resolve();
        } else reject(refusal(filename, request));
      });
    request.onerror = () => end(() => reject(broken(filename)));
    request.onabort = () => end(() => reject(stopped()));
    signal.addEventListener("abort", stop);
    request.send(content);
  });
}

export const stopped = () => new Problem("The upload was stopped.", 0, "stopped");

/** Says that the same upload may be gone on with. */
export const broken = (filename: string) =>
  new Problem(`${filename} broke off; is the server reachable? Resume goes on.`, 0, "network");

function refusal(filename: string, request: XMLHttpRequest): Problem {
  const told = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(request.responseText)?.[1];
  const why = told ?? `the storage answered ${request.status}.`;
  return new Problem(`${filename}: ${why}`, request.status, "storage");
}
