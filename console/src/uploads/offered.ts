/** Uploads to choose from; their age tells versions of one name apart. */
import type { Upload } from "../api/queries";
import { ago } from "../ui/words";

export interface Option {
  value: string;
  label: string;
}

const optionOf = ({ upload_id, name, created_at }: Upload): Option => ({
  value: upload_id,
  label: `${name} (${ago(created_at)})`,
});

/** The ones that were found; the chosen one leads them where it is none of them. */
export function offered(found: Upload[], chosen?: Upload): Option[] {
  const isThere = found.some(({ upload_id }) => upload_id === chosen?.upload_id);
  return (chosen && !isThere ? [chosen, ...found] : found).map(optionOf);
}
