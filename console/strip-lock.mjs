// Takes addresses out of the lock: npm finds packages by name and proves them by their hash.
import { readFile, writeFile } from "node:fs/promises";

const lock = JSON.parse(await readFile("package-lock.json", "utf8"));
for (const entry of Object.values(lock.packages)) {
  delete entry.resolved;
  delete entry.funding;
}
await writeFile("package-lock.json", `${JSON.stringify(lock, null, 2)}\n`);
