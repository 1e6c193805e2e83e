/** A long list that is all here, a part at a time. */
import { useState } from "react";

export function usePagedList<T>(items: T[], limit: number) {
  const [offset, setOffset] = useState(0);
  const end = offset + limit;
  const total = items.length;
  return {
    part: items.slice(offset, end),
    pager: {
      pagination: { total, limit, offset, has_more: end < total },
      onChange: setOffset,
    },
  };
}
