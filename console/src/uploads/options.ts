/** Uploads to choose from, told apart where they have one name. */
import type { Upload } from "../api/queries";
import { formatTime } from "../ui/time-format";

export interface Option {
  value: string;
  label: string;
}

/** What tells an upload of the others of its name: its version, and when it came. */
const toldBy = ({ dataset_version, created_at }: Upload) =>
  [dataset_version, formatTime(created_at)].filter(Boolean).join(", ");

/** A label that stays the same: the field would put a new one in the place of what somebody types. */
const optionOf = (upload: Upload): Option => ({
  value: upload.upload_id,
  label: `${upload.name} (${toldBy(upload)})`,
});

/** The ones that were found; the chosen one leads them where it is none of them. */
export function uploadOptions(found: Upload[], chosen?: Upload): Option[] {
  const isThere = found.some(({ upload_id }) => upload_id === chosen?.upload_id);
  return (chosen && !isThere ? [chosen, ...found] : found).map(optionOf);
}
