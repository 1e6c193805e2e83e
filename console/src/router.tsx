/** The console's addresses; each page is fetched when it is first opened. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from "@tanstack/react-router";
import { LostPage } from "./shell/lost";
import { Shell } from "./shell/shell";
import { ProblemNote } from "./ui/problem-note";

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
  component: lazyRouteComponent(() => import("./home/page"), "HomePage"),
});
const uploads = createRoute({
  ...at("/uploads"),
  component: lazyRouteComponent(() => import("./uploads/page"), "UploadsPage"),
});
export const uploadRoute = createRoute({
  ...at("/uploads/$uploadId"),
  component: lazyRouteComponent(() => import("./uploads/detail"), "UploadPage"),
  validateSearch: texts("tab", "file"),
});
const databases = createRoute({
  ...at("/databases"),
  component: lazyRouteComponent(() => import("./connections/page"), "DatabasesPage"),
});
const database = createRoute({
  ...at("/databases/$connectionId"),
  component: lazyRouteComponent(() => import("./connections/detail"), "DatabasePage"),
});
const models = createRoute({
  ...at("/models"),
  component: lazyRouteComponent(() => import("./models/page"), "ModelsPage"),
});
const newModel = createRoute({
  ...at("/new-model"),
  component: lazyRouteComponent(() => import("./models/new"), "NewModelPage"),
  validateSearch: texts("dataset"),
});
const model = createRoute({
  ...at("/models/$modelName"),
  component: lazyRouteComponent(() => import("./models/detail"), "ModelPage"),
  validateSearch: texts("tab", "scored"),
});
const ask = createRoute({
  ...at("/ask"),
  component: lazyRouteComponent(() => import("./ask/page"), "AskPage"),
  validateSearch: texts("upload"),
});
const jobs = createRoute({
  ...at("/jobs"),
  component: lazyRouteComponent(() => import("./jobs/page"), "JobsPage"),
});
const keys = createRoute({
  ...at("/keys"),
  component: lazyRouteComponent(() => import("./keys/page"), "KeysPage"),
});
const usage = createRoute({
  ...at("/usage"),
  component: lazyRouteComponent(() => import("./usage/page"), "UsagePage"),
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
  ]),
  basepath: "/console",
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultNotFoundComponent: LostPage,
  defaultErrorComponent: ({ error }) => <ProblemNote error={error} title="This page failed" />,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
