/** Prepares the tests' document: the parts of a browser that happy-dom lacks, one language. */
import type { Upload } from "./api/queries";

class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver = NoObserver;

export const uploadOf = (upload_id: string, name: string): Upload => ({
  upload_id,
  name,
  description: "",
  status: "complete",
  created_at: "2026-03-02T12:00:00Z",
  created_by: "user_1",
  completed_at: null,
  expires_at: "2026-03-03T12:00:00Z",
  error: null,
  dataset_version: "v1.0",
  files: [],
});
