/** From what is typed into a form to a database to be stored. */
import type { Schemas } from "../api/client";

export type Kind = Schemas["CreateConnection"]["type"];

export interface FormValues {
  name: string;
  kind: Kind;
  host: string;
  port: string;
  database: string;
  username: string;
  password: string;
  security: string;
}

export const EMPTY: FormValues = {
  name: "",
  kind: "postgresql",
  host: "",
  port: "",
  database: "",
  username: "",
  password: "",
  security: "prefer",
};

export const KINDS: Record<Kind, { label: string; port: string }> = {
  postgresql: { label: "PostgreSQL", port: "5432" },
  mysql: { label: "MySQL", port: "3306" },
  sqlite: { label: "SQLite", port: "" },
};

export const SECURITY = [
  { value: "prefer", label: "Encrypted if the server can" },
  { value: "require", label: "Encrypted" },
  { value: "verify-full", label: "Encrypted, and the server’s certificate checked" },
  { value: "disable", label: "Not encrypted" },
];

/** A file needs no server; what was typed for one before is left out. */
export function connectionOf(typed: FormValues): Schemas["CreateConnection"] {
  const { kind, password, port, security } = typed;
  const [name, host, database, username] = [
    typed.name.trim(),
    typed.host.trim(),
    typed.database.trim(),
    typed.username.trim(),
  ];
  if (kind === "sqlite") return { name: name || database, type: kind, database };
  return {
    name: name || database,
    type: kind,
    host,
    port: port ? Number(port) : null,
    database,
    username,
    password: password || null,
    options: { sslmode: security },
  };
}

export function isComplete({ kind, host, database, username }: FormValues): boolean {
  const isServed = kind === "sqlite" || (host.trim() !== "" && username.trim() !== "");
  return isServed && database.trim() !== "";
}

/** Where a stored database is, in a line. */
export function locationOf({ host, port, database }: Schemas["Connection"]): string {
  if (!host) return database;
  return `${database} on ${host}${port ? `:${port}` : ""}`;
}
