import { useQuery } from "@tanstack/react-query";
import { cleanup, fireEvent, screen, within } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { catalogQuery } from "../api/queries";
import { renderPage } from "../test-utils";
import { Loaded } from "../ui/page";
import { CatalogView } from "./page";
import type { Catalog, CatalogItem, CatalogPatch } from "./terms";

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

const inferred = (value: CatalogItem["value"], reason: string | null = null): CatalogItem => ({
  value,
  inferred: value,
  reason,
  corrected: false,
});

const SHOP: Catalog = {
  dataset_name: "shop",
  version: "v1.0",
  upload_id: "upload_1",
  updated_at: null,
  tables: [
    {
      name: "orders",
      file: "orders.csv",
      rows: 10,
      row_nouns: inferred(["orders"], "the table is called so"),
      key: inferred("order_id"),
      default_date: inferred("ordered_on", "it is the only column of dates"),
      default_filter: inferred(""),
      columns: [
        {
          name: "quantity",
          type: "integer",
          label: inferred("quantity", "it is called so"),
          role: inferred("measure", "it holds numbers"),
          additivity: inferred("sum", "it holds amounts"),
          unit: inferred(""),
          format: inferred(""),
          private: inferred(false),
          synonyms: [
            { words: "pieces", origin: "verified_question", query_id: "qry_1", value: null },
          ],
        },
      ],
    },
  ],
  relationships: [
    {
      table: "orders",
      column: "customer_id",
      to_table: "customers",
      to_column: "customer_id",
      role: "billing",
      orphans: 3,
      reason: "its name leads to customers",
      corrected: false,
    },
  ],
  metrics: [
    {
      name: "revenue",
      table: "orders",
      expression: "sum(quantity * unit_price)",
      synonyms: ["sales"],
      filter: "",
      reason: "quantity counts units",
      corrected: false,
    },
  ],
  time_zone: inferred("UTC", "it is the default"),
  first_day_of_week: inferred(1, "it is the default"),
  first_month_of_fiscal_year: inferred(1, "it is the default"),
  not_in_use: [],
};

function Shop() {
  const query = useQuery(catalogQuery("upload_1"));
  return (
    <Loaded query={query}>
      {(catalog) => <CatalogView uploadId="upload_1" catalog={catalog} />}
    </Loaded>
  );
}

/** A server that keeps the catalog; `answer` tells what a correction is answered with. */
function shown(answer: (patch: CatalogPatch) => Response, catalog = SHOP) {
  const said: CatalogPatch[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    if (request.method === "GET") return Response.json(catalog);
    const patch = (await request.json()) as CatalogPatch;
    said.push(patch);
    return answer(patch);
  });
  renderPage(Shop);
  return said;
}

const section = async (name: string) => within(await screen.findByRole("region", { name }));
const inDialog = async () => within(await screen.findByRole("dialog"));

it("shows what was inferred and why", async () => {
  shown(() => Response.json(SHOP));
  const orders = await section("orders");
  orders.getByText("Inferred: it is the only column of dates");
  orders.getByText("Measure");
  orders.getByText("Inferred: it holds numbers");
  orders.getByText(/pieces/);
  orders.getByText(/from a verified question/);
  const keys = await section("Foreign keys");
  keys.getByText("billing");
  keys.getByText("3");
  const metrics = await section("Metrics");
  metrics.getByText("Inferred: quantity counts units");
  expect(metrics.queryByRole("button", { name: "Remove revenue" })).toBeNull();
  expect(orders.getByText("Default filter").nextSibling?.textContent).toBe("None");
  (await section("Calendar")).getAllByText("Inferred: it is the default");
});

it("says only what was corrected, and shows what came of it", async () => {
  const quantity = { value: "EUR", inferred: "", reason: null, corrected: true };
  const corrected = structuredClone(SHOP);
  const [orders] = corrected.tables;
  if (orders?.columns[0]) orders.columns[0].unit = quantity;
  const said = shown(() => Response.json(corrected));
  fireEvent.click((await section("orders")).getByRole("button", { name: "Correct quantity" }));
  const dialog = await inDialog();
  fireEvent.change(dialog.getByLabelText("Unit"), { target: { value: "EUR" } });
  fireEvent.click(dialog.getByRole("button", { name: "Save" }));
  await (await section("orders")).findByText("EUR");
  expect(said).toEqual([{ tables: { orders: { columns: { quantity: { unit: "EUR" } } } } }]);
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("shows how the texts of a date are written, and takes it", async () => {
  const dated = structuredClone(SHOP);
  const [orders] = dated.tables;
  const [quantity] = orders?.columns ?? [];
  if (!orders || !quantity) throw new Error("The shop has a column.");
  orders.columns.push({
    ...quantity,
    name: "sold_on",
    role: inferred("date", "it holds dates"),
    format: inferred("%d/%m/%Y", "it holds texts that are dates"),
  });
  const said = shown(() => Response.json(dated), dated);
  const card = await section("orders");
  card.getByText("%d/%m/%Y");
  fireEvent.click(card.getByRole("button", { name: "Correct sold_on" }));
  const dialog = await inDialog();
  fireEvent.change(dialog.getByLabelText("Format"), { target: { value: "%m/%d/%Y" } });
  fireEvent.click(dialog.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(said).toEqual([{ tables: { orders: { columns: { sold_on: { format: "%m/%d/%Y" } } } } }]);
});

it("keeps the dialog open where a correction is refused, and says why", async () => {
  const message = "there is no column named 'price'";
  shown(() =>
    Response.json(
      {
        error: {
          code: "validation_failed",
          status: 422,
          message: `metrics.margin.expression: ${message}`,
          details: [{ field: "metrics.margin.expression", message }],
        },
      },
      { status: 422 },
    ),
  );
  fireEvent.click((await section("Metrics")).getByRole("button", { name: "New metric" }));
  const dialog = await inDialog();
  const type = (name: RegExp, value: string) =>
    fireEvent.change(dialog.getByLabelText(name), { target: { value } });
  type(/^Name/, "margin");
  type(/^Expression/, "sum(price)");
  fireEvent.click(dialog.getByRole("button", { name: "Save" }));
  await dialog.findByText(/no column named 'price'/);
});

it("rejects an inferred metric and shows it as rejected", async () => {
  const [revenue] = SHOP.metrics;
  const rejected = { ...SHOP, metrics: [], rejected_metrics: revenue ? [revenue] : [] };
  const said = shown(() => Response.json(rejected));
  fireEvent.click((await section("Metrics")).getByRole("button", { name: "Reject revenue" }));
  await (await section("Metrics")).findByRole("button", { name: "Restore revenue" });
  expect(said).toEqual([{ metrics: { revenue: "none" } }]);
});

it("says anew as what a key leads to a table, and rejects it", async () => {
  const said = shown(() => Response.json(SHOP));
  const keys = await section("Foreign keys");
  fireEvent.click(keys.getByRole("button", { name: "Correct the key orders.customer_id" }));
  const dialog = await inDialog();
  fireEvent.change(dialog.getByLabelText("Role"), { target: { value: "shipping" } });
  fireEvent.click(dialog.getByRole("button", { name: "Save" }));
  await vi.waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  fireEvent.click(keys.getByRole("button", { name: "Reject the key orders.customer_id" }));
  await vi.waitFor(() => expect(said).toHaveLength(2));
  const references = { table: "customers", column: "customer_id", role: "shipping" };
  const of = (told: unknown) => ({
    tables: { orders: { columns: { customer_id: { references: told } } } },
  });
  expect(said).toEqual([of(references), of("none")]);
});
