// What a trace tells of pods' packets by what would be stored of them, and whether it is so on their real nodes: the way of a packet ends
// where the packet does, and all that it is said to meet is there.
import assert from 'node:assert/strict'
import type { Resource } from '../../core/kinds/index.ts'
import { ruleSetName } from '../../core/kinds/policy/policy-rule-set.ts'
import type { LocalPort, RuleSet } from '../../core/node/wanted.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { wayOf } from '../../core/policy/trace/way.ts'
import { withWalks } from '../../core/views/walk/walk.ts'

export interface WalkedPod {
  readonly port: LocalPort
  readonly identity: number
  readonly node: string
  readonly hostIP: string
}

export interface WalkedPair {
  readonly vni: number
  readonly from: WalkedPod
  readonly to: WalkedPod
  readonly sets: readonly RuleSet[]
  readonly dataplane: string
}

/** What there is on each node, as a trace calls it. */
export type Places = ReadonlyMap<string, ReadonlySet<string>>

const metadata = { resourceVersion: '1', generation: 1, creationTimestamp: '' }
const subnet: Resource<'Subnet'> = {
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'Subnet',
  metadata: { ...metadata, uid: 's', namespace: 'a', name: 'one' },
  spec: { vpc: 'blue', ipv4: { cidr: '10.0.0.0/24', gateway: '10.0.0.254' } },
}

function endOf({ port, identity, node, hostIP }: WalkedPod, { vni, sets, dataplane }: WalkedPair): TraceEnd {
  const { uid, mac, addresses } = port
  const ruleSets = sets.filter(({ subjects }) => subjects.includes(identity)).map(ruleSetName)
  const stored: Resource<'Port'> = {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Port',
    metadata: { ...metadata, uid, namespace: 'a', name: uid },
    spec: { subnet: 'one', node },
    status: {
      phase: 'ready',
      vni,
      addresses: [...addresses],
      mac,
      hostIP,
      policy: { identity, ruleSets },
      node: { wired: true, dataplane },
    },
  }
  return { address: addresses[0]!, identity, port: stored }
}

/** @throws AssertionError where it is told otherwise than it is */
export function assertWalked(pair: WalkedPair, passes: boolean, places: Places): void {
  const { vni, sets } = pair
  const [from, to] = [endOf(pair.from, pair), endOf(pair.to, pair)]
  const transport = { protocol: 17, l4Port: 80 }
  const traced = traceOf(sets, { from, to, transport })
  const subnets = new Map([['a/one', subnet]])
  const way = withWalks(wayOf({ from, to, vni, traced }), { vni, ends: { from, to }, sets, subnets }, transport)
  const what = JSON.stringify(way)
  assert.equal(
    way.every(({ fate }) => fate === 'passes'),
    passes,
    what,
  )
  for (const { at, name = '', fate, tables = [] } of way)
    if (at === 'Node' && fate !== 'unreached') {
      assert.ok(tables.length > 0, what)
      for (const place of tables) assert.ok(places.get(name)?.has(place.replace(/ drop$/, '')), `${place} is not on ${name}: ${what}`)
    }
}
