// What a test of admission registers with an API server, ours and a stranger's, and the pods that it asks for.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { kubectl } from '../setup/kubectl.ts'
import { run } from '../setup/run.ts'

const root = resolve(import.meta.dirname, '../..')
export const mark = randomBytes(4).toString('hex')
export const markLabel = { 'megrez-test/admission': mark }

export interface Pod {
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly labels?: Record<string, string>
    readonly annotations?: Record<string, string>
    readonly finalizers?: string[]
  }
}
interface Hook {
  name: string
  namespaceSelector?: { matchExpressions?: object[]; matchLabels?: object }
}
export interface Manifest {
  kind: string
  metadata: { name: string }
  webhooks?: Hook[]
}

export interface WantedPod {
  readonly name?: string
  readonly generateName?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
  readonly spec?: object
}
export const manifest = ({ spec = {}, ...metadata }: WantedPod): string =>
  JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata, spec: { containers: [{ name: 'app', image: 'app' }], ...spec } })

/** The chart's registrations for a server at this address; only namespaces with our mark are asked about. */
export async function registrations(url: string, caBundle: string): Promise<readonly Manifest[]> {
  const values = { tls: { secretName: 'unused', caBundle }, admission: { url, timeoutSeconds: 10, exemptNamespaces: [`exempt-${mark}`] } }
  const { code, stdout, stderr } = await run(
    process.env.MEGREZ_TEST_HELM ?? 'helm',
    [
      'template',
      'megrez',
      join(root, 'charts/megrez'),
      '--namespace',
      'megrez-system',
      '--kube-version',
      '1.34',
      '--values',
      '-',
      '--show-only',
      'templates/admission.yaml',
    ],
    { input: stringify(values) },
  )
  if (code !== 0) throw new Error(`helm template: ${stderr}`)
  const manifests = parseAllDocuments(stdout).map((document) => document.toJS() as Manifest | null)
  return manifests
    .filter((each) => each !== null)
    .map((each) => ({
      ...each,
      metadata: { ...each.metadata, name: `admission-${mark}` },
      webhooks: (each.webhooks ?? []).map((hook) => ({
        ...hook,
        namespaceSelector: { ...hook.namespaceSelector, matchLabels: markLabel },
      })),
    }))
}
/** Somebody else's webhook: it comes after ours by name, and puts a container in front. */
export const stranger = (url: string, ca: string): Manifest =>
  ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata: { name: `zz-stranger-${mark}` },
    webhooks: [
      {
        name: 'stranger.example.org',
        admissionReviewVersions: ['v1'],
        sideEffects: 'None',
        clientConfig: { url: `${url}/stranger`, caBundle: Buffer.from(ca).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE'] }],
        objectSelector: { matchLabels: { stranger: mark } },
      },
    ],
  }) as unknown as Manifest
export function strange(body: string): object {
  const {
    request: { uid, object },
  } = JSON.parse(body) as { request: { uid: string; object: { spec: { containers: { name: string }[] } } } }
  const there = object.spec.containers.some(({ name }) => name === 'sidecar')
  const patch = Buffer.from(
    JSON.stringify([{ op: 'add', path: '/spec/containers/0', value: { name: 'sidecar', image: 'sidecar' } }]),
  ).toString('base64')
  return {
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: { uid, allowed: true, ...(there ? {} : { patchType: 'JSONPatch', patch }) },
  }
}

/** The policies on pods, in force only where our mark is. */
export async function podPolicies(): Promise<readonly object[]> {
  const documents = parseAllDocuments(await readFile(join(root, 'charts/megrez/files/policies/pods.yaml'), 'utf8')).map(
    (each) => each.toJS() as { kind: string; metadata: object; spec: { policyName?: string; matchConstraints?: object } },
  )
  const name = `pods-${mark}.megrez.io`
  return documents.map((each) => ({
    ...each,
    metadata: { name },
    spec:
      each.kind === 'ValidatingAdmissionPolicy'
        ? { ...each.spec, matchConstraints: { ...each.spec.matchConstraints, namespaceSelector: { matchLabels: markLabel } } }
        : { ...each.spec, policyName: name },
  }))
}

/** Has the API server call our webhooks below another address. */
export async function callAt(hooks: readonly Manifest[], at: string): Promise<void> {
  for (const {
    kind,
    metadata: { name },
    webhooks = [],
  } of hooks) {
    const operations = webhooks.map((_, nth) => ({
      op: 'replace',
      path: `/webhooks/${nth}/clientConfig/url`,
      value: `${at}/${kind.startsWith('Mutating') ? 'mutate' : 'validate'}-${nth < 2 ? 'pods' : 'objects'}`,
    }))
    await kubectl(['patch', kind, name, '--type=json', '-p', JSON.stringify(operations)])
  }
}
