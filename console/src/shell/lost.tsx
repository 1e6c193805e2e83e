/** An address that leads nowhere. */
import { IconCompass } from "@tabler/icons-react";
import { Empty } from "../ui/empty";
import { LinkButton } from "../ui/links";

export function LostPage() {
  return (
    <Empty
      icon={IconCompass}
      title="There is nothing here"
      action={<LinkButton to="/">Go home</LinkButton>}
    >
      The address is mistyped, or what it showed was deleted.
    </Empty>
  );
}
