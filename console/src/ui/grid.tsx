/** A table of values that scrolls by itself; numbers stand right, gaps are quiet, many columns come in parts. */
import { ScrollArea, Table, Text } from "@mantine/core";
import { useEffect, useRef } from "react";
import { fixed, rounded, sharedDigits } from "./number-format";
import { usePagedList } from "./paged-list";
import { Pager } from "./pager";
import { plain, tellsHour } from "./time-format";

interface GridProps {
  columns: string[];
  /** The unit of each column, where it is known. */
  units?: string[];
  rows: unknown[][];
  isNumber?: (column: string, index: number) => boolean;
  maxHeight?: number;
  /** Where the rows begin; others are looked at from their top. */
  offset?: number;
}

/** Longer names, such as questions of a survey, differ at the end and are shown on several lines. */
const MAX_HEADER_CHARACTERS = 36;

/** More columns at once would keep a browser busy for minutes. */
const MAX_COLUMNS = 50;

export function Grid({
  columns,
  units = [],
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
  const { part, pager } = usePagedList(columns, MAX_COLUMNS);
  const first = pager.pagination.offset;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns are shown
  useEffect(() => {
    viewport.current?.scrollTo({ left: 0 });
  }, [first]);
  const shown = part.map((name, place) => {
    const index = first + place;
    const side = isNumber(name, index) ? "right" : "left";
    const values = rows.map((row) => row[index]);
    const hasFractions = values.some(isFraction);
    const digits = sharedDigits(values);
    return { name, index, side, hasFractions, digits, hasHours: values.some(tellsHour) } as const;
  });
  return (
    <>
      <ScrollArea.Autosize
        mah={maxHeight}
        viewportRef={viewport}
        type="auto"
        offsetScrollbars="present"
        viewportProps={{ tabIndex: 0, role: "group", "aria-label": "Rows" }}
      >
        <Table
          stickyHeader
          striped
          stripedColor="var(--mantine-color-default-hover)"
          verticalSpacing={6}
          fz="sm"
          style={{ whiteSpace: "nowrap" }}
          className="number"
        >
          <Table.Thead>
            <Table.Tr>
              {shown.map(({ name, index, side }) => (
                <Table.Th
                  key={name}
                  ta={side}
                  maw={320}
                  bg="var(--console-card)"
                  style={{ verticalAlign: "bottom" }}
                >
                  <Heading name={units[index] ? `${name} (${units[index]})` : name} />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row, number) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: rows of a table have no other name
              <Table.Tr key={number}>
                {shown.map(({ name, index, side, hasFractions, digits, hasHours }) => (
                  <Table.Td key={name} ta={side} maw={320}>
                    <Cell
                      value={row[index]}
                      isAmount={hasFractions}
                      digits={digits}
                      hasHours={hasHours}
                    />
                  </Table.Td>
                ))}
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollArea.Autosize>
      {rows.length === 0 ? (
        <Text size="sm" c="dimmed" ta="center" py="md">
          There are no rows.
        </Text>
      ) : null}
      <Pager {...pager} of="columns" />
    </>
  );
}

const isFraction = (value: unknown) => typeof value === "number" && !Number.isInteger(value);

interface CellProps {
  value: unknown;
  /** Whole numbers alone may be years, or name something, and are left as they are. */
  isAmount?: boolean;
  /** So many digits stand behind the point in the whole column. */
  digits?: number | undefined;
  /** Whether the column tells moments of other hours than midnight. */
  hasHours?: boolean;
}

function Heading({ name }: { name: string }) {
  if (name.length <= MAX_HEADER_CHARACTERS) return <Cell value={name} />;
  return (
    <Text inherit lineClamp={4} miw={260} title={name} style={{ whiteSpace: "normal" }}>
      {name}
    </Text>
  );
}

function Cell({ value, isAmount = false, digits, hasHours = false }: CellProps) {
  if (value === null || value === undefined || value === "") {
    return (
      <Text span c="dimmed" size="sm">
        –
      </Text>
    );
  }
  const whole = typeof value === "object" ? JSON.stringify(value) : plain(String(value), hasHours);
  const spell = digits === undefined ? (of: number) => rounded(of, isAmount) : fixed(digits);
  const text = typeof value === "number" ? spell(value) : whole;
  const isCut = text.length > 40 || text.length < whole.length;
  return (
    <Text span inherit truncate display="block" title={isCut ? whole : undefined}>
      {text}
    </Text>
  );
}
