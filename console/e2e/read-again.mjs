// A guess of how a file is written is shown, put right, and the file is read again as the next version.
import { api, url, walk } from "./browser.mjs";
import { until } from "./until.mjs";

const lines = ["Made in May;;", "zip;price;note", "01;1,5;-", "02;2,5;good", "03;4,5;-"];
const text = [...lines, ...Array.from({ length: 20 }, (_, n) => `${n + 10};${n},25;good`)].join(
  "\n",
);

await walk(async ({ page, button, expect }) => {
  await page.goto(`${url}/console/uploads`);
  const file = { name: "shop.csv", mimeType: "text/csv", buffer: Buffer.from(`${text}\n`) };
  await page.setInputFiles("input[type=file]", [file]);
  await button("Upload").click();
  await page.getByText(/Read as: semicolon between cells/).waitFor();
  const shown = await page.getByText(/Read as: /).innerText();
  expect(/decimal comma/.test(shown), `the decimal comma is not told: ${shown}`);
  const first = page.url();

  await button("Read differently").click();
  const form = page.getByRole("form", { name: "How the file is read" });
  expect((await form.getByLabel("Delimiter").inputValue()) === ";", "the guess is not in the form");
  const again = form.getByRole("button", { name: "Read again" });
  expect(await again.isDisabled(), "it may be read again though nothing was changed");
  await form.getByRole("textbox", { name: "Texts that mean “missing”" }).fill("-");
  await form.getByRole("combobox", { name: "zip" }).or(form.getByLabel("zip")).first().click();
  await page.getByRole("option", { name: "string" }).click();
  await again.click();
  await page.waitForURL(
    (address) => address.href !== first && /uploads\/upload_/.test(address.href),
  );
  await page.getByText(/Read as you said: .*missing: -/).waitFor();
  const upload = await api("GET", `/uploads/${page.url().split("/").at(-1).split("?")[0]}`);
  const types = Object.fromEntries(
    upload.files[0].column_info.map(({ name, type }) => [name, type]),
  );
  expect(types.zip === "string", `zip is ${types.zip}`);
  expect(
    upload.files[0].column_info.find(({ name }) => name === "note").nullable,
    "the text that means missing is a value still",
  );

  // A correction that cannot be met says so beside the form of a file that stays as it was.
  const refusal = form.getByRole("alert");
  await until(async () => {
    // On a slow machine the page may be drawn anew under the form: what was typed is typed again.
    if (!(await form.isVisible())) await button("Read differently").click();
    await form.getByLabel("Delimiter").fill("::");
    await again.click();
    return refusal.waitFor({ timeout: 20_000 }).then(
      () => true,
      () => false,
    );
  });
  expect(/Delimiter/.test(await refusal.innerText()), "the refusal does not name the control");
});
