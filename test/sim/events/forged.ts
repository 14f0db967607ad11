// A tenant who writes what is not his: a Port that says it is a stranger's pod's, on a node that he chose.
import type { Resource, SpecOf } from '../../../core/kinds/index.ts'
import { keyOfItem } from '../../../core/kinds/index.ts'
import { happeningKind, type World } from '../happening.ts'
import { epochMs } from '../process.ts'
import { hostile, namespaces, nodeNames, podNames, subnetNames } from '../layout.ts'

interface Forged {
  readonly victim: string
  readonly pod: string
  readonly subnet: string
  readonly node: string
  readonly claims: boolean
  /** His claim is one that only lapses: nobody asks before whether its pod is there. */
  readonly lapses?: boolean
  /** So long he waits for the pod to be on a node, if it is there at all; then he forges blindly. */
  readonly waitMs?: number
}
export const forgePort = happeningKind<Forged>({
  name: 'forge-port',
  fault: false,
  weight: 4,
  draw: (dice) => ({
    victim: dice.pick(namespaces),
    pod: dice.mostly(podNames),
    subnet: dice.mostly(subnetNames),
    node: dice.pick(nodeNames),
    claims: dice.chance(0.5),
    lapses: dice.chance(0.5),
    waitMs: dice.chance(0.5) ? 0 : 20_000,
  }),
  run(forged, { outside, site }) {
    const { victim, pod, waitMs = 0 } = forged
    let done = false
    const forge = (target: Resource<'Pod'> | undefined): void => {
      if (done) return
      done = true
      outside.spawn('forge-port', () =>
        outside.create(
          { kind: 'Port', metadata: { namespace: hostile, name: `forged-${pod}` }, spec: specOf(forged, target, site) },
          `operator:${hostile}`,
        ),
      )
    }
    // A sandbox is asked for a moment later: who is to be wired into it must be there by then.
    if (waitMs > 0)
      site.truth.on(
        ({ kind, before, after }) =>
          kind === 'Pod' &&
          after !== undefined &&
          keyOfItem(after) === `${victim}/${pod}` &&
          isPlacedNow(before, after) &&
          forge(after as Resource<'Pod'>),
      )
    site.scheduler.after(waitMs, 'forger waits no longer', () => forge(site.truth.at('Pod', `${victim}/${pod}`)))
  },
})

const nodeOf = (item: Resource | undefined): string | undefined => (item as Resource<'Pod'> | undefined)?.spec.nodeName
const isPlacedNow = (before: Resource | undefined, after: Resource): boolean => nodeOf(before) === undefined && nodeOf(after) !== undefined

function specOf(
  { pod, subnet, node, claims, lapses = false }: Forged,
  target: Resource<'Pod'> | undefined,
  site: World['site'],
): SpecOf<'Port'> {
  const podUID = target?.metadata.uid ?? site.uid()
  const until = lapses ? { until: new Date(Math.floor(epochMs + site.scheduler.now) + lapsesMs).toISOString() } : {}
  return {
    subnet,
    podUID,
    node: target?.spec.nodeName ?? node,
    ...(claims && { claim: { pod, nic: 'eth0', owner: `Pod/${pod}`, podUID, ...until } }),
  }
}

const lapsesMs = 60_000
