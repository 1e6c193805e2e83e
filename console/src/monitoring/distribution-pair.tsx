/** A distribution beside the one of training: two bars a bin, readable as a list. */
import { Group, Text } from "@mantine/core";
import { Name } from "../ui/name";
import { type Bin, binsOf, changeOf, type Distribution } from "./copy";
import classes from "./distribution-pair.module.css";

export function DistributionPair({ of }: { of: Distribution }) {
  const { bins, rest } = binsOf(of);
  const full = Math.max(...bins.map((bin) => Math.max(bin.training, bin.lately ?? 0)), 0.01);
  return (
    <>
      <ul className={classes.pairs}>
        {bins.map((bin) => (
          <Pair key={bin.label} bin={bin} full={full} />
        ))}
      </ul>
      {rest > 0 ? (
        <Text size="sm" c="dimmed" mt="sm">
          and {rest} that are smaller
        </Text>
      ) : null}
    </>
  );
}

function Pair({ bin, full }: { bin: Bin; full: number }) {
  const width = (share: number) => ({ width: `${(100 * share) / full}%` });
  return (
    <li className={classes.pair}>
      <Text size="sm" lineClamp={3} title={bin.label} className="long">
        <Name>{bin.label}</Name>
      </Text>
      <span className={classes.tracks} aria-hidden>
        <span className={classes.training} style={width(bin.training)} />
        {bin.lately === undefined ? null : (
          <span className={classes.lately} style={width(bin.lately)} />
        )}
      </span>
      <Text size="sm" c="dimmed" ta="right" className="number short">
        {changeOf(bin)}
      </Text>
    </li>
  );
}

/** Which bar is which. */
export function Legend() {
  return (
    <Group gap="md">
      {(["training", "lately"] as const).map((when) => (
        <Group key={when} gap={6}>
          <span aria-hidden className={`${classes.key} ${classes[when]}`} />
          <Text size="sm" c="dimmed">
            {when === "training" ? "In training" : "Lately"}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
