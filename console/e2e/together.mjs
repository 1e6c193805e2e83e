// Two datasets are asked together, in one session that a reload goes on with.
import { api, given, url, walk } from "./browser.mjs";

await walk(async ({ page, button, expect }) => {
  const [orders, customers] = given;
  await page.goto(`${url}/console/ask?upload=${orders}`);
  await button("Add a table").click();
  await page.getByPlaceholder("Choose one").last().click();
  await page.getByRole("option", { name: /^together-customers/ }).click();
  const tables = page.getByRole("region", { name: "Tables" });
  await tables.getByText("customers:", { exact: true }).waitFor();
  expect(page.url().includes(`with=${customers}`), "the address does not say what is asked");

  const question = page.getByRole("textbox", { name: "Question", exact: true });
  await question.fill("How many customers are there?");
  await page.keyboard.press("Enter");
  await page.getByRole("article").first().getByText("3", { exact: true }).waitFor();
  await page.reload();
  await tables.getByText("orders:", { exact: true }).waitFor();
  const { sessions } = await api("GET", "/data/sessions?limit=100");
  const both = sessions.filter(({ tables: held }) =>
    held.some(({ upload_id }) => upload_id === customers),
  );
  expect(both.length === 1, "a reload opened another session");
});
