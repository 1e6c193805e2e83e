/** Options of a build for whoever wants to fix more than the column: split, threshold or costs, weight. */
import { Anchor, Group, NumberInput, Select, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { uploadQuery } from "../../api/queries";
import { type BuildOptions, NO_OPTIONS, optionsFault, SPLITS, type Split } from "./build-options";

interface OptionsFormProps {
  datasetId: string;
  value: BuildOptions;
  onChange: (options: BuildOptions) => void;
  /** What holds of an option that is left open, where a version before has one. */
  otherwise?: string;
}

export function OptionsForm({ datasetId, value, onChange, otherwise }: OptionsFormProps) {
  const [isShown, setShown] = useState(value !== NO_OPTIONS);
  const upload = useQuery({ ...uploadQuery(datasetId), enabled: isShown });
  const columns = (upload.data?.files[0]?.column_info ?? []).map((column) => column.name);
  if (!isShown) {
    return (
      <Anchor component="button" type="button" size="sm" ta="left" onClick={() => setShown(true)}>
        More options
      </Anchor>
    );
  }
  const change = (part: Partial<BuildOptions>) => onChange({ ...value, ...part });
  const fault = optionsFault(value);
  return (
    <Stack gap="sm" component="section" aria-label="Options of the build">
      <Group grow align="flex-start">
        <Select
          label="Split"
          description="Which rows are held out to measure the model"
          placeholder={otherwise ?? "Chosen from the data"}
          clearable
          data={Object.entries(SPLITS).map(([by, label]) => ({ value: by, label }))}
          value={value.splitBy || null}
          onChange={(by) => change({ splitBy: (by ?? "") as Split["by"] | "" })}
        />
        {value.splitBy && value.splitBy !== "random" ? (
          <Select
            label="Column of the split"
            description={value.splitBy === "time" ? "Found by itself unless chosen" : "Required"}
            searchable
            clearable
            data={columns}
            limit={100}
            value={value.splitColumn}
            onChange={(splitColumn) => change({ splitColumn })}
          />
        ) : null}
      </Group>
      <Group grow align="flex-start">
        <Select
          label="Decision threshold"
          description="When the positive class is said, of two classes"
          placeholder={otherwise ?? "Chosen by the metric"}
          clearable
          data={[
            { value: "threshold", label: "a probability" },
            { value: "costs", label: "what errors cost" },
          ]}
          value={value.decideBy || null}
          onChange={(by) => change({ decideBy: (by ?? "") as BuildOptions["decideBy"] })}
        />
        {value.decideBy === "threshold" ? (
          <NumberInput
            label="Probability"
            description="Above 0, below 1"
            step={0.05}
            value={value.threshold}
            onChange={(threshold) => change({ threshold: String(threshold) })}
          />
        ) : null}
        {value.decideBy === "costs" ? (
          <>
            <NumberInput
              label="Cost of a false positive"
              description="Said where it is not so"
              value={value.falsePositive}
              onChange={(cost) => change({ falsePositive: String(cost) })}
            />
            <NumberInput
              label="Cost of a false negative"
              description="Not said where it is so"
              value={value.falseNegative}
              onChange={(cost) => change({ falseNegative: String(cost) })}
            />
          </>
        ) : null}
      </Group>
      <Select
        label="Sample weight"
        description="The column that says how much each row counts"
        placeholder={otherwise ?? "Every row counts alike"}
        searchable
        clearable
        maw={360}
        data={columns}
        limit={100}
        value={value.sampleWeight}
        onChange={(sampleWeight) => change({ sampleWeight })}
      />
      {fault ? (
        <Text size="sm" c="red" role="alert">
          {fault}
        </Text>
      ) : null}
    </Stack>
  );
}
