/** Names of what entries of the audit log have ids of, where they are known. */
import { useQueries, useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import {
  connectionQuery,
  exportQuery,
  keysQuery,
  sessionsQuery,
  trashQuery,
  uploadQuery,
  usersQuery,
} from "../api/queries";

const MOST = 100;

/** Ids of a kind that stand in entries, each once. */
export function idsOf(entries: Schemas["AuditEntry"][], prefix: string) {
  const all = entries.flatMap(({ resource, key_id }) => [resource, key_id ?? ""]);
  return [...new Set(all)].filter((id) => id.startsWith(prefix));
}

/** Tells the name of an id; nothing where there is none, or where it is another account's. */
export function useNames(entries: Schemas["AuditEntry"][]): (id: string) => string | undefined {
  const has = (...prefixes: string[]) => prefixes.some((one) => idsOf(entries, one).length > 0);
  const users = useQuery({ ...usersQuery(0, MOST), enabled: has("user_") });
  const keys = useQuery({ ...keysQuery(0, MOST), enabled: has("key_") });
  const trash = useQuery({ ...trashQuery(0, MOST), enabled: has("upload_", "model_") });
  const once = { refetchInterval: false, retry: false } as const;
  const uploads = useQueries({
    queries: idsOf(entries, "upload_").map((id) => ({ ...uploadQuery(id), ...once })),
  });
  const connections = useQueries({
    queries: idsOf(entries, "conn_").map((id) => ({ ...connectionQuery(id), ...once })),
  });
  const exports = useQueries({
    queries: idsOf(entries, "exp_").map((id) => ({ ...exportQuery(id), ...once })),
  });
  const sessions = useQuery({ ...sessionsQuery, enabled: has("sess_") });
  const names = new Map<string, string>();
  for (const one of users.data?.users ?? []) names.set(one.user_id, one.email);
  for (const one of keys.data?.keys ?? []) names.set(one.key_id, one.name);
  for (const one of trash.data?.items ?? []) names.set(one.item_id, one.name);
  for (const { data } of uploads) if (data) names.set(data.upload_id, data.name);
  for (const { data } of connections) if (data) names.set(data.connection_id, data.name);
  for (const { data } of exports) {
    const [file] = data?.files ?? [];
    if (data && file) names.set(data.export_id, file.filename);
  }
  for (const { resource, path } of entries) {
    const [, model] = /^\/models\/([^/]+)\//.exec(path) ?? [];
    if (model && resource.startsWith("dep_")) names.set(resource, decodeURIComponent(model));
  }
  for (const one of sessions.data?.sessions ?? []) names.set(one.session_id, one.name);
  return (id) => names.get(id);
}
