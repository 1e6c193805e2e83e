/** Uploads to choose from; when they came tells versions of one name apart. */
import type { Upload } from "../api/queries";
import { formatTime } from "../ui/time-format";

export interface Option {
  value: string;
  label: string;
}

/** A label that stays the same: the field would put a new one in the place of what somebody types. */
const optionOf = ({ upload_id, name, created_at }: Upload): Option => ({
  value: upload_id,
  label: `${name} (${formatTime(created_at)})`,
});

/** The ones that were found; the chosen one leads them where it is none of them. */
export function uploadOptions(found: Upload[], chosen?: Upload): Option[] {
  const isThere = found.some(({ upload_id }) => upload_id === chosen?.upload_id);
  return (chosen && !isThere ? [chosen, ...found] : found).map(optionOf);
}
