/** What was imported from a database, and when it is imported again. */
import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "../api/client";
import { inConsoleTerms } from "../api/console-terms";
import { ingestionsQuery, isIngesting } from "../api/queries";
import { WriteAccess } from "../session/write-access";
import { Confirm } from "../ui/confirm";
import { LinkAnchor } from "../ui/links";
import { plural } from "../ui/number-format";
import { ProblemNote } from "../ui/problem-note";
import { RelativeTime } from "../ui/relative-time";
import { Status } from "../ui/status";
import { scheduleWords } from "./schedules";

type Ingestion = Schemas["Ingestion"];

export function Ingestions({ connectionId }: { connectionId: string }) {
  const query = useQuery(ingestionsQuery);
  const own = query.data?.ingestions.filter((one) => one.connection_id === connectionId) ?? [];
  if (query.error) return <ProblemNote error={query.error} />;
  if (own.length === 0) return null;
  return (
    <Card component="section" aria-label="Imports">
      <Title order={2} fz="lg" mb="sm">
        Imports
      </Title>
      <Stack gap="md">
        {own.map((ingestion) => (
          <Line key={ingestion.ingestion_id} ingestion={ingestion} />
        ))}
      </Stack>
    </Card>
  );
}

function Line({ ingestion }: { ingestion: Ingestion }) {
  const { dataset_name, upload_id, table, query, status, error } = ingestion;
  return (
    <Group component="article" justify="space-between" align="flex-start" gap="xs">
      <div style={{ flex: "1 1 260px", minWidth: 0 }}>
        <Group gap="xs">
          {upload_id ? (
            <LinkAnchor
              className="row-link"
              to="/uploads/$uploadId"
              params={{ uploadId: upload_id }}
            >
              {dataset_name}
            </LinkAnchor>
          ) : (
            <Text fw={600}>{dataset_name}</Text>
          )}
          <Status value={status} />
        </Group>
        <Text size="sm" c="dimmed" className="long">
          {table ? `From ${table}` : "From a query"}
          <Facts ingestion={ingestion} />
        </Text>
        {query ? (
          <Text size="xs" ff="monospace" lineClamp={3} title={query} className="long">
            {query}
          </Text>
        ) : null}
        {error ? (
          <Text size="sm" c="red" className="long">
            {inConsoleTerms(error)}
          </Text>
        ) : null}
      </div>
      <Actions ingestion={ingestion} />
    </Group>
  );
}

function Facts({ ingestion }: { ingestion: Ingestion }) {
  const { rows, schedule, completed_at, next_run_at } = ingestion;
  return (
    <>
      , {scheduleWords(schedule)}
      {rows === null ? "" : `, ${plural(rows, "row")}`}
      {completed_at ? (
        <>
          , <RelativeTime at={completed_at} />
        </>
      ) : null}
      {next_run_at ? (
        <>
          ; next <RelativeTime at={next_run_at} />
        </>
      ) : null}
    </>
  );
}

function Actions({ ingestion }: { ingestion: Ingestion }) {
  const { ingestion_id, dataset_name, schedule } = ingestion;
  const queries = useQueryClient();
  const params = { path: { ingestion_id } };
  const refresh = () => queries.invalidateQueries({ queryKey: ["ingestions"] });
  const again = useMutation({
    mutationFn: () => unwrap(api.POST("/database/ingest/{ingestion_id}/retrigger", { params })),
    onSettled: refresh,
  });
  return (
    <Group gap={4}>
      <WriteAccess>
        <Button
          size="compact-sm"
          variant="subtle"
          loading={again.isPending}
          disabled={isIngesting(ingestion)}
          onClick={() => again.mutate()}
        >
          Re-import
        </Button>
      </WriteAccess>
      <Confirm
        compact
        label={schedule ? "End" : "Remove"}
        title={`${schedule ? "End the schedule of" : "Remove the entry of"} ${dataset_name}?`}
        act={() => unwrap(api.DELETE("/database/ingest/{ingestion_id}", { params }))}
        onDone={() => void refresh()}
      >
        What was imported stays as data.
      </Confirm>
      <ProblemNote error={again.error} />
    </Group>
  );
}
