// The way of a Port and of a pod in steps: what is done, what it stands at and why, what comes then; and what a person can do where it is
// stuck. It is read off what is stored: what a planner would do next in a driver's words is its node's or its cloud's to say.
import type { Resource } from '../../kinds/index.ts'
import { requestedMsOf } from '../../kinds/hops.ts'

export interface Step {
  readonly step: string
  /** `now`: it stands here; `next`: it will come to it; `failed`: somebody must do something. */
  readonly state: 'done' | 'now' | 'next' | 'failed'
  readonly because: string
  /** RFC 3339. */
  readonly time?: string
  /** What a person can do about it. */
  readonly help?: string
}

interface Stage {
  readonly step: string
  readonly done: boolean
  /** Once it is done; and while it is not. */
  readonly because: readonly [done: string, waits: string]
  readonly time?: string | undefined
}

/** By the reason of a report. Others say in their own message what they wait for. */
const helpFor: Readonly<Record<string, string>> = {
  SubnetFull: 'delete Ports of the Subnet, or name another Subnet',
  AddressInUse: 'choose another address, or delete who has it: a search for the address names it',
  WaitsForSubnet: 'make the Subnet that it names, or look at why it is not ready',
  UnknownProvider: 'start workers of a version that knows the provider',
}

/** The first that is not done is where it stands. */
export function stepsOf(
  stages: readonly Stage[],
  report: { readonly phase?: string | undefined; readonly reason?: string | undefined },
): readonly Step[] {
  const here = stages.findIndex(({ done }) => !done)
  return stages.map(({ step, because: [done, waits], time }, i): Step => {
    if (here < 0 || i < here) return { step, state: 'done', because: done, ...(time !== undefined && { time }) }
    const help = i === here ? helpFor[report.reason ?? ''] : undefined
    const state = i > here ? 'next' : report.phase === 'error' ? 'failed' : 'now'
    return { step, state, because: waits, ...(help !== undefined && { help }) }
  })
}

const last = ({ status }: Resource<'Port'>): { readonly reason?: string; readonly time?: string } => status?.timeline?.at(-1) ?? {}
const isoOf = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : new Date(ms).toISOString())

/** @param agents whether nodes have agents: else nobody wires, and nobody says so */
export function portSteps(port: Resource<'Port'>, agents: boolean): readonly Step[] {
  const { spec, status = {} } = port
  const { phase, message = 'nobody has looked at it yet' } = status
  const ready = status.timeline?.find((each) => each.phase === 'ready')?.time
  const addresses = status.addresses ?? []
  const stages: Stage[] = [
    { step: 'asked for', done: true, because: [whoAsked(port), ''], time: isoOf(requestedMsOf(port)) },
    { step: 'addressed', done: addresses.length > 0, because: [`it has ${addresses.join(' and ')} in Subnet ${spec.subnet}`, message] },
    { step: 'ready', done: phase === 'ready', because: [message, message], time: ready },
    {
      step: 'on a node',
      done: spec.node !== undefined,
      because: [nodeBecause(port, agents), 'its pod is on no node yet, or nobody uses it'],
    },
    ...(hasWiring(port, agents) ? [{ step: 'wired', done: status.node?.wired === true, because: wiredBecause(port) }] : []),
  ]
  return stepsOf(stages, { phase, reason: last(port).reason })
}

/** What an agent has said is believed, whatever is set. */
const hasWiring = ({ status }: Resource<'Port'>, agents: boolean): boolean => agents || status?.node !== undefined
const nodeBecause = (port: Resource<'Port'>, agents: boolean): string =>
  `on ${port.spec.node}${hasWiring(port, agents) ? '' : '; no agents run here: whoever runs its pod wires it'}`
const whoAsked = ({ spec: { claim } }: Resource<'Port'>): string =>
  claim === undefined ? 'somebody made it' : `Nic ${claim.nic} of pod ${claim.pod} wants it`

function wiredBecause({ spec: { node = 'its node' }, status }: Resource<'Port'>): readonly [string, string] {
  const undone = (status?.node?.conditions ?? []).map(({ message }) => message)
  const waits = status?.node?.message ?? `the agent of ${node} has not said that its interface is there`
  return [[`its interface is on ${node}`, ...undone].join('; '), waits]
}

/** One of any kind: asked for, looked at, ready. */
export function plainSteps({ metadata, status }: Resource): readonly Step[] {
  const {
    phase,
    message,
    observedGeneration,
    timeline = [],
  } = (status ?? {}) as {
    readonly phase?: string
    readonly message?: string
    readonly observedGeneration?: number
    readonly timeline?: readonly { readonly phase: string; readonly reason: string; readonly time: string }[]
  }
  if (phase === undefined && timeline.length === 0) return []
  const latestMessage = message ?? 'nobody has looked at it yet'
  const stages: Stage[] = [
    { step: 'asked for', done: true, because: ['somebody made it', ''], time: metadata.creationTimestamp },
    {
      step: 'looked at',
      done: observedGeneration === undefined || observedGeneration >= metadata.generation,
      because: ['the workers have seen what is wanted', 'what is wanted has changed since the workers have looked'],
    },
    {
      step: 'ready',
      done: phase === 'ready',
      because: [latestMessage, latestMessage],
      time: timeline.find((each) => each.phase === 'ready')?.time,
    },
  ]
  return stepsOf(stages, { phase, reason: timeline.at(-1)?.reason })
}
