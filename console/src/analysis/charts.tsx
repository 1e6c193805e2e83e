/** The pictures of an analysis; they need the caller's key, so they are fetched, not linked. */
import { Skeleton, Text } from "@mantine/core";
import { useInViewport } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { open } from "../api/client";
import classes from "./charts.module.css";
import type { FileAnalysis } from "./format";

type Visual = FileAnalysis["visualizations"][number];

export function Charts({ visuals }: { visuals: Visual[] }) {
  return (
    <ul className={classes.pictures}>
      {visuals.map((visual) => (
        <Chart key={visual.thumbnail_url} visual={visual} />
      ))}
    </ul>
  );
}

function Chart({ visual: { thumbnail_url, title } }: { visual: Visual }) {
  const { ref, inViewport } = useInViewport<HTMLLIElement>();
  const { pathname } = new URL(thumbnail_url);
  const query = useQuery({
    queryKey: ["pictures", pathname],
    queryFn: async () => (await open("GET", pathname)).blob(),
    staleTime: Number.POSITIVE_INFINITY,
    enabled: inViewport,
  });
  const address = useAddress(query.data);
  return (
    <li ref={ref} className={classes.picture}>
      {address ? <img src={address} alt={title} /> : null}
      {query.isPending ? <Skeleton height="100%" role="img" aria-label={title} /> : null}
      {query.error ? (
        <Text size="sm" c="dimmed">
          {title} could not be fetched.
        </Text>
      ) : null}
    </li>
  );
}

/** An address for bytes that are here, given back when they are no longer shown. */
function useAddress(bytes: Blob | undefined): string | undefined {
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!bytes) return;
    const made = URL.createObjectURL(bytes);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [bytes]);
  return address;
}
