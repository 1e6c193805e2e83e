// A plan of an older sentence is never shown under a newer one, and the build is of the plan that is shown.
import { url, walk } from "./browser.mjs";

await walk(async ({ page, button, expect }) => {
  await page.goto(`${url}/console/new-model`);
  const intent = page.getByLabel("What should it predict?");
  const { promise: release, resolve } = Promise.withResolvers();
  const ended = [];
  page.on("requestfailed", (request) => ended.push(request.postDataJSON()?.intent));
  await page.route("**/models/*/plan", async (route) => {
    const isOlder = route.request().postDataJSON().intent === "Predict the species of a penguin";
    const response = await route.fetch();
    if (isOlder) await release;
    await route.fulfill({ response }).catch(() => undefined);
  });
  await intent.fill("Predict the species of a penguin");
  await button("See the plan").click();
  await intent.fill("Predict the sex of a penguin");
  await button("See the plan").click();
  await page.getByText("It will predict sex").waitFor();
  resolve();
  await page.waitForTimeout(1000);
  expect(await page.getByText("It will predict sex").isVisible(), "an older plan came back");
  expect(
    ended.includes("Predict the species of a penguin"),
    "the request of the older sentence went on",
  );
  await page.unrouteAll({ behavior: "ignoreErrors" });

  // Plans that were left do not take the places of the next ones.
  for (const count of Array(6).keys()) {
    await intent.fill(`Predict the sex of a penguin please ${count}`);
    await intent.press("Enter");
  }
  await page.getByText("It will predict sex").waitFor();
  expect((await page.getByText("Too many plans").count()) === 0, "plans piled up");

  // A build that would be of another sentence than the plan that it quotes is refused.
  await page.route("**/models/sex-penguin-please-5", (route) => {
    const body = { ...route.request().postDataJSON(), intent: "Predict the island of a penguin" };
    return route.continue({ postData: JSON.stringify(body) });
  });
  await button("Build sex-penguin-please-5").click();
  await page.getByText("Plan again, then build.").waitFor();
  await page.unrouteAll({ behavior: "wait" });
  await button("Plan again").click();
  await page.getByText("Plan again, then build.").waitFor({ state: "detached" });
  await page.getByText("It will predict sex").waitFor();

  await page.evaluate(() => {
    const { fetch } = globalThis;
    globalThis.fetch = async (asked, more) => {
      if (asked instanceof Request) globalThis.lastBody = await asked.clone().text();
      return fetch(asked, more);
    };
  });
  await button("Build sex-penguin-please-5").click();
  await page.waitForFunction(() => globalThis.lastBody?.includes("plan_id"));
  const body = JSON.parse(await page.evaluate(() => globalThis.lastBody));
  expect(body.intent === "Predict the sex of a penguin please 5", `built: ${body.intent}`);
  expect(/^plan_/.test(body.plan_id ?? ""), "the build quotes no plan");
  await page.waitForURL(/models\/sex-penguin-please-5/);
});
