/** Code that is fetched; where it does not come as the server is away, that is the fault. */
import { checkOffline } from "../api/problem";

/** A page that is older lacks code since another console was built; one that is not would begin anew forever. */
const RELOAD_MIN_AGE_MS = 10_000;

export const lazyImport =
  <T>(load: () => Promise<T>) =>
  () =>
    load().catch(async (fault: unknown) => {
      const away = await checkOffline();
      if (!away && performance.now() > RELOAD_MIN_AGE_MS) {
        location.reload();
        return new Promise<never>(() => undefined);
      }
      throw away ?? fault;
    });
