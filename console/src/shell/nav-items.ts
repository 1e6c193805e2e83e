/** Where one can go; what only operators may see is there for them alone. */
import {
  IconChartHistogram,
  IconDatabase,
  IconGauge,
  IconHistory,
  IconHome,
  IconKey,
  IconListCheck,
  IconMessageQuestion,
  IconPlugConnected,
  IconShieldLock,
  IconTrash,
} from "@tabler/icons-react";
import type { Credentials } from "../session/credentials";

const NAV_ITEMS = [
  { to: "/", label: "Home", icon: IconHome },
  { to: "/uploads", label: "Data", icon: IconDatabase },
  { to: "/databases", label: "Databases", icon: IconPlugConnected },
  { to: "/ask", label: "Ask", icon: IconMessageQuestion },
  { to: "/models", label: "Models", icon: IconChartHistogram },
  { to: "/jobs", label: "Jobs", icon: IconListCheck },
  { to: "/keys", label: "API keys", icon: IconKey },
  { to: "/security", label: "Security", icon: IconShieldLock },
  { to: "/usage", label: "Usage", icon: IconGauge },
  { to: "/trash", label: "Trash", icon: IconTrash },
  { to: "/audit", label: "Audit log", icon: IconHistory },
] as const;

export function navItemsFor(credentials: Credentials) {
  const isOperator = credentials.way !== "none" && credentials.level === "admin";
  return NAV_ITEMS.filter(({ to }) => to !== "/audit" || isOperator);
}
