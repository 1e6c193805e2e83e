import { afterEach, expect, it, vi } from "vitest";
import { send } from "./send";

afterEach(() => vi.unstubAllGlobals());

/** Takes or refuses what is put to an address by what the address says; others never end. */
class Carrier {
  upload = {};
  status = 0;
  responseText = "";
  url = "";
  onload = () => {};
  onabort = () => {};
  open(_: string, url: string) {
    this.url = url;
  }
  setRequestHeader() {}
  send() {
    if (this.url.startsWith("/slow")) return;
    this.status = this.url.startsWith("/full") ? 507 : 200;
    this.onload();
  }
  abort() {
    aborted.push(this.url);
    this.onabort();
  }
}
let aborted: string[] = [];
let asked: string[] = [];

function sending(...places: string[]) {
  aborted = [];
  asked = [];
  const files = places.map((place) => ({ filename: place, presigned_url: `/${place}` }));
  vi.stubGlobal("XMLHttpRequest", Carrier);
  vi.stubGlobal("fetch", async ({ method, url }: Request) => {
    asked.push(`${method} ${new URL(url).pathname}`);
    return Response.json({ upload_id: "upload_1", files });
  });
  const stop = new AbortController();
  const made = places.map((place) => new File(["a"], place));
  return { stop, sent: send(made, "", () => undefined, stop.signal) };
}

it("confirms what was sent", async () => {
  expect(await sending("a", "b").sent).toBe("upload_1");
  expect(asked).toEqual(["POST /data/upload", "POST /uploads/status"]);
});

it("leaves no upload behind that somebody stopped", async () => {
  const { stop, sent } = sending("slow");
  setTimeout(() => stop.abort());
  await expect(sent).rejects.toThrow("The upload was stopped.");
  expect(asked).toEqual(["POST /data/upload", "DELETE /uploads/upload_1"]);
});

it("stops sending the other files where one is refused", async () => {
  await expect(sending("slow", "full").sent).rejects.toThrow("full: the storage answered 507.");
  expect(aborted).toContain("/slow");
  expect(asked).toEqual(["POST /data/upload", "DELETE /uploads/upload_1"]);
});
