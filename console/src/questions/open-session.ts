/** Opens a session over the tables of one upload or of several. */
import { api, type Schemas, unwrap } from "../api/client";

type Session = Schemas["SessionAnswer"];

/** The uploads whose tables a session holds, the first one first. */
export const uploadsOf = ({ upload_id, tables }: Session) => [
  ...new Set([upload_id, ...tables.map((table) => table.upload_id)]),
];

/** Finds the open session over these uploads, or opens one. */
export async function openSession(uploadIds: string[]): Promise<Session> {
  const [first = "", ...others] = uploadIds;
  if (others.length === 0)
    return unwrap(api.POST("/data/use-upload", { body: { upload_id: first } }));
  const { sessions } = await unwrap(
    api.GET("/data/sessions", { params: { query: { limit: 100 } } }),
  );
  const wanted = uploadIds.join();
  const open = sessions.find((one) => one.status === "ready" && uploadsOf(one).join() === wanted);
  const body = { upload_id: first, dataset_ids: others, expiration_hours: null };
  return open ?? unwrap(api.POST("/data/sessions", { body }));
}
