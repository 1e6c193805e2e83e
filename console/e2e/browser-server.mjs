// Runs one browser for many walks; says its address, and ends with its input.
import { chromium } from "playwright-core";
import { options } from "./browser.mjs";

const server = await chromium.launchServer(options(process.argv[2]));
console.log(server.wsEndpoint());
process.stdin.resume();
process.stdin.on("end", async () => {
  await server.close();
  process.exit(0);
});
