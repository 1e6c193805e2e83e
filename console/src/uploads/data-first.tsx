/** What a page says that needs data, where there is none yet. */
import { Card } from "@mantine/core";
import { IconDatabase } from "@tabler/icons-react";
import { Writing } from "../session/writing";
import { Empty } from "../ui/empty";
import { LinkButton } from "../ui/links";

export function DataFirst({ children }: { children: string }) {
  return (
    <Card>
      <Empty
        icon={IconDatabase}
        title="Data comes first"
        action={
          <Writing>
            <LinkButton to="/uploads">Upload a table</LinkButton>
          </Writing>
        }
      >
        {children}
      </Empty>
    </Card>
  );
}
