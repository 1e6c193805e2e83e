import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { cleanup, fireEvent, render, screen } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { credentials, setCredentials } from "./credentials";
import { SignIn } from "./sign-in";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  setCredentials({ way: "none", why: "" });
});

const refusal = (message: string, said?: string) =>
  Response.json(
    {
      error: {
        code: "unauthorized",
        status: 401,
        message,
        ...(said ? { details: [{ field: "code", message: said }] } : {}),
      },
    },
    { status: 401 },
  );
const needed = () =>
  refusal("Send a code of your second factor too.", "is required: this account has one.");
const wrong = () => refusal("The code is wrong or was used.", "is wrong, or was used before.");
const session = () => Response.json({ user_id: "user_1", level: "admin", csrf_token: "t" });

const input = (label: string) =>
  screen.getByLabelText(label, { exact: false, selector: "input:not([type=radio])" });
const type = (label: string, value: string) =>
  fireEvent.change(input(label), { target: { value } });
const submit = () => fireEvent.click(screen.getByRole("button", { name: "Sign in" }));

/** Shows the form; gives what each try sent. */
function shown(...answers: (() => Response)[]) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (asked: Request | string, init?: RequestInit) => {
    if (asked !== "/console/session" || init?.method !== "POST") {
      return Response.json({ single_sign_on: null });
    }
    sent.push(JSON.parse(String(init.body)));
    return answers.shift()?.();
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <SignIn />
      </QueryClientProvider>
    </MantineProvider>,
  );
  type("E-mail", "ann@example.org");
  type("Password", "correct horse battery");
  return sent;
}

const ANN = { email: "ann@example.org", password: "correct horse battery" };

it("asks for no code where the account has no second factor", async () => {
  const sent = shown(session);
  expect(screen.queryByLabelText("Code", { exact: false })).toBeNull();
  submit();
  await vi.waitFor(() => expect(credentials().way).toBe("cookie"));
  expect(sent).toEqual([ANN]);
});

it("asks for the code once the server needs one, says at it what is wrong, and sends it", async () => {
  const sent = shown(needed, wrong, session);
  submit();
  await screen.findByText("Is required: this account has one.");
  expect(screen.queryByRole("alert")).toBeNull();
  const code = input("Code");
  expect(document.activeElement).toBe(code);
  expect(code.getAttribute("autocomplete")).toBe("one-time-code");
  expect(code.getAttribute("inputmode")).toBe("text"); // recovery codes have letters

  type("Code", "000000");
  submit();
  await screen.findByText("Is wrong, or was used before.");
  expect(screen.queryByRole("alert")).toBeNull();
  expect(document.activeElement).toBe(code);
  expect(code).toHaveProperty("value", "");

  type("Code", " abcd-efgh-ijkl-mnop ");
  submit();
  await vi.waitFor(() => expect(credentials().way).toBe("cookie"));
  expect(sent).toEqual([ANN, { ...ANN, code: "000000" }, { ...ANN, code: "abcd-efgh-ijkl-mnop" }]);
});

it("keeps the code of one account from another", async () => {
  const sent = shown(needed, () => refusal("The e-mail or the password is wrong."));
  submit();
  await screen.findByText("Is required: this account has one.");
  type("Code", "123456");
  type("E-mail", "bob@example.org");
  expect(screen.queryByLabelText("Code", { exact: false })).toBeNull();
  submit();
  await screen.findByText("The e-mail or the password is wrong.");
  expect(sent[1]).toEqual({ ...ANN, email: "bob@example.org" });
});
