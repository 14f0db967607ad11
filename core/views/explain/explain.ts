// Why an object is as it is: the same answer for the page and the command line.
import { nicStatusAnnotation } from '../../kinds/annotations.ts'
import { keyOf, type Resource } from '../../kinds/index.ts'
import type { Condition, Transition } from '../../kinds/meta.ts'
import type { ExplainedItem } from '../../node/explained.ts'
import type { InterfaceExplained } from './interfaces.ts'
import { plainSteps, portSteps, type Step } from './steps.ts'

export interface Explanation {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly uid: string
  readonly phase: string
  readonly message: string
  readonly timeline: readonly Transition[]
  readonly conditions: readonly Pick<Condition, 'type' | 'status' | 'reason' | 'message'>[]
  /** Empty for kinds that nobody reports of. */
  readonly steps: readonly Step[]
  /** Of a pod: each Nic by its Port. */
  readonly nics?: readonly NicExplained[]
  /** Of a pod or an L2ServiceAttachment: those in its VLANs. */
  readonly interfaces?: readonly InterfaceExplained[]
}
export interface NicExplained {
  readonly nic: string
  /** Absent: there is none yet, or it may not be seen. */
  readonly port?: string
  readonly phase: string
  readonly message: string
  readonly timeline: readonly Transition[]
  readonly steps: readonly Step[]
}
/** What a Port's node does for it, by what is stored. */
export interface PlaneExplained {
  readonly node: string
  readonly dataplane: string
  readonly items: readonly ExplainedItem[]
}

interface Reported {
  readonly phase?: string
  readonly message?: string
  readonly timeline?: readonly Transition[]
  readonly conditions?: readonly Condition[]
}

export interface ExplainedWithin {
  /** Of a pod: those that it claims, as far as they are seen. */
  readonly ports?: readonly Resource<'Port'>[]
  /** Whether nodes have agents that wire Ports. */
  readonly agents: boolean
}

export function explanationOf(item: Resource, within: ExplainedWithin): Explanation {
  if (item.kind === 'Pod') return explainPod(item as unknown as Resource<'Pod'>, within)
  const report = (item.status ?? {}) as Reported & { readonly node?: Reported }
  // What a node says of a Port stands in its own section.
  const conditions = [...(report.conditions ?? []), ...(report.node?.conditions ?? [])]
  const steps = item.kind === 'Port' ? portSteps(item as unknown as Resource<'Port'>, within.agents) : plainSteps(item)
  return { ...headOf(item, { ...report, conditions }), steps }
}

function headOf(
  { kind, metadata }: Resource,
  { phase = 'new', message, timeline = [], conditions = [] }: Reported,
): Omit<Explanation, 'steps'> {
  return {
    kind,
    ...(metadata.namespace !== undefined && { namespace: metadata.namespace }),
    name: metadata.name,
    uid: metadata.uid,
    phase,
    message: message ?? 'nobody has looked at it yet',
    timeline,
    conditions: conditions.map(({ type, status, reason, message: said }) => ({ type, status, reason: reason ?? '', message: said ?? '' })),
  }
}

interface PodReported extends Reported {
  readonly nics?: readonly { readonly name: string; readonly port?: string; readonly phase: string }[]
}

function explainPod(pod: Resource<'Pod'>, within: ExplainedWithin): Explanation {
  const { ports = [] } = within
  const report = podReport(pod)
  const conditions = (pod.status?.conditions ?? []) as unknown as readonly Condition[]
  const nics = (report.nics ?? []).map((nic) => explainNic(nic.name, within, nic))
  const others = ports.filter(({ spec }) => !nics.some(({ nic }) => nic === spec.claim?.nic))
  const all = [...nics, ...others.map(({ spec }) => explainNic(spec.claim?.nic ?? '', within))]
  return { ...headOf(pod, { ...report, conditions }), steps: podSteps(pod, report, all), nics: all }
}

/** A pod's owner may have written nonsense there. */
function podReport({ metadata }: Resource<'Pod'>): PodReported {
  try {
    const read = JSON.parse(metadata.annotations?.[nicStatusAnnotation] ?? '{}') as unknown
    const { phase, message, nics, timeline } = (typeof read === 'object' && read !== null ? read : {}) as Readonly<Record<string, unknown>>
    return {
      ...(typeof phase === 'string' && { phase }),
      ...(typeof message === 'string' && { message }),
      ...(Array.isArray(nics) && { nics: nics.filter(isNic) }),
      ...(Array.isArray(timeline) && { timeline: timeline.filter(isTransition) }),
    }
  } catch {
    return {}
  }
}

const hasTexts = (value: unknown, ...fields: readonly string[]): boolean =>
  typeof value === 'object' &&
  value !== null &&
  fields.every((field) => typeof (value as Readonly<Record<string, unknown>>)[field] === 'string')
const isNic = (value: unknown): value is NonNullable<PodReported['nics']>[number] => hasTexts(value, 'name', 'phase')
const isTransition = (value: unknown): value is Transition => hasTexts(value, 'time', 'phase', 'reason')

function explainNic(nic: string, { ports = [], agents }: ExplainedWithin, reported?: { readonly phase: string }): NicExplained {
  const port = ports.find(({ spec }) => spec.claim?.nic === nic)
  if (port === undefined) {
    const because = 'it has no Port yet, or none that you may see'
    return { nic, phase: reported?.phase ?? 'new', message: because, timeline: [], steps: [{ step: 'asked for', state: 'now', because }] }
  }
  const { phase, message, timeline } = headOf(port, port.status ?? {})
  return { nic, port: keyOf(port.metadata), phase, message, timeline, steps: portSteps(port, agents) }
}

/** Its own: what holds its Nics up stands at each of them. */
function podSteps(pod: Resource<'Pod'>, report: PodReported, nics: readonly NicExplained[]): readonly Step[] {
  const { nodeName } = pod.spec
  const waits = nics.flatMap(({ nic, steps }) =>
    steps.filter(({ state }) => state === 'now' || state === 'failed').map(({ step, because }) => `Nic ${nic} is not ${step}: ${because}`),
  )
  const isReady = report.phase === 'ready'
  const state = isReady ? 'done' : report.phase === 'error' ? 'failed' : 'now'
  return [
    { step: 'asked for', state: 'done', because: 'the pod is stored', time: pod.metadata.creationTimestamp },
    nodeName === undefined
      ? { step: 'scheduled', state: 'now', because: 'it is on no node yet' }
      : { step: 'scheduled', state: 'done', because: `on ${nodeName}` },
    {
      step: 'ready',
      state,
      because: isReady ? (report.message ?? 'its Nics are ready') : waits.join('; ') || (report.message ?? 'nobody has looked at it yet'),
    },
  ]
}
