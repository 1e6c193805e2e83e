/** What a page says that needs data, where there is none yet. */
import { Card } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { WriteAccess } from "../session/write-access";
import { Empty } from "../ui/empty";
import { LinkButton } from "../ui/links";

export function NeedsData({ children }: { children: string }) {
  return (
    <Card>
      <Empty
        icon={IconDatabase}
        title="No data yet"
        action={
          <WriteAccess>
            <LinkButton to="/uploads">Upload a table</LinkButton>
          </WriteAccess>
        }
      >
        {children}
      </Empty>
    </Card>
  );
}
