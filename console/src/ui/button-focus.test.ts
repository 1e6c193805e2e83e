import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { restoreButtonFocus } from "./button-focus";

beforeAll(restoreButtonFocus);

let button: HTMLButtonElement;
beforeEach(() => {
  button = document.createElement("button");
  document.body.append(button);
  button.focus();
});
afterEach(() => button.remove());

/** What a browser does where a button is disabled that has the focus, a frame later: the page has the focus. */
async function wait() {
  button.disabled = true;
  await new Promise((resolve) => setTimeout(resolve, 20));
  const other = document.createElement("input");
  document.body.append(other);
  other.focus();
  other.remove();
}

it("gives a button that waited its focus back", async () => {
  await wait();
  expect(document.activeElement).toBe(document.body);
  button.disabled = false;
  await vi.waitFor(() => expect(document.activeElement).toBe(button));
});

it("leaves the focus where it went meanwhile", async () => {
  await wait();
  const field = document.createElement("input");
  document.body.append(field);
  field.focus();
  button.disabled = false;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(document.activeElement).toBe(field);
  field.remove();
});
