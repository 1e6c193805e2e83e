// A file that comes in parts is proved by its SHA-256: bytes that change on the way are refused.
// While it is sent, every page says so.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { api, url, walk } from "./browser.mjs";

const line = `${"x".repeat(1000)},1\n`;
const path = join(tmpdir(), `proved-${process.pid}.csv`);
writeFileSync(path, `word,n\n${line.repeat(18_000)}`);
const digest = createHash("sha256").update(readFileSync(path)).digest("hex");

await walk(async ({ page, button, link, expect }) => {
  // The first byte of the first part changes on the way.
  await page.addInitScript(() => {
    const { send } = XMLHttpRequest.prototype;
    XMLHttpRequest.prototype.send = function (content) {
      if (globalThis.isChanged || !(content instanceof Blob)) return send.call(this, content);
      globalThis.isChanged = true;
      return send.call(this, new Blob([new Uint8Array([33]), content.slice(1)]));
    };
  });
  await page.goto(`${url}/console/uploads`);
  await page.setInputFiles("input[type=file]", path);
  await button("Upload").click();
  await page.getByText(new RegExp(`not ${digest}; they were dropped`)).waitFor();
  expect(await page.evaluate(() => globalThis.isChanged), "no byte was changed");
  const named = `proved-${process.pid}`;
  const of = async (status) =>
    (await api("GET", `/uploads?status=${status}&limit=100`)).uploads.filter(({ name }) =>
      name.startsWith(named),
    );
  expect((await of("complete")).length === 0, "bytes that changed on the way were taken");
  expect((await of("pending")).length === 0, "a refused upload is still awaited");

  // Sent again as it is, it is taken; other pages show meanwhile that it is on its way.
  const { promise: released, resolve: release } = Promise.withResolvers();
  await page.route("**/storage/**", async (route) => {
    await released;
    await route.continue();
  });
  await button("Clear the list").click();
  await page.setInputFiles("input[type=file]", path);
  await button("Upload").click();
  const indicator = page.getByRole("link", { name: /Uploading 1 dataset/ });
  for (const place of ["Models", "Jobs"]) {
    await link(place).first().click();
    await page.getByRole("heading", { level: 1, name: place }).waitFor();
    await indicator.waitFor();
  }
  release();
  await indicator.waitFor({ state: "detached" });
  await link("Data").first().click();
  for (let tries = 0; tries < 300 && (await of("complete")).length === 0; tries += 1) {
    await new Promise((done) => setTimeout(done, 200));
  }
  expect((await of("complete")).length === 1, "the file that was sent as it is was not taken");
});
