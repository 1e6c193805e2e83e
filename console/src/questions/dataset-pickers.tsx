/** Chooses the data to ask: one dataset, or several that are asked together. */
import { Box, Button, Group } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useState } from "react";
import { UploadPicker } from "../uploads/picker";

/** Datasets that may be asked together, as many as a session may hold. */
export const MOST_DATASETS = 20;

/** The uploads that stand in an address beside the first one. */
export const idsOf = (others: string | undefined) => (others ? others.split(",") : []);

/** The address of a question to these uploads. */
export function searchOf([first, ...others]: string[]) {
  return { ...(first ? { upload: first } : {}), ...(others[0] ? { with: others.join() } : {}) };
}

interface DatasetPickersProps {
  uploadIds: string[];
  onChange: (uploadIds: string[]) => void;
}

export function DatasetPickers({ uploadIds, onChange }: DatasetPickersProps) {
  const [isAdding, setAdding] = useState(false);
  const put = (place: number, chosen: string) => {
    setAdding(false);
    const others = uploadIds.map((id, at) => (at === place ? chosen : id));
    onChange([...new Set(place < uploadIds.length ? others : [...uploadIds, chosen])]);
  };
  return (
    <Group align="flex-end" gap="sm">
      {uploadIds.map((id, place) => (
        <Box key={id} maw={420} flex="1 1 260px">
          <UploadPicker
            label={place === 0 ? "Data" : "Together with"}
            value={id}
            onChange={(chosen) => put(place, chosen)}
            {...(place === 0
              ? {}
              : { onClear: () => onChange(uploadIds.filter((one) => one !== id)) })}
          />
        </Box>
      ))}
      {isAdding ? (
        <Box maw={420} flex="1 1 260px">
          <UploadPicker
            label="Together with"
            value={null}
            onChange={(chosen) => put(uploadIds.length, chosen)}
          />
        </Box>
      ) : uploadIds.length < MOST_DATASETS ? (
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => setAdding(true)}
        >
          Add a table
        </Button>
      ) : null}
    </Group>
  );
}
