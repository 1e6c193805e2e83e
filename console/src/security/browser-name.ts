/** What people call a browser, from what it calls itself. */

/** In the order to look: most claim to be those after them too. */
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

const LONGEST = 60;

export function browserName(agent: string | null): string {
  if (!agent) return "Unknown browser";
  const named = ([sign]: readonly [string, string]) => agent.includes(sign);
  const browser = BROWSERS.find(named)?.[1];
  const system = SYSTEMS.find(named)?.[1];
  if (!browser) return agent.length > LONGEST ? `${agent.slice(0, LONGEST)}…` : agent;
  return system ? `${browser} on ${system}` : browser;
}
