/** Splits a stream's text into server-sent events. */

export interface ServerEvent {
  name: string;
  id: string;
  data: string;
}

/** Returns the whole events and the text that is not yet one; comments are dropped. */
export function splitEvents(text: string): { events: ServerEvent[]; left: string } {
  const blocks = text.split("\n\n");
  const left = blocks.pop() ?? "";
  const events = blocks.filter((block) => !block.startsWith(":")).map(eventOf);
  return { events, left };
}

function eventOf(block: string): ServerEvent {
  const event: ServerEvent = { name: "message", id: "", data: "" };
  for (const line of block.split("\n")) {
    const colon = line.indexOf(": ");
    const field = line.slice(0, colon);
    const value = line.slice(colon + 2);
    if (field === "event") event.name = value;
    if (field === "id") event.id = value;
    if (field === "data") event.data += value;
  }
  return event;
}
