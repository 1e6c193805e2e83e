/** The code that is asked for beside the password: how it stands, and turning it on and off. */
import { Button, Card, Group, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Schemas } from "../api/client";
import { secondFactorQuery } from "../api/queries";
import { WriteAccess } from "../session/write-access";
import { plural } from "../ui/number-format";
import { Loaded } from "../ui/page";
import { Status } from "../ui/status";
import { formatTime } from "../ui/time-format";
import { TurnOff } from "./turn-off";
import { TurnOn } from "./turn-on";

export function SecondFactor() {
  const query = useQuery(secondFactorQuery);
  // Its codes are shown once: the dialog outlives what the section shows meanwhile.
  const [isTurningOn, turningOn] = useDisclosure();
  const [isTurningOff, turningOff] = useDisclosure();
  return (
    <Card component="section" aria-label="Second factor">
      <Stack gap="sm">
        <Title order={2} fz="lg">
          Second factor
        </Title>
        <Loaded query={query} height={40}>
          {(factor) => (
            <Group justify="space-between">
              <Standing factor={factor} />
              <WriteAccess>
                {factor.is_on ? (
                  <Button variant="default" onClick={turningOff.open}>
                    Turn off
                  </Button>
                ) : (
                  <Button onClick={turningOn.open}>Turn on</Button>
                )}
              </WriteAccess>
            </Group>
          )}
        </Loaded>
      </Stack>
      <TurnOn isOpen={isTurningOn} onClose={turningOn.close} />
      <TurnOff isOpen={isTurningOff} onClose={turningOff.close} />
    </Card>
  );
}

function Standing({ factor }: { factor: Schemas["SecondFactor"] }) {
  if (!factor.is_on) {
    return (
      <Text c="dimmed" maw={560}>
        Off: the password alone signs you in. With it on, a code from an authenticator app is asked
        for too.
      </Text>
    );
  }
  const left = factor.recovery_codes_left;
  return (
    <Group gap="sm">
      <Status value="active" />
      <Text c={left > 2 ? "dimmed" : undefined}>
        {factor.confirmed_at ? `Since ${formatTime(factor.confirmed_at, "date")}; ` : ""}
        {left === 0 ? "no recovery codes" : plural(left, "recovery code")} left
        {left > 2 ? "" : ": turn it off and on again for new ones"}
      </Text>
    </Group>
  );
}
