// Ports that are stored, and the way of a packet between them with what it meets on their nodes.
import type { Resource } from '../../core/kinds/index.ts'
import { ruleSetName } from '../../core/kinds/policy/policy-rule-set.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { identityOf, traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { wayOf, type Waypoint } from '../../core/policy/trace/way.ts'
import { isFrameType, type Carried } from '../../core/policy/verdict.ts'
import { withWalks, type NodeWalk } from '../../core/views/walk/walk.ts'

export const vni = 5001
const metadata = { uid: '', resourceVersion: '1', generation: 1, creationTimestamp: '' }
const subnetOf = (name: string, cidr: string, gateway: string): Resource<'Subnet'> => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'Subnet',
  metadata: { ...metadata, namespace: 'a', name },
  spec: { vpc: 'blue', ipv4: { cidr, gateway } },
})
const subnets = new Map([
  ['a/one', subnetOf('one', '10.0.0.0/24', '10.0.0.254')],
  ['a/two', subnetOf('two', '10.0.1.0/24', '10.0.1.254')],
])

interface PortOf {
  readonly node: string
  readonly address: string
  readonly sets?: readonly RuleSet[]
  readonly identity?: number
  readonly subnet?: string
  readonly dataplane?: string
  readonly portSecurity?: boolean
}

export function end(
  name: string,
  { node, address, sets, identity = 1, subnet = 'one', dataplane = 'ovs', portSecurity = true }: PortOf,
): TraceEnd {
  const ruleSets = (sets ?? []).filter(({ subjects }) => subjects.includes(identity)).map(ruleSetName)
  const nth = Number(address.split(/[.:]/).at(-1))
  const port: Resource<'Port'> = {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Port',
    metadata: { ...metadata, uid: name, namespace: 'a', name },
    spec: { subnet, node, portSecurity },
    status: {
      phase: 'ready',
      vni,
      addresses: [address],
      mac: `02:00:00:00:00:${nth.toString(16).padStart(2, '0')}`,
      hostIP: node === 'n1' ? '192.0.2.1' : '192.0.2.2',
      ...(sets && { policy: { identity, ruleSets } }),
      node: { wired: true, dataplane },
    },
  }
  return { address, identity: identityOf(port), port }
}

type Walked = Waypoint & NodeWalk

export function wayBetween(from: TraceEnd, to: TraceEnd, sets: readonly RuleSet[], transport: Carried): readonly Walked[] {
  const traced = traceOf(sets, { from, to, transport })
  const way = wayOf({ from, to, vni, traced, isFrame: isFrameType(transport) })
  return withWalks(way, { vni, ends: { from, to }, sets, subnets }, transport)
}

/** What it meets on each node, by their names. */
export const nodesOf = (...between: Parameters<typeof wayBetween>): Readonly<Record<string, Walked>> =>
  Object.fromEntries(wayBetween(...between).flatMap((each) => (each.at === 'Node' ? [[each.name!, each]] : [])))
