/** No file of the console imports itself by way of others, types included. */
import ts from "typescript";
import { expect, it } from "vitest";

type Graph = ReadonlyMap<string, readonly string[]>;

const SOURCES = import.meta.glob<string>("./**/*.{ts,tsx}", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** The files that each file imports, by a source's path without its ending. */
function graphOf(sources: Record<string, string>): Graph {
  const nameOf = (path: string) => new URL(path, "file:///").pathname.replace(/\.tsx?$/, "");
  const names = new Set(Object.keys(sources).map(nameOf));
  const imports = Object.entries(sources).map(([path, text]) => {
    const found = ts.preProcessFile(text, true, true).importedFiles;
    const targets = found
      .filter(({ fileName }) => fileName.startsWith("."))
      .map(({ fileName }) => new URL(fileName, `file://${nameOf(path)}`).pathname)
      .filter((target) => names.has(target));
    return [nameOf(path), targets] as const;
  });
  return new Map(imports);
}

/** The first way from a file back to itself; none where there is no cycle. */
function cycleIn(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, path: string[]): string[] | undefined => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const target of graph.get(file) ?? []) {
      const cycle = walk(target, [...path, file]);
      if (cycle) return cycle;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const cycle = walk(file, []);
    if (cycle) return cycle;
  }
  return undefined;
}

it("finds a cycle, also one over a type or a page that is fetched when it is opened", () => {
  const sources = {
    "./a.ts": 'import { b } from "./deep/b";',
    "./deep/b.tsx": 'const page = () => import("./c");',
    "./deep/c.ts": 'import type { A } from "../a";',
  };
  expect(cycleIn(graphOf(sources))).toEqual(["/a", "/deep/b", "/deep/c", "/a"]);
});

it("has no import cycle", () => {
  const graph = graphOf(SOURCES);
  expect(graph.get("/main")).toContain("/router");
  expect(cycleIn(graph)).toBeUndefined();
});
