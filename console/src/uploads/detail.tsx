/** One upload: its files, their columns and rows, and who uses them. */
import { Card, Group, Select, Tabs, Text } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { Profile } from "../analysis/profile";
import { api, type Schemas, unwrap } from "../api/client";
import { uploadQuery } from "../api/queries";
import { Export } from "../exports/export-form";
import { WriteAccess } from "../session/write-access";
import { LoadedOrNotFound } from "../shell/not-found";
import { Confirm } from "../ui/confirm";
import { LinkAnchor, LinkButton } from "../ui/links";
import { Name } from "../ui/name";
import { bytes, plural } from "../ui/number-format";
import { Page } from "../ui/page";
import { Status } from "../ui/status";
import { PlacedTabs } from "../ui/tabs";
import { Columns } from "./columns";
import { Notices } from "./notices";
import { Preview } from "./preview";
import { ReadAs } from "./read-form";
import { fieldsOf } from "./read-options";
import { UploadStatus } from "./upload-status";
import { Versions } from "./versions";

type Detail = Schemas["UploadDetail"];
type FileDetail = Schemas["FileDetail"];

const TABS = { preview: "Preview", columns: "Columns", profile: "Profile" };

export function UploadPage() {
  const { uploadId } = useParams({ from: "/uploads/$uploadId" });
  const query = useQuery(uploadQuery(uploadId));
  return (
    <LoadedOrNotFound query={query}>{(upload) => <UploadView upload={upload} />}</LoadedOrNotFound>
  );
}

function UploadView({ upload }: { upload: Detail }) {
  const search = useSearch({ from: "/uploads/$uploadId" });
  const navigate = useNavigate({ from: "/uploads/$uploadId" });
  const file = upload.files.find(({ filename }) => filename === search.file) ?? upload.files[0];
  const isComplete = upload.status === "complete";
  return (
    <Page
      title={upload.name}
      about={upload.description}
      above={{ to: "/uploads", label: "Data" }}
      badge={<Status value={upload.status} />}
      actions={
        isComplete ? (
          <>
            <Export uploadId={upload.upload_id} name={upload.name} />
            <LinkButton
              variant="default"
              to="/uploads/$uploadId/catalog"
              params={{ uploadId: upload.upload_id }}
            >
              Catalog
            </LinkButton>
            <LinkButton variant="default" to="/ask" search={{ upload: upload.upload_id }}>
              Ask a question
            </LinkButton>
            <WriteAccess>
              <LinkButton to="/new-model" search={{ dataset: upload.upload_id }}>
                Build a model
              </LinkButton>
            </WriteAccess>
          </>
        ) : null
      }
      destructive={<Delete upload={upload} />}
    >
      <UploadStatus upload={upload} />
      {upload.files.length > 1 ? (
        <Select
          label="File"
          maw={360}
          allowDeselect={false}
          data={upload.files.map(({ filename }) => filename)}
          value={file?.filename ?? null}
          onChange={(name) =>
            void navigate({
              search: (before) => ({ ...before, file: name ?? "" }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      ) : null}
      {file ? <FileView key={file.filename} upload={upload} file={file} /> : null}
      {isComplete ? <Versions upload={upload} /> : null}
      <UsedBy upload={upload} />
    </Page>
  );
}

function FileView({ upload, file }: { upload: Detail; file: FileDetail }) {
  const { upload_id: uploadId, status } = upload;
  if (!file.column_info) {
    return status === "failed" && fieldsOf(file).length > 0 ? (
      <Card>
        <ReadAs uploadId={uploadId} file={file} />
      </Card>
    ) : null;
  }
  return (
    <Card>
      <Text size="sm" c="dimmed" mb="sm" className="number">
        {plural(file.rows ?? 0, "row")} · {plural(file.columns ?? 0, "column")} ·{" "}
        {bytes(file.size_bytes)}
      </Text>
      <ReadAs key={`${uploadId}/${file.filename}`} uploadId={uploadId} file={file} />
      <Notices notices={file.notices} />
      <PlacedTabs tabs={status === "complete" ? TABS : { columns: TABS.columns }}>
        <Tabs.Panel value="preview">
          <Preview uploadId={uploadId} filename={file.filename} columns={file.column_info} />
        </Tabs.Panel>
        <Tabs.Panel value="columns">
          <Columns columns={file.column_info} />
        </Tabs.Panel>
        <Tabs.Panel value="profile">
          <Profile uploadId={uploadId} filename={file.filename} />
        </Tabs.Panel>
      </PlacedTabs>
    </Card>
  );
}

function UsedBy({ upload }: { upload: Detail }) {
  const names = [...new Set(upload.models_using_this.map((use) => use.model_name))];
  if (names.length === 0) return null;
  return (
    <Group gap="xs">
      <Text size="sm" c="dimmed">
        Used by
      </Text>
      {names.map((modelName) => (
        <LinkAnchor
          key={modelName}
          size="sm"
          className="long"
          to="/models/$modelName"
          params={{ modelName }}
        >
          <Name>{modelName}</Name>
        </LinkAnchor>
      ))}
    </Group>
  );
}

function Delete({ upload }: { upload: Detail }) {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const { upload_id, models_using_this } = upload;
  return (
    <Confirm
      label="Delete"
      title={`Delete ${upload.name}?`}
      act={() => unwrap(api.DELETE("/uploads/{upload_id}", { params: { path: { upload_id } } }))}
      onDone={() => {
        void navigate({ to: "/uploads" });
        queries.removeQueries({ queryKey: ["uploads", upload_id] });
        void queries.invalidateQueries({ queryKey: ["uploads"] });
      }}
    >
      It goes to the trash, from where it can be restored for a while.
      {models_using_this.length > 0 ? " The models that learnt from it must be deleted first." : ""}
    </Confirm>
  );
}
