/** All datasets. */
import { Table, Text, TextInput } from "@mantine/core";
import { IconDatabase, IconSearch } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { PAGE_SIZE, type Upload, uploadsQuery } from "../api/queries";
import { useCanWrite, WriteAccess } from "../session/write-access";
import { Empty } from "../ui/empty";
import { LinkAnchor, LinkButton } from "../ui/links";
import { useFind, useOffset } from "../ui/list-search";
import { ListTable } from "../ui/list-table";
import { Name } from "../ui/name";
import { bytes, plural, whole } from "../ui/number-format";
import { Loaded, Page } from "../ui/page";
import { Pager } from "../ui/pager";
import { RelativeTime } from "../ui/relative-time";
import { Status } from "../ui/status";
import { Dropzone } from "./dropzone";
import { useUploadQueue } from "./upload-queue";
import { UploadQueueList } from "./upload-queue-list";

export function UploadsPage() {
  const [offset, setOffset] = useOffset();
  const [typed, name, type] = useFind();
  const isIdle = useUploadQueue().length === 0;
  const query = useQuery({
    ...uploadsQuery(offset, PAGE_SIZE, name),
    placeholderData: keepPreviousData,
  });
  return (
    <Page
      title="Data"
      about="Files become tables that you can ask, and that models learn from."
      actions={
        <WriteAccess>
          <LinkButton to="/databases" variant="default">
            Import from a database
          </LinkButton>
        </WriteAccess>
      }
    >
      <Dropzone />
      <UploadQueueList />
      <Loaded query={query}>
        {({ uploads, pagination }) => (
          <>
            {typed || pagination.total > PAGE_SIZE ? (
              <TextInput
                aria-label="Find by name"
                placeholder="Find by name"
                leftSection={<IconSearch size={16} aria-hidden />}
                maw={320}
                value={typed}
                onChange={(event) => type(event.currentTarget.value)}
              />
            ) : null}
            {pagination.total > 0 ? <UploadTable uploads={uploads} /> : null}
            {pagination.total === 0 && (isIdle || name) ? <NoUploads name={name} /> : null}
            <Pager pagination={pagination} onChange={setOffset} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function NoUploads({ name }: { name: string }) {
  const mayWrite = useCanWrite();
  if (name) return <Text c="dimmed">Nothing here has “{name}” in its name.</Text>;
  return (
    <Empty icon={IconDatabase} title="No data yet">
      {mayWrite
        ? "Drop a table above. It is checked, typed and ready in seconds; nothing leaves this server."
        : "This key may only read, so it cannot upload."}
    </Empty>
  );
}

function UploadTable({ uploads }: { uploads: Upload[] }) {
  return (
    <ListTable
      columns={[
        "Name",
        "Status",
        { title: "Rows", ta: "right" },
        { title: "Size", ta: "right", visibleFrom: "md" },
        { title: "Added", visibleFrom: "sm" },
      ]}
      hasLinks
    >
      {uploads.map((upload) => (
        <UploadRow key={upload.upload_id} upload={upload} />
      ))}
    </ListTable>
  );
}

function UploadRow({ upload }: { upload: Upload }) {
  const rows = upload.files.map((file) => file.rows);
  const isCounted = rows.every((count) => count !== null);
  const about = [
    upload.dataset_version,
    upload.files.length > 1 ? plural(upload.files.length, "file") : null,
  ]
    .filter(Boolean)
    .join(" · ");
  const size = upload.files.reduce((sum, file) => sum + (file.size_bytes ?? 0), 0);
  return (
    <Table.Tr>
      <Table.Td>
        <LinkAnchor
          className="row-link"
          to="/uploads/$uploadId"
          params={{ uploadId: upload.upload_id }}
          lineClamp={2}
          title={upload.name}
        >
          <Name>{upload.name}</Name>
        </LinkAnchor>
        {about ? (
          <Text size="xs" c="dimmed">
            {about}
          </Text>
        ) : null}
      </Table.Td>
      <Table.Td>
        <Status value={upload.status} />
      </Table.Td>
      <Table.Td ta="right" className="number">
        {isCounted ? whole(rows.reduce<number>((sum, count) => sum + (count ?? 0), 0)) : "–"}
      </Table.Td>
      <Table.Td ta="right" className="number short" visibleFrom="md">
        {bytes(size)}
      </Table.Td>
      <Table.Td className="short" visibleFrom="sm">
        <RelativeTime at={upload.created_at} />
      </Table.Td>
    </Table.Tr>
  );
}
