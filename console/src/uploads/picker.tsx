/** Chooses one of all uploads that are ready: the newest are offered, the others found by name. */
import { Select } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { readyUploadsQuery, uploadQuery } from "../api/queries";
import { whole } from "../ui/number-format";
import { uploadOptions } from "./options";

interface PickerProps {
  label: string;
  placeholder?: string;
  value: string | null;
  onChange: (uploadId: string) => void;
  /** Lets go of what was chosen, where none means something. */
  onClear?: () => void;
}

const PAUSE_MS = 200;

export function UploadPicker({
  label,
  placeholder = "Choose one",
  value,
  onChange,
  onClear,
}: PickerProps) {
  const [typed, setTyped] = useState("");
  const chosen = useQuery({ ...uploadQuery(value ?? ""), enabled: value !== null });
  // The field says what was chosen until somebody types; that is no name to look for.
  const isChosen = chosen.data !== undefined && typed.startsWith(`${chosen.data.name} (`);
  const [name] = useDebouncedValue(isChosen ? "" : typed.trim(), PAUSE_MS);
  const found = useQuery({ ...readyUploadsQuery(name), placeholderData: keepPreviousData });
  const { uploads = [], pagination } = found.data ?? {};
  const more = (pagination?.total ?? 0) - uploads.length;
  const hint = more > 0 ? [{ value: "", label: moreOf(more), disabled: true }] : [];
  const ids = new Set(uploads.map(({ upload_id }) => upload_id));
  const isFound = (option: object) =>
    "value" in option && option.value !== "" && ids.has(String(option.value));
  return (
    <Select
      label={label}
      placeholder={placeholder}
      data={[...uploadOptions(uploads, chosen.data), ...hint]}
      value={value}
      onChange={(uploadId) => (uploadId ? onChange(uploadId) : onClear?.())}
      clearable={onClear !== undefined}
      allowDeselect={false}
      readOnly={chosen.isLoading}
      searchable
      onSearchChange={setTyped}
      filter={({ options }) => (name ? options.filter(isFound) : options)}
      nothingFoundMessage={found.isFetching ? "Looking…" : "No table of this name"}
    />
  );
}

const moreOf = (count: number) => `${whole(count)} more; type a name to find them`;
