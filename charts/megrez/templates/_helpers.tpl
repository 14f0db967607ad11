{{- define "megrez.labels" -}}
app.kubernetes.io/name: megrez
app.kubernetes.io/part-of: megrez
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- /* Of one component: what selects its pods. */ -}}
{{- define "megrez.selector" -}}
app.kubernetes.io/name: megrez
app.kubernetes.io/component: {{ . }}
{{- end }}

{{- define "megrez.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}

{{- define "megrez.user" -}}
system:serviceaccount:{{ .root.Release.Namespace }}:megrez-{{ .component }}
{{- end }}

{{- define "megrez.tlsSecret" -}}
{{ .Values.tls.secretName | default "megrez-webhooks-tls" }}
{{- end }}

{{- /* Whether our workers renew what admission is served with. */ -}}
{{- define "megrez.renews" -}}
{{- if and .Values.tls.renew (not .Values.tls.secretName) (not .Values.admission.url) }}true{{ end }}
{{- end }}

{{- define "megrez.callbackSecret" -}}
{{ .Values.callbackSecret.secretName | default "megrez-callbacks" }}
{{- end }}

{{- define "megrez.hasRest" -}}
{{- with .Values.rest }}{{ if or .tokenIssuer .tokenAudience .tokenKeysUrl .tokenIssuers .kubeTokens .clientCaSecret }}true{{ end }}{{ end }}
{{- end }}

{{- define "megrez.hasRedis" -}}
{{- with .Values.redis }}{{ if or .url .secretName }}true{{ end }}{{ end }}
{{- end }}

{{- define "megrez.hasNetworkPolicies" -}}
{{- with .Values.networkPolicy }}{{ if or (eq (toString .enabled) "true") (and (eq (toString .enabled) "auto") .apiServer) }}true{{ end }}{{ end }}
{{- end }}

{{- /* nicLimits → MEGREZ_NIC_LIMITS. Lists are joined; numbers as JSON, since sprig would print large ones as 2.592e+08. */ -}}
{{- define "megrez.settings" -}}
- name: MEGREZ_NAMESPACE
  value: {{ .Release.Namespace }}
{{- if and .Values.agents.enabled (not (hasKey .Values.settings "agents")) }}
- name: MEGREZ_AGENTS
  value: "true"
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: MEGREZ_{{ snakecase $name | upper | replace "L4_PORT" "L4PORT" }}
  {{- if kindIs "string" $value }}
  value: {{ $value | quote }}
  {{- else if kindIs "slice" $value }}
  value: {{ join "," $value | quote }}
  {{- else }}
  value: {{ toJson $value | quote }}
  {{- end }}
{{- end }}
{{- end }}

{{- /*
What policies deny is dropped by a new installation. One from before policies were enforced begins in audit: its SecurityGroups would cut
pods that run. Which it is says the Deployment that is there: what it was given once it keeps.
*/ -}}
{{- define "megrez.policyEnforcement" -}}
{{- $there := lookup "apps/v1" "Deployment" .Release.Namespace "megrez-workers" }}
{{- $given := dict "value" (ternary "audit" "enforce" (not (empty $there))) }}
{{- range (dig "spec" "template" "spec" "containers" list ($there | default dict)) }}
{{- range .env }}{{ if eq .name "MEGREZ_POLICY_ENFORCEMENT" }}{{ $_ := set $given "value" .value }}{{ end }}{{ end }}
{{- end }}
{{- $given.value }}
{{- end }}

{{- /* What every process shows to Prometheus is for this name. */ -}}
{{- define "megrez.metricsName" -}}
megrez-metrics.{{ .Release.Namespace }}.svc
{{- end }}

{{- define "megrez.metricsEnv" -}}
{{- with .Values.metrics.clientNames }}
- { name: MEGREZ_METRICS_CLIENT_NAMES, value: {{ join "," . | quote }} }
{{- end }}
{{- end }}

{{- define "megrez.metricsMounts" -}}
- { name: metrics-tls, mountPath: /etc/megrez/metrics, readOnly: true }
- { name: metrics-clients, mountPath: /etc/megrez/metrics-clients, readOnly: true }
{{- end }}

{{- define "megrez.metricsVolumes" -}}
- name: metrics-tls
  secret: { secretName: {{ .Values.metrics.secretName | default "megrez-metrics-tls" }}, defaultMode: 0440 }
- name: metrics-clients
  secret: { secretName: {{ .Values.metrics.clientCaSecret | default "megrez-metrics-clients" }}, defaultMode: 0440, items: [{ key: ca.crt, path: ca.crt }] }
{{- end }}

{{- /* What both components' pods are like; `program` and the rest are each one's own. */ -}}
{{- define "megrez.podSpec" -}}
serviceAccountName: megrez-{{ .component }}
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
priorityClassName: {{ .values.priorityClassName | quote }}
terminationGracePeriodSeconds: 40
securityContext:
  runAsNonRoot: true
  runAsUser: 65532
  runAsGroup: 65532
  fsGroup: 65532
  seccompProfile: { type: RuntimeDefault }
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: topology.kubernetes.io/zone
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: { {{- include "megrez.selector" .component | replace "\n" ", " -}} } }
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector: { matchLabels: { {{- include "megrez.selector" .component | replace "\n" ", " -}} } }
{{- with .values.nodeSelector }}
nodeSelector: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .values.affinity }}
affinity: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "megrez.container" -}}
image: {{ include "megrez.image" .root }}
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
workingDir: /megrez
# A young generation of 3 x 8 MiB: by default it may grow to 3 x 32, for a tenth less of processor time.
command: [node, --disable-warning=ExperimentalWarning, --max-semi-space-size=8, {{ .component }}/main.ts]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
resources: {{- toYaml .values.resources | nindent 2 }}
{{- include "megrez.probes" "" }}
{{- end }}

{{- /* It lives before it has seen everything there is, and is ready after: a large cluster takes its time. A node that is out of breath
is no reason to begin anew: on one a start takes half a minute, and an answer seconds. */ -}}
{{- define "megrez.probes" }}
startupProbe:
  httpGet: { path: /livez, port: health{{ . }} }
  periodSeconds: 1
  timeoutSeconds: 5
  failureThreshold: 120
livenessProbe:
  httpGet: { path: /livez, port: health{{ . }} }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: health{{ . }} }
  periodSeconds: 2
  timeoutSeconds: 5
  failureThreshold: 1
{{- end }}
