// Which modules of BESS and chains of nftables a traced packet meets: those of the models of both, up to where the verdict, or what a node
// does not do, lets it die; on nodes of different data planes too.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { world } from '../../core/kinds/policy/tiers.ts'
import { linuxRenderer } from '../../core/linux/render.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { drawConnection, drawRuleSets, identities, mirrored } from '../laws/rule-sets.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { end, nodesOf, vni, wayBetween } from './walk-things.ts'

const http = { protocol: 6, l4Port: 80 }
const rule = { source: '/spec/egress/0', direction: 'egress', level: 0 } as const
/** Whoever has 1 may talk to whoever has 2, and to no one else. */
const oneToTwo = mirrored(
  unifiedSet({
    vni,
    rules: [
      { ...rule, index: 0, action: 'allow', peers: { identities: [2], blocks: [] } },
      { ...rule, index: 1, level: 1, action: 'deny' },
    ],
  }),
)
const sets = [oneToTwo]
const [web, db, other] = [1, 2, 3].map(
  (identity) =>
    (dataplane: string, node = 'n1') =>
      end(`p${identity}`, { node, address: `10.0.0.${identity}`, sets, identity, dataplane }),
) as [EndOn, EndOn, EndOn]
type EndOn = (dataplane: string, node?: string) => TraceEnd
type At = ReturnType<typeof wayBetween>[number]

const words = (line: string): readonly string[] => line.split(' ')
const onBess = {
  judged: words('in.N meta.N guard.N kind.out who4.out'),
  sent: words('four bum fwd'),
  tunnelled: words('to.5001.020000000002 encap ipencap nexthop hop.HOST etherencap up.out'),
  comes: words('up.in up.match up.from decap bum.in fwd.in'),
  got: words('chk.N kind.in who4.in peer.in.1 may.in else.in out.N'),
}
const policies = (...chains: readonly string[]): readonly string[] => chains.map((chain) => `bridge megrez-policies ${chain}`)
const onLinux = {
  judged: ['bridge megrez source', 'bridge megrez check', ...policies('sent', 'out', 'out4')],
  sent: [...policies('decided-out'), 'bridge megrez-traffic sending', 'mgbr001389'],
  tunnelled: ['mgvx001389', 'netdev megrez route'],
  comes: ['inet megrez check', 'mgvx001389', 'mgbr001389'],
  got: [...policies('received', 'in', 'in4', 'decided-in'), 'bridge megrez-traffic getting'],
}

describe('a traced packet', () => {
  test('meets on BESS the modules up to the way out of a port or of the tunnel, or the table that has no rule for it', () => {
    const { judged, sent, tunnelled, comes, got } = onBess
    const allowed = [...judged, 'peer.out.2', 'may.out', ...sent]
    assert.deepEqual(nodesOf(web('bess'), db('bess'), sets, http)['n1']?.tables, [...allowed, ...got])
    const two = nodesOf(web('bess'), db('bess', 'n2'), sets, http)
    assert.deepEqual(
      [two['n1']?.tables, two['n2']?.tables],
      [
        [...allowed, ...tunnelled],
        [...comes, ...got],
      ],
    )
    assert.deepEqual(nodesOf(web('bess'), other('bess'), sets, http)['n1']?.tables, [...judged, 'peer.out.3', 'may.out', 'else.out'])
  })

  test('meets on Linux the chains of nftables and the devices, up to the chain that drops it', () => {
    const { judged, sent, tunnelled, comes, got } = onLinux
    assert.deepEqual(nodesOf(web('linux'), db('linux'), sets, http)['n1']?.tables, [...judged, ...sent, ...got])
    const two = nodesOf(web('linux'), db('linux', 'n2'), sets, http)
    assert.deepEqual(
      [two['n1']?.tables, two['n2']?.tables],
      [
        [...judged, ...sent, ...tunnelled],
        [...comes, ...got],
      ],
    )
    assert.deepEqual(nodesOf(web('linux'), other('linux'), sets, http)['n1']?.tables, [
      ...judged,
      'bridge megrez-policies decided-out drop',
    ])
  })

  test('goes from one data plane to another, and each node tells of its own', () => {
    for (const [one, far] of [
      ['bess', 'linux'],
      ['linux', 'bess'],
      ['ovs', 'bess'],
      ['linux', 'ovs'],
    ] as const) {
      const two = nodesOf(web(one), db(far, 'n2'), sets, http)
      const ends = {
        bess: ['up.out', 'out.N'],
        linux: ['netdev megrez route', 'bridge megrez-traffic getting'],
        ovs: ['90 output', '90 output'],
      }
      assert.deepEqual([two['n1']?.tables?.at(-1), two['n2']?.tables?.at(-1)], [ends[one][0], ends[far][1]], `${one} to ${far}`)
    }
  })

  test('to or from an address of which no Port is seen is told of without what depends on who has it', () => {
    for (const [dataplane, { judged }] of [
      ['bess', onBess],
      ['linux', onLinux],
    ] as const) {
      const seen = [2, 3, world].map((identity) => nodesOf(web(dataplane), { address: '10.0.0.9', identity }, [open], http)['n1']?.tables)
      for (const each of seen) assert.deepEqual(each, seen[0], 'whether anybody has the address is not told')
      const own = judged.filter((place) => !place.startsWith('who'))
      assert.deepEqual(seen[0]?.slice(0, own.length), own)
      const from = [2, world].map((identity) => nodesOf({ address: '10.0.0.9', identity }, web(dataplane), [open], http)['n1']?.tables)
      assert.deepEqual(from[0], from[1])
      assert.match(from[0]?.[0] ?? '', /^(chk\.N|bridge megrez-policies received)$/)
    }
  })

  test('that policies let pass dies where a node does not do all of one, and goes no further; and the other way round', () => {
    const stateful = unifiedSet({ vni, rules: [{ ...rule, index: 0, action: 'allow' }] })
    const between = (set: RuleSet) => {
      const [from, to] = [1, 2].map((n) =>
        end(`p${n}`, { node: `n${n}`, address: `10.0.0.${n}`, sets: [set], identity: n, dataplane: n === 1 ? 'bess' : 'ovs' }),
      ) as [TraceEnd, TraceEnd]
      return wayBetween(from, to, [set], http).filter(({ at }) => at === 'Node')
    }
    const [here, there] = between(stateful) as [At, At]
    assert.deepEqual([here.fate, there.fate, there.tables], ['dies', 'unreached', undefined])
    assert.match(here.message!, /^port\/a\/p1 is closed there: UnifiedNetworkPolicy a\/p is not done by BESS: \/spec\/egress\/0 /)
    assert.deepEqual(here.tables, words('in.N meta.N guard.N'))
    const denying = unifiedSet({ vni, rules: [{ ...rule, index: 0, action: 'deny' }], onUnsupported: 'allow' })
    const [first] = between(denying) as [At]
    assert.equal(first.fate, 'dies')
    assert.match(first.message!, /denies it by \/spec\/egress\/0; what carries it there does not do that, and lets it pass/)
    assert.equal(first.tables!.at(-1), 'up.out')
  })

  test('is told of by its node alone where rules and blocks are more work than an answer may be', () => {
    const rules = Array.from({ length: 100 }, (_, i) => ({
      ...rule,
      index: i,
      level: i,
      action: 'allow' as const,
      peers: { identities: [], blocks: Array.from({ length: 4 }, (__, k) => `10.${k}.${i}.0/24`) },
    }))
    const many = mirrored(unifiedSet({ vni, rules }))
    const untold = (dataplane: string): string | undefined => {
      const from = end('p1', { node: 'n1', address: '10.0.0.1', sets: [many], identity: 1, dataplane })
      return nodesOf(from, db(dataplane), [many], http)['n1']?.untold
    }
    for (const dataplane of ['bess', 'linux'])
      assert.equal(
        untold(dataplane),
        '200 rules with 400 blocks judge a Port on it, and of more than 32768 pairs of these its node alone tells',
      )
    assert.equal(untold('ovs'), undefined)
  })

  test('of a Vpc that is a VLAN is told of by its node alone', () => {
    for (const dataplane of ['ovs', 'bess', 'linux']) {
      const [from, to] = [web(dataplane), db(dataplane)].map((each) => {
        const port = { ...each.port!, status: { ...each.port!.status!, vlan: { physicalNetwork: 'physnet1', id: 7 } } }
        return { ...each, port }
      }) as [TraceEnd, TraceEnd]
      assert.match(nodesOf(from, to, [], http)['n1']?.untold ?? '', /^what .* does is told by its node alone$/)
    }
  })

  test('that is no IP dies where nothing but IP and ARP passes a Port that is judged', () => {
    const frame = { etherType: 0x88cc }
    const unguarded = (dataplane: string) =>
      end('p1', { node: 'n1', address: '10.0.0.1', sets, identity: 1, dataplane, portSecurity: false })
    assert.equal(nodesOf(unguarded('bess'), db('bess'), sets, frame)['n1']?.tables?.at(-1), 'kind.free')
    assert.equal(nodesOf(unguarded('linux'), db('linux'), sets, frame)['n1']?.tables?.at(-1), 'bridge megrez-policies out drop')
    assert.equal(nodesOf(web('linux'), db('linux'), sets, frame)['n1']?.tables?.at(-1), 'bridge megrez check drop')
    assert.equal(nodesOf(web('bess'), db('bess'), sets, frame)['n1']?.tables?.at(-1), 'guard.N')
  })

  test('comes out of its nodes just where the verdict lets it pass and neither Port is closed, whatever data planes these have', (t) => {
    const [first, seeds] = [randomInt(2 ** 40), trials(300)]
    const counted = { passed: 0, dropped: 0, closed: 0 }
    for (let seed = first; seed < first + seeds; seed++) {
      const { from, to, transport, drawn } = drawPair(seeded(seed))
      const isClosed = [from, to].some((each) => closes(each, drawn))
      const { isAllowed } = traceOf(drawn, { from, to, transport })
      const way = wayBetween(from, to, drawn, transport)
      assertEnd(way, isAllowed && !isClosed, `seed ${seed}: ${JSON.stringify({ way, transport, from, to, drawn })}`)
      counted[isClosed ? 'closed' : isAllowed ? 'passed' : 'dropped']++
    }
    t.diagnostic(`${seeds} seeds from ${first}: ${JSON.stringify(counted)}`)
    assert.ok(Math.min(counted.passed, counted.dropped) > 0)
  })
})

function assertEnd(way: ReturnType<typeof wayBetween>, passes: boolean, what: string): void {
  assert.equal(
    way.every(({ fate }) => fate === 'passes'),
    passes,
    what,
  )
  for (const { at, fate, tables = [] } of way)
    if (at === 'Node' && fate !== 'unreached') assert.equal(isWayOut(tables.at(-1)), fate === 'passes', what)
}

const isWayOut = (place = ''): boolean => /^(out\.N|up\.out|.* getting|.* route)$/.test(place)

/** Two Ports on one node or two, each with BESS or Linux. */
function drawPair(random: () => number) {
  const drawn = drawRuleSets(random, vni, 5).map((set): RuleSet => ({ ...(random() < 0.9 ? mirrored(set) : set), namespace: 'a' }))
  const planes = ['n1', 'n2'].map(() => (random() < 0.5 ? 'bess' : 'linux'))
  const family = random() < 0.7 ? 4 : 6
  const draw = (nth: number): TraceEnd => {
    const at = Math.floor(random() * 2)
    const address = family === 4 ? `10.0.0.${nth}` : `2001:db8::${nth}`
    const identity = identities[Math.floor(random() * identities.length)]!
    return end(`p${nth}`, { node: `n${at + 1}`, address, sets: drawn, identity, dataplane: planes[at]! })
  }
  return { drawn, from: draw(1), to: draw(2), transport: drawConnection(random, family) }
}

/** Nothing of whom is asked: what is said is the same for all. */
const open = mirrored(unifiedSet({ vni, rules: [{ ...rule, index: 0, action: 'allow' }] }))
const renderers = {
  bess: graphRenderer({
    uplink: { ifcName: 'u', mac: '02:00:00:00:00:01', address: '192.0.2.1', l4Port: 4789 },
    dpdkBy: 'memif',
    socketFolder: '/',
  }),
  linux: linuxRenderer({ tunnelAddress: '192.0.2.1', l4Port: 4789 }),
}

/** Whether its node closes a Port, as one of its policies is not done there. */
function closes({ port, identity }: TraceEnd, drawn: readonly RuleSet[]): boolean {
  const renderer = renderers[port?.status?.node?.dataplane as keyof typeof renderers]
  return drawn.some(
    (set) =>
      set.subjects.includes(identity) &&
      set.audit !== true &&
      set.onUnsupported !== 'allow' &&
      renderer.unsupported(ruleSetPiece, set).length > 0,
  )
}
