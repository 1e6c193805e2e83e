/** The console's addresses; each page is fetched when it is first opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { coming } from "./shell/coming";
import { FailedPage } from "./shell/failed";
import { LostPage } from "./shell/lost";
import { Shell } from "./shell/shell";
import { begun } from "./ui/offset";

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
    coming(() => import("./home/page")),
    "HomePage",
  ),
});
const uploads = createRoute({
  ...at("/uploads"),
  component: lazyRouteComponent(
    coming(() => import("./uploads/page")),
    "UploadsPage",
  ),
  validateSearch: begun,
});
export const uploadRoute = createRoute({
  ...at("/uploads/$uploadId"),
  component: lazyRouteComponent(
    coming(() => import("./uploads/detail")),
    "UploadPage",
  ),
  validateSearch: texts("tab", "file"),
});
const databases = createRoute({
  ...at("/databases"),
  component: lazyRouteComponent(
    coming(() => import("./connections/page")),
    "DatabasesPage",
  ),
  validateSearch: begun,
});
const database = createRoute({
  ...at("/databases/$connectionId"),
  component: lazyRouteComponent(
    coming(() => import("./connections/detail")),
    "DatabasePage",
  ),
});
const models = createRoute({
  ...at("/models"),
  component: lazyRouteComponent(
    coming(() => import("./models/page")),
    "ModelsPage",
  ),
  validateSearch: begun,
});
const newModel = createRoute({
  ...at("/new-model"),
  component: lazyRouteComponent(
    coming(() => import("./models/planning/new")),
    "NewModelPage",
  ),
  validateSearch: texts("dataset"),
});
const model = createRoute({
  ...at("/models/$modelName"),
  component: lazyRouteComponent(
    coming(() => import("./models/detail")),
    "ModelPage",
  ),
  validateSearch: texts("tab", "scored", "version"),
});
const ask = createRoute({
  ...at("/ask"),
  component: lazyRouteComponent(
    coming(() => import("./ask/page")),
    "AskPage",
  ),
  validateSearch: texts("upload"),
});
const jobs = createRoute({
  ...at("/jobs"),
  component: lazyRouteComponent(
    coming(() => import("./jobs/page")),
    "JobsPage",
  ),
  validateSearch: begun,
});
const keys = createRoute({
  ...at("/keys"),
  component: lazyRouteComponent(
    coming(() => import("./keys/page")),
    "KeysPage",
  ),
  validateSearch: begun,
});
const usage = createRoute({
  ...at("/usage"),
  component: lazyRouteComponent(
    coming(() => import("./usage/page")),
    "UsagePage",
  ),
});
const audit = createRoute({
  ...at("/audit"),
  component: lazyRouteComponent(
    coming(() => import("./audit/page")),
    "AuditPage",
  ),
  validateSearch: begun,
});

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    uploads,
    uploadRoute,
    databases,
    database,
    models,
    newModel,
    model,
    ask,
    jobs,
    keys,
    usage,
    audit,
  ]),
  basepath: "/console",
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultNotFoundComponent: LostPage,
  defaultErrorComponent: FailedPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
