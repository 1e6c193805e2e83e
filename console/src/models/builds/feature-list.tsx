/** The columns a model learns from; before it is built, each may be left out and used again. */
import { Badge, Button, Group, Text } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { whole } from "../../ui/number-format";

export interface FeatureSelection {
  leftOut: string[];
  onLeaveOut: (column: string) => void;
  onUseAgain: (column: string) => void;
}

interface FeatureListProps {
  features: string[];
  choosing?: FeatureSelection | undefined;
}

const MAX_FEATURES_SHOWN = 60;

export function FeatureList({ features, choosing }: FeatureListProps) {
  const rest = features.length - MAX_FEATURES_SHOWN;
  // The last one stays: a model learns from one column at least.
  const isFixed = !choosing || features.length === 1;
  return (
    <>
      <Columns title="Learns from">
        {features.slice(0, MAX_FEATURES_SHOWN).map((feature) =>
          isFixed ? (
            <Badge key={feature} color="gray" fw={500}>
              {feature}
            </Badge>
          ) : (
            <ColumnToggle
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
            <ColumnToggle
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

interface ColumnToggleProps {
  column: string;
  verb: string;
  icon: typeof IconX;
  onClick: (column: string) => void;
}

function ColumnToggle({ column, verb, icon: Icon, onClick }: ColumnToggleProps) {
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
