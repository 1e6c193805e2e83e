/** The console's addresses; each page is fetched when it is first opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { lazyImport } from "./shell/lazy";
import { NotFoundPage } from "./shell/not-found";
import { PageError } from "./shell/page-error";
import { Shell } from "./shell/shell";
import { listSearch } from "./ui/list-search";

const root = createRootRoute({ component: Shell });

const at = <P extends string>(path: P) => ({ getParentRoute: () => root, path });

/** Takes texts out of an address by their names. */
function texts<K extends string>(...names: K[]) {
  return (search: Record<string, unknown>) => {
    const found: { [name in K]?: string } = {};
    for (const name of names) {
      const text = search[name];
      if (typeof text === "string") found[name] = text;
    }
    return found;
  };
}

const home = createRoute({
  ...at("/"),
  component: lazyRouteComponent(
    lazyImport(() => import("./home/page")),
    "HomePage",
  ),
});
const uploads = createRoute({
  ...at("/uploads"),
  component: lazyRouteComponent(
    lazyImport(() => import("./uploads/page")),
    "UploadsPage",
  ),
  validateSearch: listSearch,
});
export const uploadRoute = createRoute({
  ...at("/uploads/$uploadId"),
  component: lazyRouteComponent(
    lazyImport(() => import("./uploads/detail")),
    "UploadPage",
  ),
  validateSearch: texts("tab", "file"),
});
const catalog = createRoute({
  ...at("/uploads/$uploadId/catalog"),
  component: lazyRouteComponent(
    lazyImport(() => import("./catalog/page")),
    "CatalogPage",
  ),
});
const exported = createRoute({
  ...at("/exports/$exportId"),
  component: lazyRouteComponent(
    lazyImport(() => import("./exports/page")),
    "ExportPage",
  ),
});
const databases = createRoute({
  ...at("/databases"),
  component: lazyRouteComponent(
    lazyImport(() => import("./connections/page")),
    "DatabasesPage",
  ),
  validateSearch: listSearch,
});
const database = createRoute({
  ...at("/databases/$connectionId"),
  component: lazyRouteComponent(
    lazyImport(() => import("./connections/detail")),
    "DatabasePage",
  ),
});
const models = createRoute({
  ...at("/models"),
  component: lazyRouteComponent(
    lazyImport(() => import("./models/page")),
    "ModelsPage",
  ),
  validateSearch: listSearch,
});
const newModel = createRoute({
  ...at("/new-model"),
  component: lazyRouteComponent(
    lazyImport(() => import("./models/builds/new-model")),
    "NewModelPage",
  ),
  validateSearch: texts("dataset"),
});
const model = createRoute({
  ...at("/models/$modelName"),
  component: lazyRouteComponent(
    lazyImport(() => import("./models/detail")),
    "ModelPage",
  ),
  validateSearch: texts("tab", "scored", "version"),
});
const ask = createRoute({
  ...at("/ask"),
  component: lazyRouteComponent(
    lazyImport(() => import("./questions/page")),
    "AskPage",
  ),
  validateSearch: texts("upload", "with"),
});
const jobs = createRoute({
  ...at("/jobs"),
  component: lazyRouteComponent(
    lazyImport(() => import("./jobs/page")),
    "JobsPage",
  ),
  validateSearch: listSearch,
});
const keys = createRoute({
  ...at("/keys"),
  component: lazyRouteComponent(
    lazyImport(() => import("./keys/page")),
    "KeysPage",
  ),
  validateSearch: listSearch,
});
const security = createRoute({
  ...at("/security"),
  component: lazyRouteComponent(
    lazyImport(() => import("./security/page")),
    "SecurityPage",
  ),
  validateSearch: listSearch,
});
const users = createRoute({
  ...at("/users"),
  component: lazyRouteComponent(
    lazyImport(() => import("./users/page")),
    "UsersPage",
  ),
  validateSearch: listSearch,
});
const trash = createRoute({
  ...at("/trash"),
  component: lazyRouteComponent(
    lazyImport(() => import("./trash/page")),
    "TrashPage",
  ),
  validateSearch: listSearch,
});
const usage = createRoute({
  ...at("/usage"),
  component: lazyRouteComponent(
    lazyImport(() => import("./usage/page")),
    "UsagePage",
  ),
});
const audit = createRoute({
  ...at("/audit"),
  component: lazyRouteComponent(
    lazyImport(() => import("./audit/page")),
    "AuditPage",
  ),
  validateSearch: listSearch,
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    uploads,
    uploadRoute,
    catalog,
    exported,
    databases,
    database,
    models,
    newModel,
    model,
    ask,
    jobs,
    keys,
    security,
    users,
    trash,
    usage,
    audit,
  ]),
  basepath: "/console",
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultNotFoundComponent: NotFoundPage,
  defaultErrorComponent: PageError,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
