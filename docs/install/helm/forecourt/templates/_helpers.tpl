{{- define "forecourt.name" -}}
{{- if contains "forecourt" .Release.Name }}{{ .Release.Name }}{{ else }}{{ .Release.Name }}-forecourt{{ end -}}
{{- end -}}

{{- define "forecourt.selector" -}}
app.kubernetes.io/name: forecourt
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "forecourt.labels" -}}
{{ include "forecourt.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ .Chart.Name }}-{{ .Chart.Version }}
{{- end -}}

{{- define "forecourt.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{/* forecourt.yaml: what the pods need, below what the values set. */}}
{{- define "forecourt.config" -}}
{{- $needed := dict
  "store" "${FORECOURT_STORE}"
  "webhooks" (dict "key" "${FORECOURT_WEBHOOKS_KEY}")
  "metrics" (dict "host" "0.0.0.0" "port" 9464)
  "drain" (dict "delay_seconds" 5 "finish_seconds" 10) -}}
{{- mergeOverwrite $needed (deepCopy .Values.config) | toYaml -}}
{{- end -}}

{{- define "forecourt.secretName" -}}
{{ .Values.secrets.existing | default (include "forecourt.name" .) }}
{{- end -}}

{{- define "forecourt.podSecurity" -}}
runAsNonRoot: true
runAsUser: 10001
runAsGroup: 10001
fsGroup: 10001
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "forecourt.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}
