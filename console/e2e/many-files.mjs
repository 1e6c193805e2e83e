// Of several files each becomes a dataset of its own: a bad one tells why, the good ones stay.
// An upload whose connection breaks goes on from where it was, and leaves no dead row.
import { api, url, walk } from "./browser.mjs";

const csv = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

await walk(async ({ page, button, expect }) => {
  await page.goto(`${url}/console/uploads`);
  await page.setInputFiles("input[type=file]", [
    csv("cities.csv", "city,people\nOslo,700000\nBergen,290000\n"),
    { ...csv("broken.parquet", "this is no parquet file"), mimeType: "application/octet-stream" },
    csv("prices.csv", "item,price\nbread,3.5\nmilk,1.2\n"),
  ]);
  await button("Upload").click();
  const uploads = page.getByRole("region", { name: "Uploads" });
  await uploads
    .getByText("ready", { exact: true })
    .or(uploads.getByText("complete"))
    .nth(1)
    .waitFor();
  await uploads.getByText("failed").waitFor();
  expect(/parquet/i.test(await uploads.innerText()), "the bad file does not say what is wrong");
  await page.setViewportSize({ width: 390, height: 844 });
  const cut = await uploads.evaluate((list) =>
    [...list.querySelectorAll(".mantine-Badge-label")]
      .filter((word) => word.scrollWidth > word.clientWidth)
      .map((word) => word.textContent),
  );
  expect(cut.length === 0, `states are cut on a phone: ${cut.join()}`);
  await page.setViewportSize({ width: 1280, height: 720 });
  const { uploads: found } = await api("GET", "/uploads?limit=100");
  const statusOf = (name) => found.find((one) => one.name === name)?.status;
  expect(statusOf("cities.csv") === "complete", "cities.csv did not stay");
  expect(statusOf("prices.csv") === "complete", "prices.csv did not stay");
  await button("Clear the list").click();

  let broken = 0;
  await page.route("**/storage/**", (route) => {
    broken += 1;
    return broken <= 3 ? route.abort() : route.continue();
  });
  await page.setInputFiles("input[type=file]", [csv("lakes.csv", "lake,depth\nMjøsa,453\n")]);
  await button("Upload").click();
  await button("Resume").waitFor();
  const pending = await api("GET", "/uploads?status=pending");
  expect(pending.uploads.length === 1, "a broken upload was thrown away");
  await button("Resume").click();
  await page.getByText(/^1 row ·/).waitFor();
  const left = await api("GET", "/uploads?status=pending");
  expect(left.uploads.length === 0, "a dead upload was left");
});
