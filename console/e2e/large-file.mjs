// A large file whose connection breaks goes on where it stopped, by itself and after a reload of the page.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { api, url, walk } from "./browser.mjs";

const PART_BYTES = 16 * 1024 ** 2;
const line = `${"x".repeat(1000)},1\n`;
const rows = 18_000;
const path = join(tmpdir(), `large-${process.pid}.csv`);
writeFileSync(path, `word,n\n${line.repeat(rows)}`);

const startOf = (address) => Number(new URL(address).searchParams.get("start"));

await walk(async ({ page, button, link, expect }) => {
  const sent = [];
  let isCut = true;
  const { promise: isLookedAt, resolve: cut } = Promise.withResolvers();
  await page.route("**/storage/**", async (route) => {
    const start = startOf(route.request().url());
    sent.push(start);
    if (!isCut || start < PART_BYTES) return route.continue();
    await isLookedAt;
    return route.abort();
  });
  await page.goto(`${url}/console/uploads`);
  await page.setInputFiles("input[type=file]", path);
  await button("Upload").click();

  // How far it is is seen on every page, and leads back to it.
  const indicator = page.getByRole("link", { name: /^Uploading 1 dataset/ });
  for (const place of ["Models", "Jobs"]) {
    await link(place).first().click();
    await page.getByRole("heading", { level: 1, name: place }).waitFor();
    await indicator.waitFor();
  }
  await indicator.click();
  cut();
  await button("Resume").waitFor();
  expect((await indicator.count()) === 0, "what broke off is said to go on");
  expect(sent.filter((start) => start === 0).length === 1, "the first part was sent again");

  // The browser is closed and opened again: the upload waits on its page for the same file.
  const { uploads } = await api("GET", "/uploads?status=pending");
  const { upload_id } = uploads.find(({ files }) => files[0].filename.startsWith("large-"));
  await page.goto(`${url}/console/uploads/${upload_id}`);
  await page.getByText("It has not all arrived yet.").waitFor();
  isCut = false;
  sent.length = 0;
  await page.setInputFiles("input[type=file]", path);
  await page.getByText(/^18,000 rows ·/).waitFor();
  expect(Math.min(...sent) >= PART_BYTES, `it began again at byte ${Math.min(...sent)}`);
  const left = await api("GET", "/uploads?status=pending");
  expect(
    left.uploads.every((one) => one.upload_id !== upload_id),
    "the upload is still awaited",
  );
});
