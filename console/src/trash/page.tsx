/** Deleted models and datasets: restored, or removed for good. */
import { Badge, Button, Card, Group, Modal, Stack, Table, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { api, type Schemas, unwrap } from "../api/client";
import { Problem } from "../api/problem";
import { trashQuery } from "../api/queries";
import { WriteAccess } from "../session/write-access";
import { Confirm } from "../ui/confirm";
import { Empty } from "../ui/empty";
import { useOffset } from "../ui/list-search";
import { ListTable, PagedList } from "../ui/list-table";
import { Name } from "../ui/name";
import { bytes } from "../ui/number-format";
import { Page } from "../ui/page";
import { ProblemNote } from "../ui/problem-note";
import { RelativeTime } from "../ui/relative-time";

type Item = Schemas["TrashItem"];

const KINDS: Record<Item["kind"], string> = { model: "model", upload: "dataset" };

export function TrashPage() {
  const [offset, setOffset] = useOffset();
  const query = useQuery({ ...trashQuery(offset), placeholderData: keepPreviousData });
  const refresh = useRefresh();
  return (
    <Page
      title="Trash"
      about="What was deleted stays here for a while, and can be restored. Until it is gone for good, datasets count as stored."
      destructive={
        query.data && query.data.pagination.total > 0 ? (
          <Confirm
            label="Empty the trash"
            title="Empty the trash?"
            act={() => unwrap(api.DELETE("/trash"))}
            onDone={refresh}
          >
            Everything in it is removed for good, and cannot be restored any more.
          </Confirm>
        ) : null
      }
    >
      <PagedList
        query={query}
        onChange={setOffset}
        empty={
          <Card>
            <Empty icon={IconTrash} title="The trash is empty">
              Deleted models and datasets come here first.
            </Empty>
          </Card>
        }
      >
        {({ items }) => <TrashTable items={items} />}
      </PagedList>
    </Page>
  );
}

function TrashTable({ items }: { items: Item[] }) {
  return (
    <ListTable
      columns={[
        "Name",
        { title: "Kind", visibleFrom: "xs" },
        { title: "Size", visibleFrom: "md" },
        { title: "Deleted", visibleFrom: "sm" },
        { title: "Gone for good", visibleFrom: "sm" },
      ]}
      hasActions
    >
      {items.map((item) => (
        <TrashRow key={item.item_id} item={item} />
      ))}
    </ListTable>
  );
}

function TrashRow({ item }: { item: Item }) {
  const refresh = useRefresh();
  const { item_id } = item;
  return (
    <Table.Tr>
      <Table.Td fw={600} className="long">
        <Name>{item.name}</Name>
      </Table.Td>
      <Table.Td visibleFrom="xs">
        <Badge color="gray">{KINDS[item.kind]}</Badge>
      </Table.Td>
      <Table.Td className="number short" visibleFrom="md">
        {bytes(item.size_bytes)}
      </Table.Td>
      <Table.Td className="short" visibleFrom="sm">
        <RelativeTime at={item.deleted_at} />
      </Table.Td>
      <Table.Td className="short" visibleFrom="sm">
        <RelativeTime at={item.purge_at} />
      </Table.Td>
      <Table.Td ta="right">
        <Group gap="xs" justify="flex-end" wrap="nowrap">
          <WriteAccess>
            <Restore item={item} />
          </WriteAccess>
          <Confirm
            compact
            label="Delete for good"
            title={`Delete ${item.name} for good?`}
            act={() => unwrap(api.DELETE("/trash/{item_id}", { params: { path: { item_id } } }))}
            onDone={refresh}
          >
            It cannot be restored any more.
          </Confirm>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}

/** Restores at once; a model whose name is taken by now asks for another. */
function Restore({ item }: { item: Item }) {
  const refresh = useRefresh();
  const [isOpen, { open, close }] = useDisclosure();
  const [name, setName] = useState(item.name);
  const restore = useMutation({
    mutationFn: (model_name: string | null) =>
      unwrap(
        api.POST("/trash/{item_id}/restore", {
          params: { path: { item_id: item.item_id } },
          body: { model_name },
        }),
      ),
    onSuccess: () => {
      close();
      refresh();
    },
    onError: (fault) => {
      if (fault instanceof Problem && fault.status === 409) open();
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`Restore ${item.name}`}
        loading={restore.isPending}
        onClick={() => restore.mutate(null)}
      >
        Restore
      </Button>
      {isOpen ? null : <ProblemNote error={restore.error} />}
      <Modal opened={isOpen} onClose={close} title={<Name>{`Restore ${item.name}`}</Name>}>
        <Stack>
          <Text>Another model has this name by now. Give this one another name.</Text>
          <TextInput
            label="Name"
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <ProblemNote error={name === item.name ? null : restore.error} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button
              loading={restore.isPending}
              disabled={name.trim() === "" || name === item.name}
              onClick={() => restore.mutate(name.trim())}
            >
              Restore under this name
            </Button>
          </Group>
        </Stack>
      </Modal>
    </>
  );
}

function useRefresh() {
  const queries = useQueryClient();
  return () => {
    for (const key of ["trash", "models", "uploads"]) {
      void queries.invalidateQueries({ queryKey: [key] });
    }
  };
}
