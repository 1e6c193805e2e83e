/** Code that is fetched; where it does not come as the server is away, that is the fault. */
export const coming =
  <T>(load: () => Promise<T>) =>
  () =>
    load().catch(async (fault: unknown) => {
      await fetch("/data/health");
      throw fault;
    });
