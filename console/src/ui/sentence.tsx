/** A sentence of the API, the names that it quotes set apart. */
import { Code } from "@mantine/core";
import { Fragment } from "react";
import { Name } from "./name";

const QUOTED = /`([^`]+)`/;

export function Sentence({ children }: { children: string }) {
  return (
    <>
      {children.split(QUOTED).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
        <Fragment key={index}>
          {index % 2 === 0 ? (
            part
          ) : (
            <Code fz="inherit" style={{ whiteSpace: "pre-wrap" }}>
              <Name>{part}</Name>
            </Code>
          )}
        </Fragment>
      ))}
    </>
  );
}
