import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vitest/config";

/** Puts a gzip twin beside each text asset, so that the server only has to choose. */
function compressed(): Plugin {
  return {
    name: "compressed",
    apply: "build",
    async writeBundle({ dir = "" }, bundle) {
      for (const fileName of Object.keys(bundle)) {
        if (!/\.(js|css)$/.test(fileName)) continue;
        const path = join(dir, fileName);
        await writeFile(`${path}.gz`, gzipSync(await readFile(path), { level: 9 }));
      }
    },
  };
}

const server = process.env.MODELWRIGHT_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  base: "/console/",
  plugins: [react(), compressed()],
  build: {
    outDir: "../src/modelwright/console_dist",
    emptyOutDir: true,
    chunkSizeWarningLimit: 700,
  },
  server: {
    // Tests read the API's document, and the sentences of the server.
    fs: { allow: ["..", "../docs", "../src/modelwright"] },
    proxy: { "^/(?!console/(?!session))": { target: server } },
  },
  test: { environment: "happy-dom", setupFiles: ["src/test-setup.ts"] },
});
