/** A name out of somebody's data: where it needs two lines it breaks between its words. */
import { Fragment } from "react";

const SEAMS = /(?<=[._/:\\])(?=\p{L})|(?<=\p{Ll})(?=\p{Lu})|(?=@)/u;

export function Name({ children }: { children: string }) {
  return (
    <>
      {children.split(SEAMS).map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other name
        <Fragment key={index}>
          {index > 0 ? <wbr /> : null}
          {part}
        </Fragment>
      ))}
    </>
  );
}
