// What the demo does: five pods as the seed has them, then two that want the same address, then all of it taken back.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseAllDocuments } from 'yaml'
import type { Kind } from '../../core/kinds/index.ts'
import { demoKinds, demoSteps, isOfDemo, together, type Step } from '../../examples/demo-steps.ts'
import { until } from '../../platform/programs/until.ts'
import type { Receiver } from './receiver.ts'
import { pathOf, type Answer, type Item, type Rest } from './rest.ts'

const examples = join(import.meta.dirname, '../../examples')
/** What the demo waits for comes within this, on a machine that does other things too. */
export const settleMs = 30_000

export interface Manifest {
  readonly kind: Kind
  readonly metadata: {
    readonly name: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  readonly spec: Readonly<Record<string, unknown>>
}
export interface NicShown {
  readonly name: string
  readonly address: string
  readonly portID: string
  readonly subnet: string
  readonly createdByUs: boolean
}
export interface PodShown {
  readonly namespace: string
  readonly name: string
  readonly nics: readonly NicShown[]
  /** Milliseconds from the request: until it was admitted and stored, until all Nics were ready, until the callback said so. */
  readonly stagesMs: { readonly admitted: number; readonly ready: number; readonly notified: number }
}
export interface Refused {
  readonly pod: string
  readonly path: string
  readonly message: string
}

export interface Demo {
  readonly pods: readonly PodShown[]
  readonly refused: readonly Refused[]
  readonly notices: Receiver['notices']
  readonly left: readonly string[]
}

export async function manifestsOf(file: string): Promise<readonly Manifest[]> {
  return parseAllDocuments(await readFile(join(examples, file), 'utf8')).map((document) => document.toJS() as Manifest)
}

export const stepsOf = async (): Promise<readonly Step<Manifest>[]> =>
  demoSteps(await Promise.all([1, 2, 3, 4, 5].map((n) => manifestsOf(`pod${n}.yaml`))))

/** One step of the demo; those of a namespace of their own tell the receiver. */
export async function playStep(
  rest: Rest,
  to: Receiver,
  { namespace, manifests, isRefused }: Step<Manifest>,
): Promise<PodShown | Refused | undefined> {
  if (namespace !== together)
    return showPod(
      rest,
      to,
      namespace,
      manifests.map((each) => withCallback(each, to.url)),
    )
  const answer = await applyAll(rest, manifests, namespace)
  const pod = `${namespace}/${manifests.at(-1)?.metadata.name ?? ''}`
  if (isRefused) return answer.status === 201 ? undefined : refusal(pod, answer)
  if (answer.status !== 201) throw new Error(`pod ${pod}: ${answer.status} ${answer.body.detail ?? ''}`)
  return undefined
}

/** The same manifest, telling the receiver. */
export function withCallback(manifest: Manifest, url: string): Manifest {
  if (manifest.kind !== 'Pod') return { ...manifest, spec: { ...manifest.spec, callbackURL: url } }
  return {
    ...manifest,
    metadata: { ...manifest.metadata, annotations: { ...manifest.metadata.annotations, 'megrez.io/callback-url': url } },
  }
}

/** Applies a file's objects in order; the pod waits until the Subnets and Ports that stand before it are ready. */
export async function applyAll(rest: Rest, manifests: readonly Manifest[], namespace: string): Promise<Answer> {
  let last: Answer | undefined
  for (const manifest of manifests) {
    last = await rest.call('POST', pathOf(manifest.kind, namespace), manifest)
    if (manifest.kind === 'Pod') return last
    if (last.status !== 201) throw new Error(`${manifest.kind} ${manifest.metadata.name}: ${last.status} ${last.body.detail ?? ''}`)
    await until(
      async () => (await rest.call('GET', pathOf(manifest.kind, namespace, manifest.metadata.name))).body.status?.phase === 'ready',
      `${manifest.kind} ${namespace}/${manifest.metadata.name} is ready`,
      settleMs,
    )
  }
  throw new Error(`${namespace}: no pod in the file`)
}

export async function showPod(rest: Rest, receiver: Receiver, namespace: string, manifests: readonly Manifest[]): Promise<PodShown> {
  const began = Date.now()
  const made = await applyAll(rest, manifests, namespace)
  if (made.status !== 201) throw new Error(`pod ${namespace}: ${made.status} ${made.body.detail ?? ''}`)
  const posted = Date.now() - made.tookMs
  const name = made.body.metadata.name
  const isNotified = (): number | undefined =>
    receiver.notices.find(
      (notice) => notice.atMs >= began && notice.namespace === namespace && notice.kind === 'Pod' && notice.phase === 'ready',
    )?.atMs
  await until(
    async () => reportOf((await rest.call('GET', pathOf('Pod', namespace, name))).body)?.phase === 'ready' && isNotified() !== undefined,
    `pod ${namespace}/${name} has its Nics and the receiver was told`,
    settleMs,
  )
  const nics = reportOf((await rest.call('GET', pathOf('Pod', namespace, name))).body)?.nics ?? []
  const notified = (isNotified() ?? 0) - posted
  return {
    namespace,
    name,
    nics: nics.map((nic) => ({
      name: nic.name,
      address: nic.addresses.join(', '),
      portID: nic.portID,
      subnet: nic.subnet,
      createdByUs: nic.createdByUs,
    })),
    stagesMs: {
      admitted: Math.round(made.tookMs),
      ready: Math.round(await readyAt(rest, namespace, posted)),
      notified: Math.round(notified),
    },
  }
}

/** When the last of the namespace's Ports became ready, from their timelines (whole milliseconds of the server's clock). */
async function readyAt(rest: Rest, namespace: string, from: number): Promise<number> {
  const ports = (await rest.call('GET', pathOf('Port', namespace))).body.items ?? []
  const times = ports.flatMap((port) =>
    (port.status?.timeline ?? []).filter((entry) => entry.phase === 'ready').map((entry) => Date.parse(entry.time)),
  )
  return Math.max(0, Math.max(...times) - from)
}

interface Report {
  readonly phase: string
  readonly nics: readonly {
    readonly name: string
    readonly addresses: readonly string[]
    readonly portID: string
    readonly subnet: string
    readonly createdByUs: boolean
  }[]
}
function reportOf(pod: Item): Report | undefined {
  const text = pod.metadata.annotations?.['megrez.io/nic-status']
  return text === undefined ? undefined : (JSON.parse(text) as Report)
}

export const refusal = (pod: string, answer: Answer): Refused => ({
  pod,
  path: answer.body.errors?.[0]?.pointer ?? '',
  message: answer.body.errors?.[0]?.detail ?? answer.body.detail ?? '',
})

/** Deletes what the demo has made, pods first, and waits until nothing is left in its namespaces; the answer is what is. */
export async function takeBack(rest: Rest, namespaces: readonly string[]): Promise<readonly string[]> {
  for (const kind of demoKinds) {
    for (const namespace of namespaces) {
      const { items = [] } = (await rest.call('GET', pathOf(kind, namespace))).body
      for (const { metadata } of items.filter(isOfDemo)) await rest.remove(pathOf(kind, namespace, metadata.name))
    }
  }
  await until(async () => (await leftIn(rest, namespaces)).length === 0, 'nothing is left', settleMs).catch(() => undefined)
  return leftIn(rest, namespaces)
}

/** What there is in these namespaces, or in none. */
export const leftIn = async (rest: Rest, namespaces: readonly string[]): Promise<readonly string[]> =>
  (await rest.everything())
    .filter(({ metadata: { namespace } }) => namespace === undefined || namespaces.includes(namespace))
    .map(({ kind, metadata: { namespace, name } }) => `${kind} ${namespace ?? ''}/${name}`)

/** Deletion does not wait for its notices; the demo does. */
export const allTold = (to: Receiver, pods: readonly Pick<PodShown, 'namespace'>[]): Promise<void> =>
  until(
    () =>
      pods.every((pod) =>
        to.notices.some((notice) => notice.kind === 'Pod' && notice.namespace === pod.namespace && notice.phase === 'deleted'),
      ),
    'the last notices have come',
    settleMs,
  )
