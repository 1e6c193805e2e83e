/** Starts the console. */
import "@mantine/core/styles.css";
import "./console.css";
import { MantineProvider } from "@mantine/core";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { queryClient } from "./api/queries";
import { router } from "./router";
import { SessionGate } from "./session/gate";
import { theme } from "./theme";
import { restoreButtonFocus } from "./ui/button-focus";

const root = document.getElementById("root");
if (root) {
  restoreButtonFocus();
  // The page's code comes while the session is asked for.
  void router.load();
  createRoot(root).render(
    <StrictMode>
      <MantineProvider theme={theme} defaultColorScheme="auto">
        <QueryClientProvider client={queryClient}>
          <SessionGate>
            <RouterProvider router={router} />
          </SessionGate>
        </QueryClientProvider>
      </MantineProvider>
    </StrictMode>,
  );
}
