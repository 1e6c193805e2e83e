// What the browser's walks share: a page that is signed in by a key, faults that are gathered, the verdict.
// Each walk is started with the server's address, a key, the browser's program and what else it needs;
// E2E_BROWSER has the address of a browser that runs already (see browser-server.mjs).
import { chromium } from "playwright-core";

const QUIET = ["background-networking", "component-update", "sync"];
/** What a page may say where a walk provokes it: refusals, and connections that are cut. */
const EXPECTED = /40[0149]|422|503|ERR_FAILED|ERR_ABORTED|can't be reached/;

export const [url, key, executablePath, ...given] = process.argv.slice(2);

/** How a browser is started. */
export const options = (executablePath) => ({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", ...QUIET.map((name) => `--disable-${name}`)],
});

/** Walks on a page, signed in by the key unless told; prints "walked", or what went wrong. */
export async function walk(steps, { isSignedIn = true } = {}) {
  const faults = [];
  const shared = process.env.E2E_BROWSER;
  const browser = await (shared
    ? chromium.connect(shared)
    : chromium.launch(options(executablePath)));
  // What turns and slides is drawn sixty times a second, by the processor.
  const page = await browser.newPage({ reducedMotion: "reduce" });
  page.setDefaultTimeout(60_000);
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !EXPECTED.test(message.text())) faults.push(message.text());
  });
  if (isSignedIn) {
    await page.addInitScript((secret) => {
      sessionStorage.setItem("modelwright.key", secret);
      sessionStorage.setItem("modelwright.level", "read_write");
    }, key);
  }
  const button = (name) => page.getByRole("button", { name, exact: true });
  const link = (name) => page.getByRole("link", { name, exact: true });
  const expect = (isTrue, fault) => {
    if (!isTrue) faults.push(fault);
  };
  try {
    await steps({ page, button, link, expect });
  } catch (fault) {
    faults.push(String(fault.stack ?? fault));
    if (process.env.E2E_PICTURE) await page.screenshot({ path: process.env.E2E_PICTURE });
  }
  await browser.close();
  if (faults.length > 0) {
    console.error(faults.join("\n"));
    process.exit(1);
  }
  console.log("walked");
}

/** Calls the API as the page does, for what a walk prepares or looks up. */
export async function api(method, path, body) {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { "x-api-key": key, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return response.json();
}
