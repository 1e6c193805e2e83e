/** Sends one file from the page that needs it, and says which upload it became. */
import { Button, FileButton } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { percent } from "../ui/number-format";
import { ProblemNote } from "../ui/problem-note";
import { send } from "./send";

export function UploadButton({ onSent }: { onSent: (uploadId: string) => void }) {
  const [share, setShare] = useState(0);
  const queries = useQueryClient();
  const sending = useMutation({
    mutationFn: (file: File) => {
      const tell = (sent: Record<string, number>) =>
        setShare((sent[file.name] ?? 0) / Math.max(1, file.size));
      return send([file], "", tell, new AbortController().signal);
    },
    onSuccess: onSent,
    onSettled: () => queries.invalidateQueries({ queryKey: ["uploads"] }),
  });
  return (
    <>
      <FileButton onChange={(file) => file && sending.mutate(file)}>
        {(props) => (
          <Button {...props} variant="default" disabled={sending.isPending}>
            {sending.isPending ? `Sending, ${percent(Math.min(1, share), 0)}` : "Upload a file"}
          </Button>
        )}
      </FileButton>
      <ProblemNote error={sending.error} />
    </>
  );
}
