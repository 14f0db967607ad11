// A review of 4 KiB as an API server sends it for a pod of a ReplicaSet: managed fields, token volume, tolerations.

const labels = { app: 'web', 'pod-template-hash': '7c5ddbdf54', tier: 'frontend' }
const token = {
  name: 'kube-api-access-zx8f2',
  projected: {
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
      { downwardAPI: { items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }] } },
    ],
    defaultMode: 420,
  },
}
const container = {
  name: 'app',
  image: 'images.example.org/team/app:1.42.0',
  ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
  env: Array.from({ length: 4 }, (_, i) => ({ name: `SETTING_${i}`, value: `value ${i} of this container` })),
  resources: { limits: { cpu: '500m', memory: '256Mi' }, requests: { cpu: '100m', memory: '128Mi' } },
  volumeMounts: [{ name: token.name, readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' }],
  readinessProbe: {
    httpGet: { path: '/ready', port: 'http', scheme: 'HTTP' },
    timeoutSeconds: 1,
    periodSeconds: 10,
    successThreshold: 1,
    failureThreshold: 3,
  },
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
  securityContext: { allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: { drop: ['ALL'] } },
}
const tolerations = ['not-ready', 'unreachable'].map((key) => ({
  key: `node.kubernetes.io/${key}`,
  operator: 'Exists',
  effect: 'NoExecute',
  tolerationSeconds: 300,
}))
const managed = {
  'f:metadata': { 'f:generateName': {}, 'f:labels': { '.': {}, 'f:app': {}, 'f:pod-template-hash': {} }, 'f:ownerReferences': { '.': {} } },
  'f:spec': {
    'f:containers': {
      'k:{"name":"app"}': {
        '.': {},
        'f:image': {},
        'f:imagePullPolicy': {},
        'f:name': {},
        'f:ports': { '.': {} },
        'f:resources': { '.': {} },
      },
    },
  },
}

/** @param annotations of ours; none for a pod that is not ours */
export function review4k(annotations: Readonly<Record<string, string>>): string {
  const kind = { group: '', version: 'v1', kind: 'Pod' }
  const resource = { group: '', version: 'v1', resource: 'pods' }
  const others = Object.fromEntries(Array.from({ length: 3 }, (_, i) => [`example.org/annotation-${i}`, `some annotation value ${i}`]))
  const object = {
    kind: 'Pod',
    apiVersion: 'v1',
    metadata: {
      generateName: 'web-7c5ddbdf54-',
      namespace: 'tenant-a',
      creationTimestamp: null,
      labels,
      annotations: { ...annotations, ...others },
      ownerReferences: [
        {
          apiVersion: 'apps/v1',
          kind: 'ReplicaSet',
          name: 'web-7c5ddbdf54',
          uid: '0d6b1b0e-11aa-4a38-9b7c-0f5a1e1c8f22',
          controller: true,
          blockOwnerDeletion: true,
        },
      ],
      managedFields: [
        {
          manager: 'kube-controller-manager',
          operation: 'Update',
          apiVersion: 'v1',
          time: '2026-01-01T00:00:00Z',
          fieldsType: 'FieldsV1',
          fieldsV1: managed,
        },
      ],
    },
    spec: {
      volumes: [token],
      containers: [container],
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      serviceAccountName: 'default',
      serviceAccount: 'default',
      securityContext: {},
      schedulerName: 'default-scheduler',
      tolerations,
      priority: 0,
      enableServiceLinks: true,
      preemptionPolicy: 'PreemptLowerPriority',
    },
    status: {},
  }
  const request = {
    uid: '705ab4f5-6393-11e8-b7cc-42010a800002',
    kind,
    resource,
    requestKind: kind,
    requestResource: resource,
    namespace: 'tenant-a',
    operation: 'CREATE',
    userInfo: {
      username: 'system:serviceaccount:kube-system:replicaset-controller',
      uid: 'cb1b0f0e',
      groups: ['system:serviceaccounts', 'system:serviceaccounts:kube-system', 'system:authenticated'],
    },
    object,
    oldObject: null,
    dryRun: false,
    options: { kind: 'CreateOptions', apiVersion: 'meta.k8s.io/v1' },
  }
  return JSON.stringify({ kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', request })
}
