/** What the console asks of the API, by subject; pages share these and invalidate by key. */
import { QueryClient, queryOptions } from "@tanstack/react-query";
import { api, call, type Schemas, unwrap } from "./client";
import { isOffline, Problem } from "./problem";

const MAX_RETRY_AFTER_SECONDS = 60;

const retryAfterOf = (error: Error) => (error instanceof Problem ? error.retryAfter : undefined);

/** Faults may pass, and so does a rate that was exceeded; other refusals stay. */
export function shouldRetry(count: number, error: Error): boolean {
  if (count >= 2) return false;
  if (!(error instanceof Problem) || error.status >= 500 || isOffline(error)) return true;
  return (
    error.status === 429 &&
    (retryAfterOf(error) ?? Number.POSITIVE_INFINITY) <= MAX_RETRY_AFTER_SECONDS
  );
}

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      retry: shouldRetry,
      retryDelay: (count, error) => 1000 * (retryAfterOf(error) ?? 2 ** count),
    },
  },
});

const POLL_MS = 1_000;
const FAST_POLLS = 10;
export const PAGE_SIZE = 20;

export type Job = Schemas["JobDetail"] & {
  model_name?: string;
  model_version?: string;
  upload_id?: string;
  ingestion_id?: string;
  connection_id?: string;
};
export type Upload = Schemas["Upload"];
export type Model = Schemas["ModelDetail"];

export const isLive = (status: string) =>
  ["PENDING", "RUNNING", "DRAFT", "BUILDING", "DEPLOYING", "UNDEPLOYING", "processing"].includes(
    status,
  );

/** Asks again while something is under way: every second at first, then with patience. */
const pollInterval = (
  statuses: string[] | undefined,
  { dataUpdateCount }: { dataUpdateCount: number },
) => (statuses?.some(isLive) ? POLL_MS * (dataUpdateCount < FAST_POLLS ? 1 : 4) : false);

/** Both states that a model or a version is shown with: of its build, and of its deployment. */
const statesOf = (shown: { status: string; deployment_status?: string | null }) => [
  shown.status,
  shown.deployment_status ?? "",
];

export const userQuery = queryOptions({
  queryKey: ["user"],
  queryFn: () => unwrap(api.GET("/auth/user")),
});

export interface Health {
  status: "ok" | "degraded";
  version: string;
  checks: Record<string, { status: string; latency_ms?: number; message?: string }>;
}

export const healthQuery = queryOptions({
  queryKey: ["health"],
  queryFn: () => call<Health>("GET", "/data/health"),
  staleTime: 30_000,
});

export const uploadsQuery = (offset = 0, limit = PAGE_SIZE, name = "") =>
  queryOptions({
    queryKey: ["uploads", { offset, limit, name }],
    queryFn: () => unwrap(api.GET("/uploads", { params: { query: { offset, limit, name } } })),
    refetchInterval: ({ state }) =>
      pollInterval(
        state.data?.uploads.map((upload) => upload.status),
        state,
      ),
  });

/** The newest uploads that can be worked with, of a name that has what was typed. */
export const readyUploadsQuery = (name = "") =>
  queryOptions({
    queryKey: ["uploads", "ready", name],
    queryFn: () =>
      unwrap(
        api.GET("/uploads", { params: { query: { limit: PAGE_SIZE, status: "complete", name } } }),
      ),
  });

export const uploadQuery = (upload_id: string) =>
  queryOptions({
    queryKey: ["uploads", upload_id],
    queryFn: () => unwrap(api.GET("/uploads/{upload_id}", { params: { path: { upload_id } } })),
    refetchInterval: ({ state }) => pollInterval(state.data && [state.data.status], state),
  });

export const datasetVersionsQuery = (dataset_name: string) =>
  queryOptions({
    queryKey: ["uploads", "versions", dataset_name],
    queryFn: () =>
      unwrap(
        api.GET("/uploads/datasets/{dataset_name}/versions", {
          params: { path: { dataset_name } },
        }),
      ),
  });

/** The catalog of the dataset that an upload is a version of. */
export const catalogQuery = (upload_id: string) =>
  queryOptions({
    queryKey: ["catalog", upload_id],
    queryFn: () =>
      unwrap(
        api.GET("/data/catalog/{dataset_name}", {
          params: { path: { dataset_name: upload_id } },
        }),
      ),
  });

export const previewQuery = (upload_id: string, filename: string, offset: number, limit = 20) =>
  queryOptions({
    queryKey: ["preview", upload_id, filename, offset, limit],
    queryFn: () =>
      unwrap(
        api.GET("/data/uploads/{upload_id}/files/{filename}/preview", {
          params: { path: { upload_id, filename }, query: { offset, limit } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const trashQuery = (offset = 0, limit = PAGE_SIZE) =>
  queryOptions({
    queryKey: ["trash", { offset, limit }],
    queryFn: () => unwrap(api.GET("/trash", { params: { query: { offset, limit } } })),
  });

export const modelsQuery = (offset = 0, limit = PAGE_SIZE) =>
  queryOptions({
    queryKey: ["models", { offset, limit }],
    queryFn: () => unwrap(api.GET("/models", { params: { query: { offset, limit } } })),
    refetchInterval: ({ state }) => pollInterval(state.data?.models.flatMap(statesOf), state),
  });

export const modelQuery = (model_name: string) =>
  queryOptions({
    queryKey: ["models", model_name],
    queryFn: () => unwrap(api.GET("/models/{model_name}", { params: { path: { model_name } } })),
    refetchInterval: ({ state }) => pollInterval(state.data && statesOf(state.data), state),
  });

export const versionsQuery = (model_name: string) =>
  queryOptions({
    queryKey: ["models", model_name, "versions"],
    queryFn: () =>
      unwrap(
        api.GET("/models/{model_name}/versions", {
          params: { path: { model_name }, query: { limit: 100 } },
        }),
      ),
    refetchInterval: ({ state }) => pollInterval(state.data?.versions.flatMap(statesOf), state),
  });

export const describeQuery = (model_name: string, model_version: string) =>
  queryOptions({
    queryKey: ["models", model_name, model_version, "describe"],
    queryFn: () =>
      unwrap(
        api.GET("/models/{model_name}/{model_version}/describe", {
          params: { path: { model_name, model_version } },
        }),
      ),
    staleTime: Number.POSITIVE_INFINITY,
  });

/** A card is a page too where one is asked for, so that the document leaves its type open. */
export const cardQuery = (model_name: string, model_version: string) =>
  queryOptions({
    queryKey: ["models", model_name, model_version, "card"],
    queryFn: () => call<Schemas["ModelCard"]>("GET", `/models/${model_name}/${model_version}/card`),
    staleTime: Number.POSITIVE_INFINITY,
  });

export const monitoringQuery = (model_name: string, model_version: string, window_hours: number) =>
  queryOptions({
    queryKey: ["models", model_name, model_version, "monitoring", window_hours],
    queryFn: () =>
      unwrap(
        api.GET("/models/{model_name}/{model_version}/monitoring", {
          params: { path: { model_name, model_version }, query: { window_hours } },
        }),
      ),
    // What is asked is counted within a second or two; who waits for the first sees it come.
    refetchInterval: ({ state }) => (state.data?.rows === 0 ? 4 * POLL_MS : 60_000),
  });

export const deploymentsQuery = (model_name: string) =>
  queryOptions({
    queryKey: ["models", model_name, "deployments"],
    queryFn: () =>
      unwrap(api.GET("/models/{model_name}/deployments", { params: { path: { model_name } } })),
    refetchInterval: ({ state }) =>
      pollInterval(
        state.data?.deployments.map((deployment) => deployment.status),
        state,
      ),
  });

export const endpointsQuery = (model_name: string) =>
  queryOptions({
    queryKey: ["models", model_name, "endpoints"],
    queryFn: () =>
      unwrap(api.GET("/models/{model_name}/endpoints", { params: { path: { model_name } } })),
    // The first one comes with the end of the first build.
    refetchInterval: ({ state }) => (state.data?.endpoints.length === 0 ? 4 * POLL_MS : false),
  });

export const endpointHistoryQuery = (model_name: string, environment: string) =>
  queryOptions({
    queryKey: ["models", model_name, "endpoints", environment, "history"],
    queryFn: () =>
      unwrap(
        api.GET("/models/{model_name}/endpoints/{environment}/history", {
          params: { path: { model_name, environment }, query: { limit: PAGE_SIZE } },
        }),
      ),
  });

/** Addresses of files live minutes: while they are shown, they are asked for anew in time. */
const ADDRESS_RENEWAL_MIN_MS = 5_000;

function addressRenewal(files: Schemas["ExportedFile"][] = []): number | false {
  const ends = files.map((file) => Date.parse(file.download_url_expires_at));
  if (ends.length === 0) return false;
  return Math.max(ADDRESS_RENEWAL_MIN_MS, (Math.min(...ends) - Date.now()) / 2);
}

export const exportQuery = (export_id: string) =>
  queryOptions({
    queryKey: ["exports", export_id],
    queryFn: () => unwrap(api.GET("/data/export/{export_id}", { params: { path: { export_id } } })),
    refetchInterval: ({ state }) =>
      pollInterval(state.data && [state.data.status], state) || addressRenewal(state.data?.files),
  });

type JobKind = Schemas["Kind"];

export const jobsQuery = (offset = 0, limit = PAGE_SIZE, kind?: JobKind) =>
  queryOptions({
    queryKey: ["jobs", { offset, limit, kind }],
    queryFn: () => unwrap(api.GET("/jobs", { params: { query: { offset, limit, kind } } })),
    refetchInterval: ({ state }) =>
      pollInterval(
        state.data?.jobs.map((job) => job.status),
        state,
      ),
  });

export const analysisQuery = (job_id: string) =>
  queryOptions({
    queryKey: ["analyses", job_id],
    queryFn: () => unwrap(api.GET("/data/analysis/{job_id}", { params: { path: { job_id } } })),
    refetchInterval: ({ state }) => (state.data?.status === "pending" ? POLL_MS : false),
  });

export const connectionsQuery = (offset = 0) =>
  queryOptions({
    queryKey: ["connections", { offset }],
    queryFn: () =>
      unwrap(api.GET("/database/connections", { params: { query: { offset, limit: PAGE_SIZE } } })),
  });

const ofConnection = (connection_id: string) => ({ path: { connection_id } });

export const connectionQuery = (connection_id: string) =>
  queryOptions({
    queryKey: ["connections", connection_id],
    queryFn: () =>
      unwrap(
        api.GET("/database/connections/{connection_id}", { params: ofConnection(connection_id) }),
      ),
  });

/** Asks the database itself; what it refuses now is not tried again by itself. */
export const tablesQuery = (connection_id: string, offset: number) =>
  queryOptions({
    queryKey: ["connections", connection_id, "tables", offset],
    queryFn: () =>
      unwrap(
        api.GET("/database/connections/{connection_id}/tables", {
          params: { ...ofConnection(connection_id), query: { offset, limit: 100 } },
        }),
      ),
    staleTime: 60_000,
    retry: false,
  });

export const isIngesting = ({ status }: Schemas["Ingestion"]) =>
  status === "pending" || status === "running";

/** The newest ingestions of all databases. */
export const ingestionsQuery = queryOptions({
  queryKey: ["ingestions"],
  queryFn: () => unwrap(api.GET("/database/ingest", { params: { query: { limit: 100 } } })),
  refetchInterval: ({ state }) => (state.data?.ingestions.some(isIngesting) ? POLL_MS : false),
});

export const keysQuery = (offset = 0, limit = PAGE_SIZE) =>
  queryOptions({
    queryKey: ["keys", { offset, limit }],
    queryFn: () => unwrap(api.GET("/auth/api-keys", { params: { query: { offset, limit } } })),
  });

export const secondFactorQuery = queryOptions({
  queryKey: ["security", "second-factor"],
  queryFn: () => unwrap(api.GET("/auth/second-factor")),
});

/** Who is signed in to the console; sessions of data are others. */
export const consoleSessionsQuery = queryOptions({
  queryKey: ["security", "sessions"],
  queryFn: () => unwrap(api.GET("/auth/sessions")),
});

export const securityLogQuery = (offset = 0) =>
  queryOptions({
    queryKey: ["security", "log", offset],
    queryFn: () =>
      unwrap(api.GET("/auth/security-log", { params: { query: { offset, limit: PAGE_SIZE } } })),
  });

export const usageQuery = queryOptions({
  queryKey: ["usage"],
  queryFn: () => unwrap(api.GET("/usage")),
});

export const sessionsQuery = queryOptions({
  queryKey: ["sessions"],
  queryFn: () => unwrap(api.GET("/data/sessions", { params: { query: { limit: 100 } } })),
});

export const machinesQuery = queryOptions({
  queryKey: ["machines"],
  queryFn: () => unwrap(api.GET("/machines", { params: { query: { limit: PAGE_SIZE } } })),
});

export const usersQuery = (offset: number, limit = PAGE_SIZE) =>
  queryOptions({
    queryKey: ["users", { offset, limit }],
    queryFn: () => unwrap(api.GET("/users", { params: { query: { offset, limit } } })),
  });

export const auditQuery = (offset: number, resource: string) =>
  queryOptions({
    queryKey: ["audit", { offset, resource }],
    queryFn: () =>
      unwrap(
        api.GET("/audit", {
          params: { query: { offset, limit: PAGE_SIZE, ...(resource ? { resource } : {}) } },
        }),
      ),
  });
