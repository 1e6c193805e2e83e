// The playground says what is required and what training had, tells of values unlike it, follows changes.
import { api, url, walk } from "./browser.mjs";
import { built } from "./until.mjs";

await walk(async ({ page, button, expect }) => {
  const { uploads } = await api("GET", "/uploads?name=penguins&status=complete");
  const body = { intent: "Predict the species", dataset_id: uploads[0].upload_id };
  await built("playground", body);
  await page.goto(`${url}/console/models/playground?tab=playground`);
  const weight = page.getByRole("textbox", { name: /^body_mass_g/ });
  await weight.waitFor();
  await page.getByText("Fields with * are required").waitFor();
  await page.getByRole("slider", { name: /^body_mass_g, from 2,700 to 6,300/ }).waitFor();

  const island = page.getByRole("combobox", { name: /^island/ });
  await island.click();
  await page.getByRole("option", { name: "Torgersen", exact: true }).waitFor();
  const choices = await page.getByRole("option").allTextContents();
  expect(
    choices.sort().join() === "Biscoe,Dream,Torgersen",
    `the choices of island are ${choices.join()}`,
  );
  await page.getByRole("option", { name: "Dream", exact: true }).click();
  expect((await island.inputValue()) === "Dream", "a choice is not taken");

  await weight.fill("-5");
  await button("Predict").click();
  await page.getByText("Unlike the training data").waitFor();
  await page.getByText("-5 is outside what training had (2700 to 6300)").first().waitFor();
  await island.fill("Mars");
  await page.getByText("'Mars' was never seen in training").first().waitFor();
  await island.fill("");
  await page
    .getByText(/`?island`? is required/)
    .first()
    .waitFor();
  await page.locator("[data-stale]").waitFor();
  await island.fill("Biscoe");
  await weight.fill("5000");
  await page.locator("[data-stale]").waitFor({ state: "detached" });
  expect(
    (await page.getByText("Unlike the training data").count()) === 0,
    "a row like the others is warned of",
  );
});
