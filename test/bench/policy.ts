// Rules of policies as flows of Open vSwitch: how many of them there are, against the fewest that conjunctions over addresses come to.
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { ruleSetPiece } from '../../core/pieces/rule-set.ts'
import type { Endpoint, RuleSet } from '../../core/node/wanted.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import type { Flow } from '../../core/pipeline/openflow/flow.ts'
import { tables } from '../../core/pipeline/tables.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { pieceSet } from '../laws/node-wanted.ts'
import { seeded } from '../workers/test-cluster.ts'
import { againstFloor, type Metric } from './lib/metric.ts'

export const description = 'flows of 1,000 rules for 1,000 addresses in 100 groups, against conjunctions merged by address'

const rules = 1_000
const endpoints = 1_000
const groups = 100
const vni = 5_001

const renderer = switchRenderer(() => ({
  node: 'bench',
  bridge: 'mgz',
  datapath: 'netdev',
  tunnelAddress: '192.0.2.1',
  tunnelL4Port: 4789,
  uplinks: {},
}))

export default function policy(): Promise<readonly Metric[]> {
  const random = seeded(1)
  const below = (n: number): number => Math.floor(random() * n)
  const sets = Array.from({ length: rules }, (_, i) =>
    ruleSet(i + 1, {
      subject: 1 + below(groups),
      peer: 1 + below(groups),
      l4Ports: Array.from({ length: 1 + below(3) }, () => 1 + below(65_535)),
    }),
  )
  const pieces = pieceSet([
    [endpointPiece, Array.from({ length: endpoints }, (_, i) => endpoint(i))],
    [ruleSetPiece, sets],
  ])
  const base = new Set(renderer.base().map(({ key }) => key))
  const flows = [...itemsOf(renderer, pieces)].flatMap(({ key, value }) => (value.kind === 'flow' && !base.has(key) ? [value.flow] : []))
  const value = flows.filter(isOfPolicies).length
  return Promise.resolve([againstFloor('compile-1k.flows', 'flows', { value, floor: merged(sets) }, { atMost: 1.1 })])
}

const isOfPolicies = ({ table }: Flow): boolean => table >= tables.policyState.number && table <= tables.policyBaseline.number

/** One flow a rule, one for each address as whom it judges and one as its other end, one for each port. */
function merged(sets: readonly RuleSet[]): number {
  const l4Ports = new Set(sets.flatMap((set) => set.rules.flatMap(({ transport = [] }) => transport.map(({ first }) => first))))
  return rules + 2 * endpoints + l4Ports.size
}

const endpoint = (i: number): Endpoint => ({
  vni,
  address: `10.0.${i >> 8}.${i & 255}`,
  mac: `02:00:00:00:${(i >> 8).toString(16).padStart(2, '0')}:${(i & 255).toString(16).padStart(2, '0')}`,
  hostIP: '192.0.2.2',
  identity: 1 + (i % groups),
})

interface DrawnRule {
  readonly subject: number
  readonly peer: number
  readonly l4Ports: readonly number[]
}

const ruleSet = (number: number, { subject, peer, l4Ports }: DrawnRule): RuleSet => ({
  namespace: 'net',
  vni,
  number,
  tier: 'networkPolicy',
  policy: { kind: 'NetworkPolicy', namespace: 'a', name: `policy-${number}`, uid: `uid-${number}` },
  priority: 0,
  subjects: [subject],
  isolates: ['ingress'],
  rules: [
    {
      index: 0,
      source: '/spec/ingress/0',
      direction: 'ingress',
      level: 0,
      action: 'allow',
      peers: { identities: [peer], blocks: [] },
      transport: l4Ports.map((first) => ({ protocol: 6, first, last: first })),
    },
  ],
})
