/** An upload among others to choose from; its age tells versions of one name apart. */
import type { Upload } from "../api/queries";
import { ago } from "../ui/words";

export const labelled = ({ upload_id, name, created_at }: Upload) => ({
  value: upload_id,
  label: `${name} (${ago(created_at)})`,
});
