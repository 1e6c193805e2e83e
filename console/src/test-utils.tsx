/** Shows a page in a test as the console does, at an address of its own. */
import { MantineProvider } from "@mantine/core";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import {
  createMemoryHistory,
  createRootRoute,
  createRouter,
  type RouteComponent,
  RouterProvider,
} from "@tanstack/react-router";
import { render } from "@testing-library/react";

import { listSearch } from "./ui/list-search";

export function renderPage(component: RouteComponent, address = "/") {
  const router = createRouter({
    routeTree: createRootRoute({ component, validateSearch: listSearch }),
    history: createMemoryHistory({ initialEntries: [address] }),
  });
  render(
    <MantineProvider>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>,
  );
  return router;
}
