// A question, a follow-up that goes on from its answer, and an answer that is kept as the right one.
import { api, url, walk } from "./browser.mjs";

await walk(async ({ page, button, expect }) => {
  const { uploads } = await api("GET", "/uploads?limit=100");
  const { upload_id } = uploads.find(({ name }) => name === "penguins.csv");
  await page.goto(`${url}/console/ask?upload=${upload_id}`);
  const question = page.getByRole("textbox", { name: "Question", exact: true });
  await question.fill("number of penguins by island");
  await page.keyboard.press("Enter");
  const articles = page.getByRole("article");
  await articles.first().getByRole("cell", { name: "Torgersen" }).waitFor();

  const follow = articles.first().getByRole("textbox", { name: "Follow-up question" });
  await follow.fill("by species instead");
  await follow.press("Enter");
  await page.getByText(/^Read as: /).waitFor();
  await articles.first().getByRole("cell", { name: "Gentoo" }).waitFor();
  expect((await articles.count()) === 2, "the thread lost an answer");

  await articles.first().getByRole("button", { name: "Verify" }).click();
  await articles.first().getByText("verified", { exact: true }).waitFor();
  await articles.first().getByRole("button", { name: "Undo" }).click();
  await articles.first().getByText("verified", { exact: true }).waitFor({ state: "detached" });
  expect(await button("Ask").isVisible(), "no further question can be asked");
});
