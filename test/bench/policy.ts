// Rules of policies as flows of Open vSwitch: how many of them there are, against the fewest that conjunctions over addresses come to.
import { Pieces } from '../../agent/pieces/pieces.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import type { Endpoint, RuleSet } from '../../core/node/wanted.ts'
import { switchRenderer } from '../../core/pipeline/compile.ts'
import type { Flow } from '../../core/pipeline/openflow/flow.ts'
import { tables } from '../../core/pipeline/tables.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { seeded } from '../workers/test-cluster.ts'
import { run } from '../../platform/programs/run.ts'
import { join } from 'node:path'
import { enforcedMs } from './lib/policy-enforced.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'
import { interleaved, median, quantile } from './lib/rounds.ts'

export const description =
  'policies: 1,000 rules for 1,000 addresses as flows, 75,000 policies of 100,000 pods as rules, and one change of either, until it is enforced'

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

export default async function policy(): Promise<readonly Metric[]> {
  const sets = drawn()
  const value = flowsOf(sets).filter(isOfPolicies).length
  const times = await interleaved(rounds, {
    ours: () => {
      // As they come to an agent: nobody has seen them before.
      const told = structuredClone(sets)
      return Promise.resolve(msOf(() => flowsOf(told).length))
    },
    floor: () => Promise.resolve(msOf(() => mergedFlows(sets).size)),
  })
  const all = await ranAlone<{ ms: number; rssMiB: number }>('policy-cluster')
  const changes = await ranAlone<{ edits: number[]; relabels: number[] }>('policy-changes')
  const enforced = await enforcedMs()
  return [
    againstFloor('compile-1k.time', 'ms', { value: times.ours.median, floor: times.floor }, { atMost: 2 }),
    againstFloor('compile-1k.flows', 'flows', { value, floor: mergedFlows(sets).size }, { atMost: 1.1 }),
    absolute('compile-75k.time', 'ms', all.ms, { atMost: 3_000 }),
    absolute('compile-75k.rss', 'MiB', all.rssMiB, { atMost: 0.8 * 1_024 }),
    absolute('change.compile', 'ms', Math.max(median(changes.edits), median(changes.relabels)), { atMost: 5 }),
    absolute('change.enforced-p50', 'ms', quantile(enforced, 0.5), { atMost: 20 }),
    absolute('change.enforced-p99', 'ms', quantile(enforced, 0.99), { atMost: 100 }),
  ]
}

const rounds = 15

function msOf(run: () => number): number {
  const began = performance.now()
  if (run() === 0) throw new Error('nothing was compiled')
  return performance.now() - began
}

/** A program of lib/, so that what others have left in memory is nothing to it. @returns what it prints */
async function ranAlone<T>(name: string): Promise<T> {
  const { code, stdout, stderr } = await run(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, `lib/${name}.ts`),
  ])
  if (code !== 0) throw new Error(`${name}: ${stderr}`)
  return JSON.parse(stdout) as T
}

function drawn(): readonly RuleSet[] {
  const random = seeded(1)
  const below = (n: number): number => Math.floor(random() * n)
  return Array.from({ length: rules }, (_, i) =>
    ruleSet(i + 1, {
      subject: 1 + below(groups),
      peer: 1 + below(groups),
      l4Ports: Array.from({ length: 1 + below(3) }, () => 1 + below(65_535)),
    }),
  )
}

const base = new Set(renderer.base().map(({ key }) => key))

/** What an agent does with what it is told: pieces, those that are made of them, and flows. */
function flowsOf(sets: readonly RuleSet[]): readonly Flow[] {
  const pieces = new Pieces({ changed: () => undefined })
  for (let i = 0; i < endpoints; i++) pieces.learn(endpointPiece, endpoint(i))
  for (const set of sets) pieces.learn(ruleSetPiece, set)
  return [...itemsOf(renderer, pieces.wanted())].flatMap(({ key, value }) => (value.kind === 'flow' && !base.has(key) ? [value.flow] : []))
}

const isOfPolicies = ({ table }: Flow): boolean => table >= tables.policyState.number && table <= tables.policyBaseline.number

/**
 * By hand, and nothing but that: one flow a rule, one for each address as whom it judges and one as its other end, one for each port; in
 * each the conjunctions of all rules that ask for it.
 */
function mergedFlows(sets: readonly RuleSet[]): ReadonlyMap<string, string> {
  const asking = new Map<string, string[]>()
  const ask = (key: string, conjunction: string): void => {
    const there = asking.get(key)
    if (there === undefined) asking.set(key, [conjunction])
    else there.push(conjunction)
  }
  const members = Map.groupBy(
    Array.from({ length: endpoints }, (_, i) => endpoint(i)),
    ({ identity }) => identity,
  )
  for (const { number, subjects, rules: of } of sets)
    for (const { peers, transport = [] } of of) {
      for (const { address } of members.get(subjects[0]) ?? []) ask(`ip,reg0=${vni},nw_dst=${address}`, `conjunction(${number},1/3)`)
      for (const { address } of members.get(peers!.identities[0]) ?? [])
        ask(`ip,reg0=${vni},nw_src=${address}`, `conjunction(${number},2/3)`)
      for (const { first } of transport) ask(`tcp,reg0=${vni},tp_dst=${first}`, `conjunction(${number},3/3)`)
      ask(`conj_id=${number},reg0=${vni}`, 'resubmit(,18)')
    }
  return new Map([...asking].map(([key, all]) => [key, `table=17,priority=100,${key},actions=${all.join()}`]))
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
