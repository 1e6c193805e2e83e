/** Code that is fetched; where it does not come as the server is away, that is the fault. */
import { absence } from "../api/problem";

export const coming =
  <T>(load: () => Promise<T>) =>
  () =>
    load().catch(async (fault: unknown) => {
      throw (await absence()) ?? fault;
    });
