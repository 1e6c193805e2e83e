/** How a program asks the model, to copy. */
import { Card, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Model } from "../../api/queries";
import { Loaded } from "../../ui/page";
import { Snippet } from "../../ui/snippet";
import { useSample } from "./sample";
import { curlOf, inServiceOf, pythonOf } from "./snippets";

export function ApiSnippet({ model }: { model: Model }) {
  const sample = useSample(model);
  const [language, setLanguage] = useState("curl");
  const [address, setAddress] = useState("model");
  const write = language === "curl" ? curlOf : pythonOf;
  const isStable = address === "model";
  return (
    <Card>
      <Loaded query={sample}>
        {({ row }) => (
          <Stack>
            <Group>
              <SegmentedControl
                w="fit-content"
                value={address}
                onChange={setAddress}
                data={[
                  { value: "model", label: "The version in service" },
                  { value: "version", label: `Only ${model.model_version}` },
                ]}
                aria-label="Which version answers"
              />
              <SegmentedControl
                w="fit-content"
                value={language}
                onChange={setLanguage}
                data={[
                  { value: "curl", label: "curl" },
                  { value: "python", label: "Python" },
                ]}
                aria-label="Language"
              />
            </Group>
            <Snippet text={write(isStable ? inServiceOf(model) : model, row)} />
            <Text size="sm" c="dimmed">
              {isStable
                ? "This address stays when another version is promoted; answers tell their model_version. "
                : ""}
              Put one of your API keys where YOUR_KEY stands. Many rows go to …/predictions as an
              array.
            </Text>
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
