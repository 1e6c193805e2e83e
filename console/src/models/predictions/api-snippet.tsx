/** How a program asks the model, to copy. */
import { Card, SegmentedControl, Stack, Text } from "@mantine/core";
import { useState } from "react";
import type { Model } from "../../api/queries";
import { Loaded } from "../../ui/page";
import { Snippet } from "../../ui/snippet";
import { useSample } from "./sample";
import { curlOf, pythonOf } from "./snippets";

export function ApiSnippet({ model }: { model: Model }) {
  const sample = useSample(model);
  const [language, setLanguage] = useState("curl");
  const write = language === "curl" ? curlOf : pythonOf;
  return (
    <Card>
      <Loaded query={sample}>
        {({ row }) => (
          <Stack>
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
            <Snippet text={write(model, row)} />
            <Text size="sm" c="dimmed">
              Put one of your API keys where YOUR_KEY stands. Many rows go to …/predictions as an
              array.
            </Text>
          </Stack>
        )}
      </Loaded>
    </Card>
  );
}
