// The version in service is shown, promoted and rolled back on the model's page; its address stays.
import { api, url, walk } from "./browser.mjs";
import { built, until } from "./until.mjs";

const isReady = async (version) =>
  (await api("GET", `/models/promoted/${version}/status`)).status === "READY";
const inService = async () =>
  (await api("GET", "/models/promoted/endpoints/production")).model_version;

await walk(async ({ page, button, expect }) => {
  const { uploads } = await api("GET", "/uploads?name=penguins&status=complete");
  const body = { intent: "Predict the species", dataset_id: uploads[0].upload_id };
  await built("promoted", body);
  await api("POST", "/models/promoted/retrain", { max_iterations: 1 });
  await until(() => isReady("v1.1"));
  expect((await inService()) === "v1.0", "a retrain moved the endpoint");

  await page.goto(`${url}/console/models/promoted`);
  await page.getByText("v1.0 in service", { exact: true }).waitFor();
  const production = page
    .getByRole("region", { name: "In service" })
    .getByRole("article", { name: "production" });
  await production.getByText(`${url}/models/promoted/infer`).waitFor();
  expect(
    (await production.getByRole("button", { name: /back/ }).count()) === 0,
    "it offers to go back where there is nothing before",
  );

  await production.getByRole("button", { name: "Promote v1.1" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Promote v1.1 to production?").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  expect((await inService()) === "v1.0", "it was promoted without being confirmed");
  await production.getByRole("button", { name: "Promote v1.1" }).click();
  await dialog.getByRole("button", { name: "Promote v1.1" }).click();
  await page.getByText("v1.1 in service", { exact: true }).waitFor();
  expect((await inService()) === "v1.1", "it was not promoted");

  await production.getByRole("button", { name: "History" }).click();
  const history = production.getByRole("table", { name: "History of production" });
  await history.getByText("in service", { exact: true }).waitFor();
  expect((await history.getByRole("row").count()) === 3, "the history is not of both versions");

  await production.getByRole("button", { name: /back to v1.0/ }).click();
  await dialog.getByText("Roll back to v1.0 in production?").waitFor();
  await dialog.getByRole("button", { name: "Roll back to v1.0" }).click();
  await page.getByText("v1.0 in service", { exact: true }).waitFor();
  expect((await inService()) === "v1.0", "it was not rolled back");
  await until(async () => (await history.getByRole("row").count()) === 4);

  await page.getByRole("tab", { name: "API" }).click();
  await page.getByText(/models\/promoted\/infer\?include/).waitFor();
  await page.getByText("Only v1.1", { exact: true }).click();
  await page.getByText(/models\/promoted\/v1\.1\/infer\?include/).waitFor();
  expect(
    (await page.getByRole("region", { name: /In service|Versions/ }).count()) === 0,
    "what is of the model stands under every tab",
  );
  await page.getByRole("tab", { name: "Deployments" }).click();
  await button("Promote v1.1 to production").waitFor();
});
