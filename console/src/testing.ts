/** Prepares the tests' document: the parts of a browser that happy-dom lacks, one language. */
class NoObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver = NoObserver;
