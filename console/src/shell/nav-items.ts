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
  IconUsers,
} from "@tabler/icons-react";
import type { Credentials } from "../session/credentials";

const NAV_GROUPS = [
  {
    title: "Work",
    items: [
      { to: "/", label: "Home", icon: IconHome },
      { to: "/uploads", label: "Data", icon: IconDatabase },
      { to: "/databases", label: "Databases", icon: IconPlugConnected },
      { to: "/ask", label: "Ask", icon: IconMessageQuestion },
      { to: "/models", label: "Models", icon: IconChartHistogram },
    ],
  },
  {
    title: "Activity",
    items: [
      { to: "/jobs", label: "Jobs", icon: IconListCheck },
      { to: "/usage", label: "Usage", icon: IconGauge },
      { to: "/trash", label: "Trash", icon: IconTrash },
      { to: "/audit", label: "Audit log", icon: IconHistory },
    ],
  },
  {
    title: "Settings",
    items: [
      { to: "/keys", label: "API keys", icon: IconKey },
      { to: "/security", label: "Security", icon: IconShieldLock },
      { to: "/users", label: "Users", icon: IconUsers },
    ],
  },
] as const;

const FOR_OPERATORS: readonly string[] = ["/audit", "/users"];

export function navGroupsFor(credentials: Credentials) {
  const isOperator = credentials.way !== "none" && credentials.level === "admin";
  return NAV_GROUPS.map(({ title, items }) => ({
    title,
    items: items.filter(({ to }) => isOperator || !FOR_OPERATORS.includes(to)),
  }));
}
