import { describe, expect, it } from "vitest";
import { splitEvents } from "./server-events";

describe("splitEvents", () => {
  it("keeps what is not yet whole", () => {
    const { events, left } = splitEvents('event: log\nid: 3\ndata: {"a":1}\n\nevent: progress\nid');
    expect(events).toEqual([{ name: "log", id: "3", data: '{"a":1}' }]);
    expect(left).toBe("event: progress\nid");
  });

  it("drops comments, and keeps colons inside the data", () => {
    const { events } = splitEvents(
      ': still there\n\nevent: end\nid: 3.end\ndata: {"b": "x: y"}\n\n',
    );
    expect(events).toEqual([{ name: "end", id: "3.end", data: '{"b": "x: y"}' }]);
  });
});
