{{- define "modelwright.name" -}}
{{- printf "%s" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}

{{- define "modelwright.labels" -}}
app.kubernetes.io/name: modelwright
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "modelwright.selector" -}}
app.kubernetes.io/name: modelwright
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "modelwright.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "modelwright.rayImage" -}}
{{ .Values.ray.image | default (printf "%s-ray" (include "modelwright.image" .)) }}
{{- end -}}

{{- define "modelwright.serverImage" -}}
{{ if .Values.ray.enabled }}{{ include "modelwright.rayImage" . }}{{ else }}{{ include "modelwright.image" . }}{{ end }}
{{- end -}}

{{- define "modelwright.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "modelwright.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "modelwright.secretEnv" -}}
- name: {{ .name }}
  valueFrom:
    secretKeyRef: { name: {{ .secret | quote }}, key: {{ .key }}, optional: {{ .optional | default false }} }
{{- end -}}

{{- define "modelwright.env" -}}
{{- $secret := required "existingSecret names the Secret with database-url, secret-key and cluster-secret" .Values.existingSecret -}}
- name: MODELWRIGHT_DATA_DIR
  value: /data
- name: MODELWRIGHT_TLS_BY_PROXY
  value: "true"
- name: MODELWRIGHT_DRAIN_SECONDS
  value: {{ .Values.drainSeconds | quote }}
- name: MODELWRIGHT_S3_BUCKET
  value: {{ required "objects.bucket names the bucket of the objects" .Values.objects.bucket | quote }}
- name: MODELWRIGHT_S3_ENDPOINT
  value: {{ .Values.objects.endpoint | quote }}
- name: MODELWRIGHT_S3_REGION
  value: {{ .Values.objects.region | quote }}
- name: MODELWRIGHT_S3_CACHE_MB
  value: {{ .Values.objects.cacheMb | quote }}
- name: MODELWRIGHT_PUBLIC_URL
  value: {{ .Values.publicUrl | quote }}
{{ include "modelwright.secretEnv" (dict "name" "MODELWRIGHT_DATABASE_URL" "secret" $secret "key" "database-url") }}
{{ include "modelwright.secretEnv" (dict "name" "MODELWRIGHT_SECRET_KEY" "secret" $secret "key" "secret-key") }}
{{ include "modelwright.secretEnv" (dict "name" "MODELWRIGHT_REDIS_URL" "secret" $secret "key" "redis-url" "optional" true) }}
{{ include "modelwright.secretEnv" (dict "name" "MODELWRIGHT_S3_ACCESS_KEY" "secret" $secret "key" "s3-access-key") }}
{{ include "modelwright.secretEnv" (dict "name" "MODELWRIGHT_S3_SECRET_KEY" "secret" $secret "key" "s3-secret-key") }}
{{- if .Values.metrics.enabled }}
- name: MODELWRIGHT_METRICS_HOST
  value: 0.0.0.0
- name: MODELWRIGHT_METRICS_PORT
  value: {{ .Values.metrics.port | quote }}
{{- end }}
{{- if .Values.ray.enabled }}
- name: MODELWRIGHT_RAY_ADDRESS
  value: "ray://{{ include "modelwright.name" . }}-ray-head-svc:10001"
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- end -}}
