/** An export on a page of its own, where mail leads: who opens it is asked to sign in. */
import { useParams } from "@tanstack/react-router";
import { Page } from "../ui/page";
import { ExportFiles } from "./export-files";

export function ExportPage() {
  const { exportId } = useParams({ from: "/exports/$exportId" });
  return (
    <Page title="Export" about="Files made to be taken away.">
      <ExportFiles
        exportId={exportId}
        kind="export"
        busy="The files are being made."
        fault="The export did not come about."
      />
    </Page>
  );
}
