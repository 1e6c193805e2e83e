/** The columns a model learns from; before it is built, each may be left out and used again. */
import { Badge, Button, Group, Text } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { whole } from "../../ui/words";

export interface Choosing {
  leftOut: string[];
  onLeaveOut: (column: string) => void;
  onUseAgain: (column: string) => void;
}

interface LearnsFromProps {
  features: string[];
  choosing?: Choosing | undefined;
}

const SHOWN = 60;

export function LearnsFrom({ features, choosing }: LearnsFromProps) {
  const rest = features.length - SHOWN;
  // The last one stays: a model learns from one column at least.
  const isFixed = !choosing || features.length === 1;
  return (
    <>
      <Columns title="Learns from">
        {features.slice(0, SHOWN).map((feature) =>
          isFixed ? (
            <Badge key={feature} color="gray" fw={500}>
              {feature}
            </Badge>
          ) : (
            <Choice
              key={feature}
              column={feature}
              verb="Leave out"
              icon={IconX}
              onClick={choosing.onLeaveOut}
            />
          ),
        )}
        {rest > 0 ? (
          <Text size="sm" c="dimmed">
            and {whole(rest)} more
          </Text>
        ) : null}
      </Columns>
      {choosing && choosing.leftOut.length > 0 ? (
        <Columns title="Left out by you">
          {choosing.leftOut.map((column) => (
            <Choice
              key={column}
              column={column}
              verb="Use again"
              icon={IconPlus}
              onClick={choosing.onUseAgain}
            />
          ))}
        </Columns>
      ) : null}
    </>
  );
}

function Columns({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600} mb={6}>
        {title}
      </Text>
      <Group gap={6}>{children}</Group>
    </section>
  );
}

interface ChoiceProps {
  column: string;
  verb: string;
  icon: typeof IconX;
  onClick: (column: string) => void;
}

function Choice({ column, verb, icon: Icon, onClick }: ChoiceProps) {
  return (
    <Button
      size="compact-xs"
      variant="default"
      maw="100%"
      rightSection={<Icon size={12} aria-hidden />}
      aria-label={`${verb} ${column}`}
      title={`${verb} ${column}`}
      onClick={() => onClick(column)}
    >
      {column}
    </Button>
  );
}
