/** What the audit log tells of, in words. */
import { ACTION_LABELS } from "../security/action-labels";

const LABELS: Record<string, string> = {
  ...ACTION_LABELS,
  "analysis.create": "Profiled a table",
  "builds.create": "Built a model",
  "builds.create_version": "Built a new version",
  "builds.retrain": "Retrained a model",
  "catalog.update": "Corrected a catalog",
  "connections.create": "Connected a database",
  "connections.delete": "Removed a database",
  "connections.rotate_key": "Sealed the passwords of databases anew",
  "deployments.deploy": "Deployed a version",
  "deployments.undeploy": "Undeployed a version",
  "endpoints.promote": "Promoted a version",
  "endpoints.rollback": "Rolled back to the version before",
  "exports.create": "Exported a table",
  "ingestions.create": "Imported from a database",
  "ingestions.delete": "Removed an import",
  "ingestions.retrigger": "Re-imported from a database",
  "jobs.cancel": "Stopped a job",
  "machines.drain": "Drained a machine",
  "models.amend": "Changed a model",
  "models.delete": "Deleted a model",
  "monitoring.feedback": "Recorded outcomes",
  "queries.unverify": "Undid the verifying of an answer",
  "queries.verify": "Verified an answer",
  "scoring.start": "Predicted every row of a table",
  "sessions.create": "Opened a session of questions",
  "sessions.end": "Closed a session of questions",
  "sessions.use": "Opened a session of questions",
  "storage.adopt": "Took over the stored files",
  "storage.cleanup": "Cleaned up the stored files",
  "trash.empty": "Emptied the trash",
  "trash.purge": "Deleted for good",
  "trash.restore": "Restored from the trash",
  "uploads.complete_file": "Sent a file",
  "uploads.confirm": "Completed an upload",
  "uploads.create": "Began an upload",
  "uploads.delete": "Deleted a dataset",
  "uploads.missing_parts": "Went on with an upload",
  "uploads.reparse": "Read a file again",
  "users.amend": "Changed an account",
  "users.arrive": "Came in by the sign-in provider for the first time",
  "users.delete": "Deleted an account",
};

export const labelOf = (operation: string) => LABELS[operation] ?? operation;

/** Where what an entry is about can be looked at, if it has a page. */
export function pageOf(operation: string, resource: string) {
  if (/^upload_\w+$/.test(resource))
    return { to: "/uploads/$uploadId", params: { uploadId: resource } } as const;
  if (/^conn_\w+$/.test(resource))
    return { to: "/databases/$connectionId", params: { connectionId: resource } } as const;
  if (/^exp_\w+$/.test(resource))
    return { to: "/exports/$exportId", params: { exportId: resource } } as const;
  if (/^(builds|models|endpoints|monitoring)\./.test(operation) && resource)
    return { to: "/models/$modelName", params: { modelName: resource } } as const;
  return undefined;
}
