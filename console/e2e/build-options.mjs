// The split, the costs of errors and the weight of rows are fixed on the page, and the build keeps them.
import { api, given, url, walk } from "./browser.mjs";

await walk(async ({ page, button, expect }) => {
  await page.goto(`${url}/console/uploads`);
  await page.setInputFiles("input[type=file]", given[0]);
  await button("Upload").click();
  await page.getByText(/^344 rows ·/).waitFor();
  const uploadId = page.url().split("/").at(-1).split("?")[0];
  await page.goto(`${url}/console/new-model?dataset=${uploadId}`);
  await page.getByLabel("What should it predict?").fill("Predict the sex of a penguin");
  await button("More options").click();
  const pick = async (label, option) => {
    await page.getByRole("combobox", { name: label, exact: true }).click();
    await page.getByRole("option", { name: option, exact: true }).click();
  };
  await pick("Split", "by group: whole groups");
  await page.getByText("Choose the column of the split.").waitFor();
  expect(await button("See the plan").isDisabled(), "a plan without the column may be asked for");
  await pick("Column of the split", "flipper_length_mm");
  await pick("Decision threshold", "what errors cost");
  await page.getByLabel("Cost of a false negative").fill("5");
  await pick("Sample weight", "year");
  await button("See the plan").click();
  await page.getByRole("region", { name: "The plan" }).waitFor();
  await page.getByLabel("Name").last().fill("sexes");
  await button("Build sexes").click();
  await page.waitForURL(/models\/sexes/);
  const { plan } = await waitForPlan();
  expect(/flipper_length_mm/.test(JSON.stringify(plan)), "the split is not in the plan");
  expect(/year/.test(JSON.stringify(plan)), "the weight is not in the plan");

  async function waitForPlan() {
    for (let tries = 0; tries < 300; tries += 1) {
      const { status } = await api("GET", "/models/sexes");
      expect(status !== "ERROR", "the build failed");
      if (status === "READY" || status === "ERROR") break;
      await new Promise((done) => setTimeout(done, 500));
    }
    return api("GET", "/models/sexes/v1.0/describe");
  }
});
