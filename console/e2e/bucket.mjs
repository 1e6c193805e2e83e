// Where objects lie in a bucket, on another site, tables go there from the page and files come from there.
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { given, url, walk } from "./browser.mjs";

const [table, bucket] = given;
const rows = 18_000;
const large = join(tmpdir(), `multipart-${process.pid}.csv`);
writeFileSync(large, `word,n\n${`${"x".repeat(1000)},1\n`.repeat(rows)}`);

await walk(async ({ page, button, link, expect }) => {
  const verbs = new Set();
  const parts = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(`${bucket}/`)) return;
    verbs.add(request.method());
    const number = new URL(request.url()).searchParams.get("partNumber");
    if (request.method() === "PUT" && number !== null) parts.push(number);
  });
  await page.goto(`${url}/console/uploads`);
  await page.setInputFiles("input[type=file]", table);
  await button("Upload").click();
  await page.getByText(/^344 rows ·/).waitFor();
  expect(verbs.has("PUT"), "the table did not go to the bucket");

  await page.getByRole("tab", { name: "Profile" }).click();
  await button("Profile this table").click();
  const pictures = page.getByRole("region", { name: "Charts" });
  await pictures.scrollIntoViewIfNeeded();
  await pictures.getByRole("img").first().waitFor();

  await button("Download").click();
  await button("Create file").click();
  const exported = page.waitForEvent("download");
  await link("Download").click();
  const file = await exported;
  expect(file.suggestedFilename() === "penguins.csv", `${file.suggestedFilename()} was saved`);
  expect(file.url().startsWith(`${bucket}/`), `the file came from ${file.url()}`);

  // A large file goes there in parts, each of which is sent once.
  expect(parts.length === 0, "a small table went in parts");
  await page.goto(`${url}/console/uploads`);
  await page.setInputFiles("input[type=file]", large);
  await button("Upload").click();
  await page.getByText(/^18,000 rows ·/).waitFor();
  expect(parts.join() === "1,2", `the parts ${parts.join()} went to the bucket`);
});
