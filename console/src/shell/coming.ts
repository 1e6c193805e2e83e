/** Code that is fetched; where it does not come as the server is away, that is the fault. */
import { absence } from "../api/problem";

/** A page that is older lacks code since another console was built; one that is not would begin anew forever. */
const YOUNG_MS = 10_000;

export const coming =
  <T>(load: () => Promise<T>) =>
  () =>
    load().catch(async (fault: unknown) => {
      const away = await absence();
      if (!away && performance.now() > YOUNG_MS) {
        location.reload();
        return new Promise<never>(() => undefined);
      }
      throw away ?? fault;
    });
