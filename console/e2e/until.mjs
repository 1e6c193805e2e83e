// Waits for what comes about on the server by itself.
import { api } from "./browser.mjs";

const TRIES = 300;
const PAUSE_MS = 200;

export async function until(look) {
  for (let tries = 0; tries < TRIES; tries += 1) {
    if (await look()) return;
    await new Promise((done) => setTimeout(done, PAUSE_MS));
  }
  throw new Error("it did not come about");
}

/** Builds a model's first version and waits until it is ready. */
export async function built(name, body) {
  await api("POST", `/models/${name}`, { max_iterations: 1, ...body });
  await until(async () => (await api("GET", `/models/${name}/v1.0/status`)).status === "READY");
}
