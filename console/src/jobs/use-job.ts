/** Follows a job by its server-sent events; read by fetch, because they need a header. */
import { useEffect, useState } from "react";
import { open, type Schemas } from "../api/client";
import { Problem } from "../api/problem";
import type { Job } from "../api/queries";
import { type ServerEvent, splitEvents } from "./server-events";

export interface JobState {
  job: Job | undefined;
  lines: Schemas["JobLogEntry"][];
  isOver: boolean;
}

const NOTHING: JobState = { job: undefined, lines: [], isOver: false };
const RECONNECT_MS = 2_000;

function reduceEvent(before: JobState, event: ServerEvent): JobState {
  if (event.name === "log") {
    const line: Schemas["JobLogEntry"] = JSON.parse(event.data);
    return { ...before, lines: [...before.lines, line] };
  }
  const job: Job = JSON.parse(event.data);
  return { ...before, job, isOver: event.name === "end" };
}

async function read(
  jobId: string,
  last: { id: string },
  signal: AbortSignal,
  onEvent: (event: ServerEvent) => void,
): Promise<boolean> {
  const headers: HeadersInit = last.id ? { "Last-Event-ID": last.id } : {};
  const response = await open("GET", `/jobs/${jobId}/events`, undefined, { headers, signal });
  if (response.status === 204 || !response.body) return true;
  let rest = "";
  let isOver = false;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    const { events, left } = splitEvents(rest + piece.value);
    rest = left;
    for (const event of events) {
      last.id = event.id;
      isOver = event.name === "end";
      onEvent(event);
    }
  }
  return isOver;
}

const waited = (ms: number) => new Promise((done) => setTimeout(done, ms));

export function useJob(jobId: string): JobState {
  const [followed, setFollowed] = useState(NOTHING);
  useEffect(() => {
    const stop = new AbortController();
    const last = { id: "" };
    setFollowed(NOTHING);
    const follow = async () => {
      let isOver = false;
      while (!isOver && !stop.signal.aborted) {
        isOver = await read(jobId, last, stop.signal, (event) =>
          setFollowed((before) => reduceEvent(before, event)),
        ).catch((error: unknown) => error instanceof Problem && error.status < 500);
        if (!isOver) await waited(RECONNECT_MS);
      }
    };
    void follow();
    return () => stop.abort();
  }, [jobId]);
  return followed;
}
