// What was deleted lies in the trash: it is restored from there, or removed for good.
import { api, url, walk } from "./browser.mjs";

const csv = (name, text) => ({ name, mimeType: "text/csv", buffer: Buffer.from(text) });

await walk(async ({ page, button, link, expect }) => {
  await page.goto(`${url}/console/uploads`);
  await page.setInputFiles("input[type=file]", [csv("rivers.csv", "river,km\nRhine,1233\n")]);
  await button("Upload").click();
  await page.getByText(/^1 row ·/).waitFor();
  const dialog = page.getByRole("dialog");
  const remove = async () => {
    await button("Delete").click();
    await dialog.getByText("It goes to the trash").waitFor();
    await dialog.getByRole("button", { name: "Delete", exact: true }).click();
    await dialog.waitFor({ state: "detached" });
  };
  await remove();
  await link("Trash").first().click();
  const row = page.getByRole("row", { name: /rivers\.csv/ });
  await row.getByText("dataset").waitFor();
  await row.getByRole("button", { name: "Restore rivers.csv" }).click();
  await row.waitFor({ state: "detached" });
  const { uploads } = await api("GET", "/uploads?name=rivers");
  expect(uploads.length === 1, "the dataset did not come back");

  await page.goto(`${url}/console/uploads/${uploads[0].upload_id}`);
  await remove();
  await link("Trash").first().click();
  await row.getByRole("button", { name: "Delete rivers.csv for good" }).click();
  await dialog.getByRole("button", { name: "Delete for good", exact: true }).click();
  await row.waitFor({ state: "detached" });
  const { items } = await api("GET", "/trash");
  expect(
    items.every(({ name }) => name !== "rivers.csv"),
    "it is still in the trash",
  );
});
