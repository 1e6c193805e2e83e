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
  await question.fill("mean bill by sex");
  await page.keyboard.press("Enter");
  const choices = page.getByRole("region", { name: "What do you mean?" });
  await choices.getByText("This may be meant in several ways.").waitFor();
  const depth = choices.getByRole("article").filter({ hasText: "bill depth" });
  expect((await choices.getByRole("article").count()) === 2, "there are not two choices");
  await depth.getByRole("button", { name: "Show SQL" }).click();
  await depth.getByText(/AVG/i).first().waitFor();
  await depth.getByRole("button", { name: "I mean this" }).click();

  const answers = page.getByRole("article");
  await choices.waitFor({ state: "detached" });
  await answers.first().getByRole("columnheader", { name: /bill_depth/ }).waitFor();
  const follow = answers.first().getByRole("textbox", { name: "Follow-up question" });
  await follow.fill("by species instead");
  await follow.press("Enter");
  await answers.first().getByRole("cell", { name: "Gentoo" }).waitFor();
  expect((await answers.count()) === 2, "the thread lost an answer");

  await answers.last().getByRole("button", { name: "Verify" }).click();
  await answers.last().getByText("verified", { exact: true }).waitFor();
  await question.fill("mean bill by sex");
  await question.press("Enter");
  await answers.nth(2).waitFor();
  expect(
    await answers.first().getByText("verified", { exact: true }).isVisible(),
    "the question is not answered as it was verified",
  );

  await question.fill("how heavy are the penguins");
  await question.press("Enter");
  await choices.getByText("It is not sure what is meant. Do you mean this?").waitFor();
  expect((await choices.getByRole("article").count()) === 1, "there is more than one choice");
});
