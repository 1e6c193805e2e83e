/** A correction of a catalog: asked for in a dialog, kept as a whole or refused with the field. */
import { Button, Group, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { FormEvent, ReactNode } from "react";
import { api, unwrap } from "../api/client";
import { catalogQuery } from "../api/queries";
import { WriteAccess } from "../session/write-access";
import { ProblemNote } from "../ui/problem-note";
import type { CatalogPatch } from "./terms";

export function useCorrect(uploadId: string, onDone: () => void = () => undefined) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (body: CatalogPatch) =>
      unwrap(
        api.PATCH("/data/catalog/{dataset_name}", {
          params: { path: { dataset_name: uploadId } },
          body,
        }),
      ),
    onSuccess: (seen) => {
      queries.setQueryData(catalogQuery(uploadId).queryKey, seen);
      onDone();
    },
  });
}

interface CorrectAtOnceProps {
  uploadId: string;
  label: string;
  /** What is read out of the button, which says of what it is. */
  heard: string;
  patch: CatalogPatch;
}

/** A correction that needs no dialog: something is rejected, or comes back. */
export function CorrectAtOnce({ uploadId, label, heard, patch }: CorrectAtOnceProps) {
  const correct = useCorrect(uploadId);
  return (
    <WriteAccess>
      <Button
        size="compact-sm"
        variant="subtle"
        aria-label={heard}
        loading={correct.isPending}
        onClick={() => correct.mutate(patch)}
      >
        {label}
      </Button>
      <ProblemNote error={correct.error} />
    </WriteAccess>
  );
}

interface CorrectProps {
  uploadId: string;
  title: string;
  /** What the dialog's button says, and what is read out of it. */
  label: string;
  heard?: string;
  /** What is said now. */
  patch: () => CatalogPatch;
  onOpen: () => void;
  children: ReactNode;
}

export function Correct({ uploadId, title, label, heard, patch, onOpen, children }: CorrectProps) {
  const [isOpen, { open, close }] = useDisclosure();
  const correct = useCorrect(uploadId, close);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    correct.mutate(patch());
  };
  return (
    <WriteAccess>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={heard}
        onClick={() => {
          correct.reset();
          onOpen();
          open();
        }}
      >
        {label}
      </Button>
      <Modal opened={isOpen} onClose={close} title={title} closeOnClickOutside={!correct.isPending}>
        <form onSubmit={submit}>
          <Stack>
            {children}
            <ProblemNote error={correct.error} />
            <Group justify="flex-end">
              <Button type="submit" loading={correct.isPending}>
                Save
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </WriteAccess>
  );
}
