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

type Entries = Schemas["AuditEntry"][];
type Names = [id: string, name: string][];

const MOST = 100;
/** What is gone, or another account's, is asked for once. */
const ONCE = { refetchInterval: false, retry: false } as const;

/** Ids of a kind that stand in entries, each once. */
function idsOf(entries: Entries, prefix: string) {
  const all = entries.flatMap(({ resource, key_id }) => [resource, key_id ?? ""]);
  return [...new Set(all)].filter((id) => id.startsWith(prefix));
}

const namesIn = <T>(list: (T | undefined)[] | undefined, pair: (one: T) => Names[0]): Names =>
  (list ?? []).flatMap((one) => (one === undefined ? [] : [pair(one)]));

/** Names out of lists; each is asked for where an id of its kind stands in entries. */
function useListed(entries: Entries): Names {
  const has = (...prefixes: string[]) => prefixes.some((one) => idsOf(entries, one).length > 0);
  const users = useQuery({ ...usersQuery(0, MOST), enabled: has("user_") });
  const keys = useQuery({ ...keysQuery(0, MOST), enabled: has("key_") });
  const sessions = useQuery({ ...sessionsQuery, enabled: has("sess_") });
  const trash = useQuery({ ...trashQuery(0, MOST), enabled: has("upload_", "model_") });
  return [
    ...namesIn(users.data?.users, (one) => [one.user_id, one.email]),
    ...namesIn(keys.data?.keys, (one) => [one.key_id, one.name]),
    ...namesIn(sessions.data?.sessions, (one) => [one.session_id, one.name]),
    ...namesIn(trash.data?.items, (one) => [one.item_id, one.name]),
  ];
}

/** Names of what is asked for by its id. */
function useAsked(entries: Entries): Names {
  const uploads = useQueries({
    queries: idsOf(entries, "upload_").map((id) => ({ ...uploadQuery(id), ...ONCE })),
    combine: (found) => found.map(({ data }) => data),
  });
  const connections = useQueries({
    queries: idsOf(entries, "conn_").map((id) => ({ ...connectionQuery(id), ...ONCE })),
    combine: (found) => found.map(({ data }) => data),
  });
  const exports = useQueries({
    queries: idsOf(entries, "exp_").map((id) => ({ ...exportQuery(id), ...ONCE })),
    combine: (found) => found.map(({ data }) => data),
  });
  return [
    ...namesIn(uploads, (one) => [one.upload_id, one.name]),
    ...namesIn(connections, (one) => [one.connection_id, one.name]),
    ...namesIn(exports, (one) => [one.export_id, one.files[0]?.filename ?? one.export_id]),
  ];
}

/** The models that deployments are of, as their addresses say. */
const modelsOf = (entries: Entries): Names =>
  entries.flatMap(({ resource, path }): Names => {
    const model = /^\/models\/([^/]+)\//.exec(path)?.[1];
    return model && resource.startsWith("dep_") ? [[resource, decodeURIComponent(model)]] : [];
  });

/** Tells the name of an id; nothing where there is none, or where it is another account's. */
export function useNames(entries: Entries): (id: string) => string | undefined {
  const names = new Map([...useListed(entries), ...useAsked(entries), ...modelsOf(entries)]);
  return (id) => names.get(id);
}
