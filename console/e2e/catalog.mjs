// A catalog is put right: an inferred metric is rejected and comes back, a key is rejected, said anew and
// undone; what there is none of is called so. Takes the id of an upload of orders and customers.
import { api, given, url, walk } from "./browser.mjs";

const [uploadId] = given;

await walk(async ({ page, button, expect }) => {
  const read = () => api("GET", `/data/catalog/${uploadId}`);
  await page.goto(`${url}/console/uploads/${uploadId}/catalog`);
  const orders = page.getByRole("region", { name: "orders", exact: true });
  await orders.getByText("Default filter").waitFor();
  await orders.getByText("None", { exact: true }).first().waitFor();

  const metrics = page.getByRole("region", { name: "Metrics" });
  await metrics.getByRole("button", { name: "Reject revenue" }).click();
  await metrics.getByText(/^Rejected; /).waitFor();
  expect((await read()).metrics.length === 0, "the metric is still in force");
  await page.reload();
  await metrics.getByRole("button", { name: "Restore revenue" }).click();
  await metrics.getByRole("button", { name: "Reject revenue" }).waitFor();
  expect((await read()).metrics.length === 1, "the metric did not come back");

  const keys = page.getByRole("region", { name: "Foreign keys" });
  await keys.getByRole("button", { name: "Reject the key orders.customer_id" }).click();
  await keys.getByText(/^Rejected; /).waitFor();
  expect((await read()).relationships.length === 0, "the key is still in force");
  await keys.getByRole("button", { name: "Restore the key orders.customer_id" }).click();
  await keys.getByRole("button", { name: "Correct the key orders.customer_id" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("textbox", { name: "Role" }).fill("billing");
  await button("Save").click();
  await keys.getByText("Corrected", { exact: true }).waitFor();
  const [said] = (await read()).relationships;
  expect(said.role === "billing" && said.corrected, "the key was not corrected");
  await keys.getByRole("button", { name: "Undo the key orders.customer_id" }).click();
  await keys.getByText(/^Inferred: /).waitFor();

  await button("New key").click();
  await dialog.getByRole("combobox", { name: "Column" }).fill("orders.agent");
  await page.getByRole("option", { name: "orders.agent", exact: true }).click();
  await dialog.getByRole("combobox", { name: "References" }).fill("customers.cust");
  await page.getByRole("option", { name: "customers.customer_id", exact: true }).click();
  await button("Save").click();
  await keys.getByRole("button", { name: "Undo the key orders.agent" }).waitFor();
  expect((await read()).relationships.length === 2, "the new key was not kept");
});
