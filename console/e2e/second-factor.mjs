// A second factor is turned on, asked for beside the password, and turned off; sessions and the log tell of it.
import { createHmac } from "node:crypto";
import { given, url, walk } from "./browser.mjs";

const [email, password] = given;
const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** What an authenticator app shows (RFC 6238), now or some steps of 30 seconds later. */
function codeOf(secret, later = 0) {
  const bits = [...secret].map((sign) => BASE32.indexOf(sign).toString(2).padStart(5, "0"));
  const bytes = bits.join("").match(/.{8}/g);
  const step = Buffer.alloc(8);
  step.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + later));
  const key = Buffer.from(bytes.map((byte) => Number.parseInt(byte, 2)));
  const digest = createHmac("sha1", key).update(step).digest();
  const number = digest.readUInt32BE(digest.at(-1) & 15) & 0x7fffffff;
  return String(number % 1_000_000).padStart(6, "0");
}

const steps = async ({ page, button, link, expect }) => {
  const field = (name, within = page) => within.getByRole("textbox", { name, exact: true });
  const dialog = page.getByRole("dialog");
  const press = (name) => dialog.getByRole("button", { name, exact: true }).click();
  const factor = page.getByRole("region", { name: "Second factor" });
  const events = page.getByRole("region", { name: "Security log" });

  await page.goto(`${url}/console/`);
  await field("E-mail").fill(email);
  await field("Password").fill(password);
  await button("Sign in").click();
  await link("Security").click();
  await page.getByRole("region", { name: "Sessions" }).getByText("this browser").waitFor();
  await factor.getByText("Off: the password alone").waitFor();

  await factor.getByRole("button", { name: "Turn on" }).click();
  await field("Password", dialog).fill("a wrong one");
  await press("Continue");
  await dialog.getByText("Is wrong.").waitFor();
  await field("Password", dialog).fill(password);
  await press("Continue");
  const secret = await dialog.getByText(/^[A-Z2-7]{32}$/).textContent();
  await dialog.getByText(`secret=${secret}`).waitFor();
  await field("Code", dialog).fill("none");
  await press("Turn on");
  await dialog.getByText(/^Is wrong, or was used before/).waitFor();
  await field("Code", dialog).fill(codeOf(secret));
  await press("Turn on");
  const codes = await dialog.getByText(/^([a-z2-7]{4}-){3}[a-z2-7]{4}\n/).textContent();
  const [recovery] = codes.trim().split("\n");
  await press("I have them");
  await dialog.waitFor({ state: "detached" });
  await factor.getByText("10 recovery codes left").waitFor();
  expect(!(await page.content()).includes(recovery), "a recovery code is still shown");

  await button("Sign out").click();
  await field("E-mail").fill(email);
  await field("Password").fill(password);
  expect((await field("Code").count()) === 0, "a code was asked for before it is needed");
  await button("Sign in").click();
  await page.getByText("Is required: this account has a second factor.").waitFor();
  await field("Code").fill("none");
  await button("Sign in").click();
  await page.getByText(/^Is wrong, or was used before/).waitFor();
  await field("Code").fill(codeOf(secret, 1)); // that of this step turned it on, and counts once
  await button("Sign in").click();

  await events.getByText("Turned on the second factor").first().waitFor();
  await events.getByText("Failed to sign in").first().waitFor();
  await factor.getByRole("button", { name: "Turn off" }).click();
  await field("Code", dialog).fill(recovery);
  await press("Turn off");
  await dialog.waitFor({ state: "detached" });
  await factor.getByText("Off: the password alone").waitFor();
  await events.getByText("Turned off the second factor").first().waitFor();

  await button("Sign out").click();
  await field("E-mail").fill(email);
  await field("Password").fill(password);
  await button("Sign in").click();
  await factor.getByText("Off: the password alone").waitFor();
};

await walk(steps, { isSignedIn: false });
