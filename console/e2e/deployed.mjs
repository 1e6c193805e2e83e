// "deployed" stands beside the version that is, in the model's head, the lists and Home, and nowhere else.
import { api, url, walk } from "./browser.mjs";
import { built, until } from "./until.mjs";

const isReady = async (version) =>
  (await api("GET", `/models/served/${version}/status`)).status === "READY";

await walk(async ({ page, expect }) => {
  const { uploads } = await api("GET", "/uploads?name=penguins&status=complete");
  const body = { intent: "Predict the species", dataset_id: uploads[0].upload_id };
  await built("served", body);
  await page.goto(`${url}/console/models/served`);
  await page.getByRole("heading", { level: 1, name: "Served" }).waitFor();
  expect((await page.getByText(/deployed$/).count()) === 0, "it says deployed of what is not");
  await api("POST", "/models/served/deploy", { model_version: "v1.0" });
  await until(async () => (await api("GET", "/models/served")).deployed_versions.length > 0);
  await api("POST", "/models/served/retrain", { max_iterations: 1 });
  await until(() => isReady("v1.1"));
  await page.reload();
  const versions = page.getByRole("region", { name: "Versions" });
  await page.getByText("v1.0 deployed", { exact: true }).waitFor();
  const rowOf = (version) => versions.getByRole("row").filter({ hasText: version });
  await rowOf("v1.0").getByText("deployed", { exact: true }).waitFor();
  expect(
    (await rowOf("v1.1").getByText("deployed", { exact: true }).count()) === 0,
    "the newest version is called deployed",
  );
  for (const place of ["models", ""]) {
    await page.goto(`${url}/console/${place}`);
    await page.getByText("v1.0 deployed", { exact: true }).waitFor();
  }

  // What serves is not deleted by two clicks: its name is typed first.
  await page.goto(`${url}/console/models/served`);
  await page.getByRole("button", { name: "Delete" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(/It is in service: v1.0/).waitFor();
  const sure = dialog.getByRole("button", { name: "Delete" });
  expect(await sure.isDisabled(), "what serves is deleted without its name");
  await dialog.getByLabel("Type served to confirm").fill("served");
  await sure.click();
  await page.waitForURL(/models$/);
  expect((await api("GET", "/models/served")).error?.status === 404, "it was not deleted");
});
