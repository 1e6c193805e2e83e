/** Sends files: declares them, puts their bytes to the signed addresses, confirms; what breaks off leaves nothing. */
import { api, type Schemas, unwrap } from "../api/client";
import { Problem } from "../api/problem";

/** Bytes sent so far, by file name. */
type Sent = Record<string, number>;

const AT_ONCE = 3;

export async function send(
  files: File[],
  name: string,
  onProgress: (sent: Sent) => void,
  signal: AbortSignal,
): Promise<string> {
  const upload = await unwrap(
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
  const { upload_id } = upload;
  const all = new AbortController();
  signal.addEventListener("abort", () => all.abort());
  globalThis.addEventListener("beforeunload", ask);
  try {
    await carryAll(upload, files, onProgress, all.signal);
  } catch (fault) {
    all.abort();
    const params = { path: { upload_id } };
    await api.DELETE("/uploads/{upload_id}", { params }).catch(() => undefined);
    throw fault;
  } finally {
    globalThis.removeEventListener("beforeunload", ask);
  }
  const listed = upload.files.map(({ filename, object_key }) => ({ filename, object_key }));
  await unwrap(
    api.POST("/uploads/status", { body: { upload_id, status: "complete", files: listed } }),
  );
  return upload_id;
}

/** Has the browser ask before a tab is closed that still sends. */
const ask = (event: Event) => event.preventDefault();

async function carryAll(
  upload: Schemas["UploadCreated"],
  files: File[],
  onProgress: (sent: Sent) => void,
  signal: AbortSignal,
): Promise<void> {
  const sent: Sent = {};
  const waiting = [...upload.files];
  const carry = async () => {
    for (let placed = waiting.shift(); placed; placed = waiting.shift()) {
      const { filename } = placed;
      const file = files.find((candidate) => candidate.name === filename);
      if (!file) continue;
      await put(file, placed, signal, (bytes) => {
        sent[filename] = bytes;
        onProgress({ ...sent });
      });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, carry));
}

/** Puts one file; only XMLHttpRequest tells how far an upload got. */
function put(
  file: File,
  { presigned_url, content_type, filename }: Schemas["PlacedFile"],
  signal: AbortSignal,
  onProgress: (bytes: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("PUT", presigned_url);
    request.setRequestHeader("Content-Type", content_type);
    request.upload.onprogress = (event) => onProgress(event.loaded);
    request.onload = () => {
      if (request.status < 300) {
        onProgress(file.size);
        resolve();
      } else reject(refusal(filename, request));
    };
    request.onerror = () =>
      reject(new Problem(`${filename} could not be sent; is the server reachable?`, 0, "network"));
    request.onabort = () => reject(new Problem("The upload was stopped.", 0, "stopped"));
    signal.addEventListener("abort", () => request.abort());
    request.send(file);
  });
}

function refusal(filename: string, request: XMLHttpRequest): Problem {
  const told = /"message":\s*"((?:[^"\\]|\\.)*)"/.exec(request.responseText)?.[1];
  const why = told ?? `the storage answered ${request.status}.`;
  return new Problem(`${filename}: ${why}`, request.status, "storage");
}
