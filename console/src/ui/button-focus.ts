/** A button that waits for an answer is disabled meanwhile, and loses the focus; this gives it back. */
export function restoreButtonFocus() {
  let waiting: Node | undefined;
  const see = (button: Node) => {
    const { activeElement, body } = document;
    if (!(button instanceof HTMLButtonElement)) return;
    if (button.disabled && button === activeElement) waiting = button;
    if (button.disabled || button !== waiting) return;
    if (activeElement === body) button.focus({ preventScroll: true });
    waiting = undefined;
  };
  const watcher = new MutationObserver((changes) => {
    for (const { target } of changes) see(target);
  });
  watcher.observe(document, { subtree: true, attributeFilter: ["disabled"] });
}
