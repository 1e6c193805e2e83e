/** The entries of a list as a table, and the list gone through page by page. */
import { Card, Table, type TableThProps } from "@mantine/core";
import type { ReactNode } from "react";
import type { Schemas } from "../api/client";
import { Loaded } from "./page";
import { Pager } from "./pager";

/** A column by its title, and how its heading is laid out where that is not as usual. */
type Column = string | ({ title: string } & Pick<TableThProps, "ta" | "visibleFrom" | "w">);

interface TableHeadProps {
  columns: Column[];
  /** Whether a last column without a visible title holds buttons. */
  hasActions?: boolean;
}

export function TableHead({ columns, hasActions = false }: TableHeadProps) {
  return (
    <Table.Thead>
      <Table.Tr>
        {columns.map((column) => {
          const { title, ...layout } = typeof column === "string" ? { title: column } : column;
          return (
            <Table.Th key={title} {...layout}>
              {title}
            </Table.Th>
          );
        })}
        {hasActions ? (
          <Table.Th>
            <span className="only-heard">Actions</span>
          </Table.Th>
        ) : null}
      </Table.Tr>
    </Table.Thead>
  );
}

interface ListTableProps extends TableHeadProps {
  /** Whether a row leads to a page of its own. */
  hasLinks?: boolean;
  children: ReactNode;
}

export function ListTable({
  columns,
  hasActions = false,
  hasLinks = false,
  children,
}: ListTableProps) {
  return (
    <Card p={0}>
      <Table highlightOnHover={hasLinks} horizontalSpacing="lg">
        <TableHead columns={columns} hasActions={hasActions} />
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </Card>
  );
}

interface PagedListProps<T> {
  query: { data: T | undefined; error: Error | null };
  onChange: (offset: number) => void;
  /** Shown where the list has no entry at all. */
  empty: ReactNode;
  /** What is gone through, where it is not the page's own list. */
  of?: string;
  children: (page: T) => ReactNode;
}

export function PagedList<T extends { pagination: Schemas["Pagination"] }>({
  query,
  onChange,
  empty,
  children,
  ...pager
}: PagedListProps<T>) {
  return (
    <Loaded query={query}>
      {(page) => (
        <>
          {page.pagination.total > 0 ? children(page) : empty}
          <Pager pagination={page.pagination} onChange={onChange} {...pager} />
        </>
      )}
    </Loaded>
  );
}
