// Where objects lie in a bucket, on another site, tables go there from the page and files come from there.
import { given, url, walk } from "./browser.mjs";

const [table, bucket] = given;

await walk(async ({ page, button, link, expect }) => {
  const verbs = new Set();
  page.on("request", (request) => {
    if (request.url().startsWith(`${bucket}/`)) verbs.add(request.method());
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
});
