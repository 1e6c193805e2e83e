/** A table of values that scrolls by itself; numbers stand right, gaps are quiet. */
import { ScrollArea, Table, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { plain, rounded } from "./words";

interface GridProps {
  columns: string[];
  rows: unknown[][];
  isNumber?: (column: string, index: number) => boolean;
  maxHeight?: number;
  /** Where the rows begin; others are looked at from their top. */
  offset?: number;
}

export function Grid({
  columns,
  rows,
  isNumber = () => false,
  maxHeight = 520,
  offset = 0,
}: GridProps) {
  const viewport = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other rows are shown
  useEffect(() => {
    viewport.current?.scrollTo({ top: 0 });
  }, [offset]);
  const side = columns.map((column, index) => (isNumber(column, index) ? "right" : "left"));
  return (
    <ScrollArea.Autosize
      mah={maxHeight}
      viewportRef={viewport}
      type="auto"
      offsetScrollbars="present"
      viewportProps={{ tabIndex: 0, role: "region", "aria-label": "Rows" }}
    >
      <Table
        stickyHeader
        striped
        verticalSpacing={6}
        fz="sm"
        style={{ whiteSpace: "nowrap" }}
        className="number"
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column, index) => (
              <Table.Th key={column} ta={side[index] ?? "left"}>
                {column}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map((row, number) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table have no other name
            <Table.Tr key={number}>
              {columns.map((column, index) => (
                <Table.Td key={column} ta={side[index] ?? "left"} maw={320}>
                  <Cell value={row[index]} />
                </Table.Td>
              ))}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollArea.Autosize>
  );
}

function Cell({ value }: { value: unknown }) {
  if (value === null || value === undefined || value === "") {
    return (
      <Text span c="dimmed" size="sm">
        –
      </Text>
    );
  }
  const whole = typeof value === "object" ? JSON.stringify(value) : plain(String(value));
  const text = typeof value === "number" ? rounded(value) : whole;
  const isCut = text.length > 40 || text.length < whole.length;
  return (
    <Text span size="sm" truncate display="block" title={isCut ? whole : undefined}>
      {text}
    </Text>
  );
}
