/** Which columns point to rows of other tables, how many rows point nowhere, and how to correct it. */
import { Card, Group, Table, Text, Title } from "@mantine/core";
import { TableHead } from "../ui/list-table";
import { Name } from "../ui/name";
import { whole } from "../ui/number-format";
import { CorrectAtOnce } from "./correct";
import { KeyForm } from "./key-form";
import { type Catalog, type CatalogKey, keyPatch } from "./terms";

interface RelationshipsProps {
  uploadId: string;
  catalog: Catalog;
}

export function Relationships({ uploadId, catalog }: RelationshipsProps) {
  const rejected = catalog.rejected_relationships ?? [];
  return (
    <Card component="section" aria-label="Foreign keys">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz="md">
          Foreign keys
        </Title>
        <KeyForm uploadId={uploadId} catalog={catalog} />
      </Group>
      {catalog.relationships.length + rejected.length === 0 ? (
        <Text c="dimmed" size="sm">
          No foreign keys. The values of such a column name rows of a table, so that both can be
          joined.
        </Text>
      ) : (
        <Table>
          <TableHead
            columns={["Column", "References", { title: "Role", visibleFrom: "sm" }, "Orphans"]}
            hasActions
          />
          <Table.Tbody>
            {catalog.relationships.map((one) => (
              <KeyRow key={nameOf(one)} uploadId={uploadId} catalog={catalog} relationship={one} />
            ))}
            {rejected.map((one) => (
              <KeyRow
                key={nameOf(one)}
                uploadId={uploadId}
                catalog={catalog}
                relationship={one}
                isRejected
              />
            ))}
          </Table.Tbody>
        </Table>
      )}
      <Text size="xs" c="dimmed" mt="xs">
        Orphans are rows whose value names no row of the other table.
      </Text>
    </Card>
  );
}

const nameOf = ({ table, column, to_table, to_column }: CatalogKey) =>
  `${table}.${column} ${to_table}.${to_column}`;

interface KeyRowProps extends RelationshipsProps {
  relationship: CatalogKey;
  isRejected?: boolean;
}

/** What can be done with a key at once: a corrected one is as it was inferred, an inferred one goes. */
function deedOf(isRejected: boolean, isCorrected: boolean) {
  if (isRejected) return { label: "Restore", said: null };
  return isCorrected ? { label: "Undo", said: null } : { label: "Reject", said: "none" as const };
}

function KeyRow({ uploadId, catalog, relationship, isRejected = false }: KeyRowProps) {
  const { table, column, to_table, to_column, ...key } = relationship;
  const { label, said } = deedOf(isRejected, key.corrected);
  const origin = key.corrected && !isRejected ? "Corrected" : `Inferred: ${key.reason}`;
  return (
    <Table.Tr c={isRejected ? "dimmed" : undefined}>
      <Table.Td className="long">
        <Name>{`${table}.${column}`}</Name>
      </Table.Td>
      <Table.Td className="long">
        <Name>{`${to_table}.${to_column}`}</Name>
        <Text size="xs" c="dimmed">
          {isRejected ? `Rejected; ${origin}` : origin}
        </Text>
      </Table.Td>
      <Table.Td visibleFrom="sm">{key.role || "–"}</Table.Td>
      <Table.Td className="number">
        {key.orphans === null ? "not counted" : whole(key.orphans)}
      </Table.Td>
      <Table.Td>
        <Group gap="xs" justify="flex-end">
          {isRejected ? null : (
            <KeyForm uploadId={uploadId} catalog={catalog} relationship={relationship} />
          )}
          <CorrectAtOnce
            uploadId={uploadId}
            label={label}
            heard={`${label} the key ${table}.${column}`}
            patch={keyPatch(table, column, said)}
          />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
