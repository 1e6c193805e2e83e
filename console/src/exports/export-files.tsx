/** Files made to be taken away: that they are being made, then where they are and how long. */
import { Alert, Button, Card, Group, Loader, Stack, Text } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { inConsoleTerms } from "../api/console-terms";
import { exportQuery } from "../api/queries";
import { QueueStatus } from "../jobs/queue-status";
import { bytes } from "../ui/number-format";
import { Loaded } from "../ui/page";
import { ProblemNote } from "../ui/problem-note";
import { Sentence } from "../ui/sentence";
import { formatTime } from "../ui/time-format";

interface ExportFilesProps {
  exportId: string;
  kind: "export" | "scoring";
  /** What is being done, as a sentence. */
  busy: string;
  /** What did not come about. */
  fault: string;
}

export function ExportFiles({ exportId, kind, busy, fault }: ExportFilesProps) {
  const query = useQuery(exportQuery(exportId));
  return (
    <Loaded query={query} height={60}>
      {({ status, files, error }) => {
        if (status === "processing") {
          return (
            <Alert icon={<Loader size={18} />} role="status">
              {busy} This page follows by itself.
              <QueueStatus kind={kind} of={exportId} />
            </Alert>
          );
        }
        if (error) return <ProblemNote error={new Error(error)} title={fault} />;
        return (
          <Card component="section" aria-label="Files to download">
            <Stack gap="sm">
              {files.map((file) => (
                <Stack key={file.filename} gap="xs">
                  <Group justify="space-between">
                    <Text fw={600} className="long">
                      {file.filename}
                    </Text>
                    <Group gap="sm">
                      <Text size="sm" c="dimmed" className="number">
                        {bytes(file.size_bytes)}, here until {formatTime(file.expires_at, "date")}
                      </Text>
                      <Button
                        component="a"
                        href={file.download_url}
                        variant="default"
                        leftSection={<IconDownload size={16} aria-hidden />}
                      >
                        Download
                      </Button>
                    </Group>
                  </Group>
                  {file.notice ? (
                    <Text size="sm">
                      <Sentence>{inConsoleTerms(file.notice)}</Sentence>
                    </Text>
                  ) : null}
                </Stack>
              ))}
            </Stack>
          </Card>
        );
      }}
    </Loaded>
  );
}
