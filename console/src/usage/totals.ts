/** Sums usage over keys, and fills the days on which nothing was used. */
import type { Schemas } from "../api/client";

export interface Day {
  day: string;
  quantity: number;
}

export interface UsageTotal {
  kind: string;
  total: number;
  days: Day[];
}

const DAY_MS = 86_400_000;

export function totalsByKind({ start, end, entries }: Schemas["UsageReport"]): UsageTotal[] {
  const kinds = new Map<string, Map<string, number>>();
  for (const { kind, day, quantity } of entries) {
    const days = kinds.get(kind) ?? new Map<string, number>();
    days.set(day, (days.get(day) ?? 0) + quantity);
    kinds.set(kind, days);
  }
  const all = daysBetween(start, end);
  return [...kinds].map(([kind, days]) => ({
    kind,
    total: [...days.values()].reduce((sum, quantity) => sum + quantity, 0),
    days: all.map((day) => ({ day, quantity: days.get(day) ?? 0 })),
  }));
}

export function daysBetween(start: string, end: string): string[] {
  const first = Date.parse(start);
  const count = Math.max(0, Math.round((Date.parse(end) - first) / DAY_MS)) + 1;
  return Array.from({ length: count }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}
