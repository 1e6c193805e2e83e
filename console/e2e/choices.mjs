// A question that may be meant in several ways: one is taken, gone on from, and kept as the right one.
import { given, url, walk } from "./browser.mjs";

await walk(async ({ page, button, expect }) => {
  await page.goto(`${url}/console/uploads`);
  await page.setInputFiles("input[type=file]", given[0]);
  await button("Upload").click();
  await page.getByText(/^344 rows ·/).waitFor();
  const uploadId = page.url().split("/").at(-1).split("?")[0];
  await page.goto(`${url}/console/ask?upload=${uploadId}`);
  const question = page.getByRole("textbox", { name: "Question", exact: true });
  await question.fill("longest bill");
  await page.keyboard.press("Enter");
  const choices = page.getByRole("region", { name: "What do you mean?" });
  const depth = choices.getByRole("article").filter({ hasText: "bill depth" });
  const answers = page.locator("[aria-live=polite]").getByRole("article");
  const choose = async () => {
    await choices.getByText("This may be meant in several ways.").waitFor();
    expect((await choices.getByRole("article").count()) === 2, "there are not two choices");
    await depth.getByRole("button", { name: "I mean this" }).click();
    await choices.waitFor({ state: "detached" });
  };
  await choices.getByText("This may be meant in several ways.").waitFor();
  await depth.getByRole("button", { name: "Show SQL" }).click();
  await depth.getByText(/MAX/).first().waitFor();
  await choose();
  await answers.first().getByText("21.5").first().waitFor();

  const follow = answers.first().getByRole("textbox", { name: "Follow-up question" });
  await follow.fill("by island");
  await follow.press("Enter");
  // what was chosen is meant again: it is not asked for a second time
  await answers.first().getByRole("cell", { name: "Torgersen" }).waitFor();
  expect((await choices.count()) === 0, "the same choice was offered again");
  expect((await answers.count()) === 2, "the thread lost an answer");

  await answers.last().getByRole("button", { name: "Verify" }).click();
  await answers.last().getByText("verified", { exact: true }).waitFor();
  await question.fill("longest bill");
  await question.press("Enter");
  await answers.nth(2).waitFor();
  await answers.first().getByText("verified", { exact: true }).waitFor();
});
