// What is to be warned of in a model is said on its page, beside its metrics.
import { api, url, walk } from "./browser.mjs";
import { built } from "./until.mjs";

const ROWS = 240;
let state = 7;
const drawn = () => {
  state = (state * 48_271) % 2_147_483_647; // Park and Miller's generator: the same noise each time
  return (state % 1000) / 10;
};
const lines = Array.from({ length: ROWS }, () => `${drawn()},${drawn()},${drawn()}`);
const noise = { name: "noise.csv", mimeType: "text/csv" };

await walk(async ({ page, button, expect }) => {
  await page.goto(`${url}/console/uploads`);
  const buffer = Buffer.from(`width,height,weight\n${lines.join("\n")}\n`);
  await page.setInputFiles("input[type=file]", [{ ...noise, buffer }]);
  await button("Upload").click();
  await page.getByText(/^240 rows ·/).waitFor();
  const dataset_id = page.url().split("/").at(-1).split("?")[0];
  await built("noise", { intent: "Predict weight", dataset_id });
  const { warnings } = await api("GET", "/models/noise/v1.0/describe");
  expect(
    warnings.some((one) => one.includes("always giving the same answer")),
    `it is warned of ${warnings.join()}`,
  );
  await page.goto(`${url}/console/models/noise`);
  const performance = page.getByRole("region", { name: "Performance" });
  await performance.getByRole("alert").first().waitFor();
  const said = await performance.getByRole("alert").allTextContents();
  expect(
    said.length === warnings.length,
    `${said.length} of ${warnings.length} warnings are shown`,
  );
  expect(
    said.some((one) => one.includes("always giving the same answer")),
    `the page says ${said.join()}`,
  );
});
