// What was deleted lies in the trash: it is restored from there, or removed for good.
import { api, url, walk } from "./browser.mjs";
import { built } from "./until.mjs";

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

  // A model comes back with what it answers.
  const { uploads: penguins } = await api("GET", "/uploads?name=penguins&status=complete");
  await built("regretted", { intent: "Predict the species", dataset_id: penguins[0].upload_id });
  const bird = { island: "Biscoe", bill_length_mm: 46.1, bill_depth_mm: 13.2 };
  const numbers = { flipper_length_mm: 211, body_mass_g: 4500, sex: "female", year: 2007 };
  const answer = () => api("POST", "/models/regretted/v1.0/infer", { ...bird, ...numbers });
  const before = await answer();
  await page.goto(`${url}/console/models/regretted`);
  await button("Delete").click();
  await dialog.getByText("from where they can be restored").waitFor();
  await dialog.getByRole("button", { name: "Delete", exact: true }).click();
  await dialog.waitFor({ state: "detached" });
  expect((await answer()).error?.status === 404, "a deleted model answers");
  await link("Trash").first().click();
  const model = page.getByRole("row", { name: /regretted/ });
  await model.getByText("model").first().waitFor();
  await model.getByRole("button", { name: "Restore regretted" }).click();
  await model.waitFor({ state: "detached" });
  const after = await answer();
  expect(
    after.result.species === before.result.species,
    `the restored model answers ${JSON.stringify(after)}`,
  );
});
