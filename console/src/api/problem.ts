/** The API's refusals: what it said, where, and the request to ask the operator about. */
import { inConsoleTerms } from "./console-terms";

export interface Detail {
  field: string;
  message: string;
}

export class Problem extends Error {
  override readonly name = "Problem";

  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    readonly details: readonly Detail[] = [],
    readonly requestId: string | undefined = undefined,
    /** Seconds after which it may be tried again. */
    readonly retryAfter: number | undefined = undefined,
  ) {
    super(message);
  }
}

interface ErrorBody {
  error: {
    code: string;
    message: string;
    status: number;
    details?: Detail[];
    request_id?: string;
  };
}

function isErrorBody(body: unknown): body is ErrorBody {
  return (
    typeof body === "object" &&
    body !== null &&
    "error" in body &&
    typeof body.error === "object" &&
    body.error !== null &&
    "message" in body.error
  );
}

const OFFLINE = "absent";
const OFFLINE_MESSAGE = "The server can't be reached; is it running?";

/** What a proxy answers for a server that is away. */
const PROXY_STATUSES = new Set([502, 503, 504]);

/** Reads a refused answer; one that is not the API's own is told by its status. */
export async function problemOf(response: Response): Promise<Problem> {
  const body: unknown = await response.json().catch(() => undefined);
  if (isErrorBody(body)) {
    const { message, status, code, details, request_id } = body.error;
    const after = Number(response.headers.get("Retry-After")) || undefined;
    return new Problem(message, status, code, details, request_id, after);
  }
  const answer = `${response.status} ${response.statusText}`.trim();
  const sentence = PROXY_STATUSES.has(response.status)
    ? `The server can't be reached; what stands before it answered ${answer}.`
    : `The server answered ${answer}.`;
  const code = PROXY_STATUSES.has(response.status) ? OFFLINE : "unknown";
  return new Problem(sentence, response.status, code);
}

/** Fetches; that nothing of the server was reached is a `Problem` too. */
export const fetchOrProblem: typeof fetch = (...asked) =>
  fetch(...asked).catch((fault: unknown) => {
    throw fault instanceof TypeError ? new Problem(OFFLINE_MESSAGE, 0, OFFLINE) : fault;
  });

/** Whether the server was not reached, or only what stands before it. */
export const isOffline = (error: unknown) => error instanceof Problem && error.code === OFFLINE;

/** Asks whether the server is there; tells that it is not. */
export async function checkOffline(): Promise<unknown> {
  const problem = await fetchOrProblem("/data/health").then(
    (response) => (response.ok ? undefined : problemOf(response)),
    (fault: unknown) => fault,
  );
  return isOffline(problem) ? problem : undefined;
}

/** What a refusal says of one field, as it stands alone beside it. */
export function fieldError(error: unknown, field: string): string | undefined {
  if (!(error instanceof Problem)) return undefined;
  const told = error.details.find((detail) => detail.field === field)?.message;
  const message = told && inConsoleTerms(told);
  // A name that it begins with stays as it is.
  return message
    ?.replace(/^[a-z]+(?=\s)/, (word) => word.charAt(0).toUpperCase() + word.slice(1))
    .replace(/`([^`]+)`/g, "$1");
}

/** A refusal, unless these fields of a form say all of it. */
export function formError(error: Error | null, fields: readonly string[]): Error | null {
  if (!(error instanceof Problem) || error.details.length === 0) return error;
  return error.details.every(({ field }) => fields.includes(field)) ? null : error;
}

/** Says what went wrong in a sentence for people. */
export function messageOf(error: unknown): string {
  if (error instanceof TypeError) return OFFLINE_MESSAGE;
  return error instanceof Error ? inConsoleTerms(error.message) : "Something went wrong.";
}
