/** A dataset's catalog: what its tables and columns were inferred to mean, why, and how to correct it. */
import { Alert, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { catalogQuery } from "../api/queries";
import { LoadedOrNotFound } from "../shell/not-found";
import { LinkButton } from "../ui/links";
import { Page } from "../ui/page";
import { Calendar } from "./calendar";
import { Metrics } from "./metrics";
import { Relationships } from "./relationships";
import { TableCard } from "./table-card";
import type { Catalog } from "./terms";

export function CatalogPage() {
  const { uploadId } = useParams({ from: "/uploads/$uploadId/catalog" });
  const query = useQuery(catalogQuery(uploadId));
  return (
    <LoadedOrNotFound query={query}>
      {(catalog) => <CatalogView uploadId={uploadId} catalog={catalog} />}
    </LoadedOrNotFound>
  );
}

export function CatalogView({ uploadId, catalog }: { uploadId: string; catalog: Catalog }) {
  return (
    <Page
      title={`Catalog of ${catalog.dataset_name}`}
      about="How questions understand this data. It is inferred from names and values; what you correct wins, and holds for later versions."
      above={{ to: "/uploads", label: "Data" }}
      actions={
        <LinkButton variant="default" to="/uploads/$uploadId" params={{ uploadId }}>
          Show the data
        </LinkButton>
      }
    >
      {catalog.not_in_use.map(({ field, message }) => (
        <Alert key={field} color="yellow" title={field}>
          <Text size="sm">{message}</Text>
        </Alert>
      ))}
      <Calendar uploadId={uploadId} catalog={catalog} />
      {catalog.tables.map((table) => (
        <TableCard key={table.name} uploadId={uploadId} table={table} />
      ))}
      <Relationships uploadId={uploadId} catalog={catalog} />
      <Metrics uploadId={uploadId} catalog={catalog} />
    </Page>
  );
}
