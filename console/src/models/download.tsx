/** What leaves the console: the model's card to look at, and the model itself. */
import { Button, Group } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { open } from "../api/client";
import type { Model } from "../api/queries";
import { ProblemNote } from "../ui/problem-note";
import { saveFile } from "../ui/save-file";

export function DownloadModel({ model }: { model: Model }) {
  const path = `/models/${model.model_name}/${model.model_version}`;
  const fetched = useMutation({
    mutationFn: async ({ what, filename }: { what: string; filename: string }) => {
      const response = await open("GET", `${path}/${what}`);
      saveFile(await response.blob(), filename);
    },
  });
  const name = `${model.model_name}-${model.model_version}`;
  const take = (what: string, filename: string) => () => fetched.mutate({ what, filename });
  return (
    <Group>
      <Button variant="default" onClick={take("card?format=html", `${name}.html`)}>
        Model card
      </Button>
      <Button variant="default" onClick={take("artifact", `${name}.zip`)}>
        Download the model
      </Button>
      <ProblemNote error={fetched.error} />
    </Group>
  );
}
