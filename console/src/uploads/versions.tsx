/** Which version of its dataset an upload is, and the way to the others. */
import { Group, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { datasetVersionsQuery, type Upload } from "../api/queries";
import { LinkAnchor } from "../ui/links";
import { RelativeTime } from "../ui/relative-time";

/** So many others are named, newest first. */
const NAMED = 5;

export function Versions({ upload: { name, upload_id } }: { upload: Upload }) {
  const { data } = useQuery(datasetVersionsQuery(name));
  const own = data?.versions.find((version) => version.upload_id === upload_id);
  const others = data?.versions.filter((version) => version !== own) ?? [];
  if (!own || others.length === 0) return null;
  const more = (data?.pagination.total ?? 0) - 1 - Math.min(others.length, NAMED);
  return (
    <Group gap="xs" component="section" aria-label="Versions">
      <Text size="sm" c="dimmed">
        This is {own.version} of the dataset; there {others.length > 1 ? "are" : "is"} also
      </Text>
      {others.slice(0, NAMED).map(({ version, upload_id: uploadId, created_at }) => (
        <Text key={uploadId} size="sm" c="dimmed">
          <LinkAnchor size="sm" to="/uploads/$uploadId" params={{ uploadId }}>
            {version}
          </LinkAnchor>{" "}
          (<RelativeTime at={created_at} />)
        </Text>
      ))}
      {more > 0 ? (
        <Text size="sm" c="dimmed">
          and {more} more
        </Text>
      ) : null}
    </Group>
  );
}
