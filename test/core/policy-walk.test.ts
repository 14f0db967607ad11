// Which tables a traced packet meets on each node: those of the pipeline that it would go through, up to where the verdict lets it die.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { world } from '../../core/kinds/policy/tiers.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { wayOf } from '../../core/policy/trace/way.ts'
import type { NodeWalk } from '../../core/views/walk/walk.ts'
import { drawConnection, drawRuleSets, etherTypes, identities } from '../laws/rule-sets.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { end, nodesOf, vni, wayBetween } from './walk-things.ts'

const http = { protocol: 6, l4Port: 80 }
const words = (walk: NodeWalk | undefined): string => (walk?.tables ?? []).map((table) => table.replace(/^\d+ /, '')).join(' ')
const tiers = 'policyState policyPeer policyAdmin policyUnified policyNetwork policyGroups policyBaseline'
const sends = 'classify guard policyOut'
const leaves = 'mark rate chain learn ask forward'

const allowing: RuleSet = {
  namespace: 'a',
  vni,
  number: 1,
  tier: 'unified',
  policy: { kind: 'UnifiedNetworkPolicy', namespace: 'a', name: 'p', uid: 'p' },
  priority: 0,
  subjects: [1],
  isolates: ['ingress', 'egress'],
  rules: [{ index: 0, source: '/spec/egress/0', direction: 'egress', level: 0, action: 'allow', transport: [{ protocol: 6, first: 80 }] }],
}
const judged = { sets: [allowing] }

describe('a traced packet', () => {
  test('meets the tables of both nodes, and is new in the zone of whoever is judged', () => {
    const nodes = nodesOf(
      end('web', { node: 'n1', address: '10.0.0.1', ...judged }),
      end('db', { node: 'n2', address: '10.0.0.2' }),
      [allowing],
      http,
    )
    assert.equal(words(nodes['n1']), `${sends} ${tiers} policyVerdict ${leaves} qos output`)
    assert.deepEqual(nodes['n1']?.conntrack, [{ port: { namespace: 'a', name: 'web' }, says: 'new', isKept: true }])
    assert.equal(words(nodes['n2']), 'classify forward policyIn qos output')
    assert.deepEqual(nodes['n2']?.conntrack, [])
  })

  test('that goes by a service chain is looked at by that where its subject is, and says which functions have it', () => {
    const ends = [{ mac: '02:00:00:00:00:01', addresses: ['10.0.0.1'] }]
    const instances = [{ port: 'f', mac: '02:00:00:00:00:09', addresses: ['10.0.0.9'] }]
    const functions = [{ name: 'firewall', onFailure: 'drop' as const, instances }]
    const chained: RuleSet = { ...allowing, chains: { ends, chains: [{ index: 0, name: 'c', direction: 'egress', functions }] } }
    const from = end('web', { node: 'n1', address: '10.0.0.1', sets: [chained] })
    const way = wayBetween(from, end('db', { node: 'n2', address: '10.0.0.2' }), [chained], http)
    const [first, second] = way.filter(({ at }) => at === 'Node')
    assert.equal(first?.message, 'goes by service chain c of UnifiedNetworkPolicy a/p: firewall at 10.0.0.9')
    assert.match(words(first), / chain function forward/)
    assert.equal(second?.message, undefined)
    const { port: _, ...unseenEnd } = from
    const unseen = wayBetween(unseenEnd, end('db', { node: 'n2', address: '10.0.0.2' }), [chained], http)
    assert.deepEqual(unseen.map(({ message }) => message).filter((message) => message?.includes('chain')), []) // prettier-ignore
  })

  test('that policies deny ends at the tier that says so, is not kept, and is not told of on the node that it does not reach', () => {
    const nodes = nodesOf(
      end('web', { node: 'n1', address: '10.0.0.1', ...judged }),
      end('db', { node: 'n2', address: '10.0.0.2' }),
      [allowing],
      {
        protocol: 17,
        l4Port: 53,
      },
    )
    assert.equal(words(nodes['n1']), `${sends} policyState policyPeer policyAdmin policyUnified`)
    assert.deepEqual(nodes['n1']?.conntrack, [{ port: { namespace: 'a', name: 'web' }, says: 'new', isKept: false }])
    assert.equal(nodes['n2']?.tables, undefined)
  })

  test('between two of one node is judged there twice, each in its own zone', () => {
    const set = { ...allowing, isolates: [] }
    const both = { node: 'n1', sets: [set] }
    const nodes = nodesOf(end('web', { ...both, address: '10.0.0.1' }), end('db', { ...both, address: '10.0.0.2' }), [set], http)
    assert.equal(words(nodes['n1']), `${sends} ${tiers} policyVerdict ${leaves} policyIn ${tiers} policyVerdict qos output`)
    assert.deepEqual(
      nodes['n1']?.conntrack?.map(({ port, isKept }) => [port.name, isKept]),
      [
        ['web', true],
        ['db', true],
      ],
    )
  })

  test('to another Subnet goes by the gateway', () => {
    const to = end('db', { node: 'n2', address: '10.0.1.2', subnet: 'two' })
    const nodes = nodesOf(end('web', { node: 'n1', address: '10.0.0.1' }), to, [], http)
    assert.equal(words(nodes['n1']), `${sends} mark rate chain learn ask neighbour answer forward qos output`)
  })

  test('to or from an address of which no Port is seen is told of as far as the Port that is seen is judged', () => {
    const web = end('web', { node: 'n1', address: '10.0.0.1', ...judged })
    const outside = { address: '198.51.100.7', identity: world }
    assert.equal(words(nodesOf(web, outside, [allowing], http)['n1']), `${sends} ${tiers} policyVerdict mark rate chain learn`)
    assert.equal(words(nodesOf(outside, web, [allowing], http)['n1']), 'policyIn policyState policyPeer policyAdmin policyUnified')
    const [there, absent] = [9, world].map((identity) => nodesOf(web, { address: '10.0.0.9', identity }, [allowing], http))
    assert.deepEqual(there, absent, 'whether anybody has the address is not told')
  })

  test('is not told of where nobody knows what a node has, and why', () => {
    const web = end('web', { node: 'n1', address: '10.0.0.1', ...judged })
    const silent = { ...web, port: { ...web.port!, status: { ...web.port!.status!, node: {} } } }
    assert.deepEqual(
      nodesOf(silent, end('db', { node: 'n2', address: '10.0.0.2' }), [], http)['n1']?.untold,
      'n1 has not told what carries its Ports',
    )
    assert.equal(nodesOf(web, web, [allowing], http)['n1']?.untold, 'what a pod sends to itself does not leave it')
    const rules = Array.from({ length: 513 }, (_, index) => ({ ...allowing.rules[0]!, index }))
    const many = end('web', { node: 'n1', address: '10.0.0.1', sets: [{ ...allowing, rules }] })
    const untold = nodesOf(many, end('db', { node: 'n2', address: '10.0.0.2' }), [{ ...allowing, rules }], http)['n1']?.untold
    assert.equal(untold, '513 rules judge a Port on it, and of more than 512 its node alone tells')
    const framed: RuleSet = { ...allowing, rules: [{ ...allowing.rules[0]!, frame: { peerMac: '02:00:00:00:00:09' } }] }
    const outside = { address: '198.51.100.7', identity: world }
    assert.match(nodesOf(web, outside, [framed], http)['n1']?.untold ?? '', /^rules ask for MACs/)
  })

  test('that is no IP is in no zone, and ends at the guard of a Port with portSecurity, and where rules look at no frames', () => {
    const [lldp, db] = [{ etherType: 0x88cc }, end('db', { node: 'n2', address: '10.0.1.2', subnet: 'two' })]
    const web = { node: 'n1', address: '10.0.0.1' }
    const open = nodesOf(end('web', { ...web, portSecurity: false }), db, [], lldp)
    assert.equal(words(open['n1']), 'classify policyOut mark rate chain learn ask forward qos output', 'nobody routes it')
    assert.deepEqual(open['n1']?.conntrack, [])
    assert.equal(words(nodesOf(end('web', web), db, [], lldp)['n1']), 'classify guard')
    const way = (dataplane: string) => {
      const from = end('web', { ...web, sets: [], dataplane, portSecurity: false })
      return wayOf({ from, to: db, vni, traced: traceOf([], { from, to: db, transport: lldp }), isFrame: true })
    }
    const fates = ['ovs', 'bess', 'linux'].map((plane) => way(plane).find(({ at }) => at === 'Node')?.fate)
    assert.deepEqual(fates, ['passes', 'dies', 'dies'])
  })

  test('comes out of a node just where the verdict lets it pass', (t) => {
    const [first, seeds] = [randomInt(2 ** 40), trials(1_000)]
    const counted = { passed: 0, dropped: 0 }
    for (let seed = first; seed < first + seeds; seed++) {
      const random = seeded(seed)
      const isFrame = random() < 0.3
      const sets = drawRuleSets(random, vni).map((set): RuleSet => ({ ...set, namespace: 'a' }))
      const draw = (name: string, address: string): TraceEnd => {
        const identity = identities[Math.floor(random() * identities.length)]!
        return end(name, { node: random() < 0.5 ? 'n1' : 'n2', address, sets, identity, portSecurity: !isFrame })
      }
      const [from, to] = [draw('web', '10.0.0.1'), draw('db', '10.0.0.2')]
      const transport = isFrame ? { etherType: random() < 0.7 ? etherTypes[0]! : 0x88cc } : drawConnection(random, 4)
      const { isAllowed } = traceOf(sets, { from, to, transport })
      const nodes = Object.values(nodesOf(from, to, sets, transport)).flatMap(({ tables }) => (tables === undefined ? [] : [tables]))
      const comesOut = nodes.every((tables) => tables.at(-1) === '90 output')
      assert.equal(comesOut, isAllowed, `seed ${seed}: ${JSON.stringify({ nodes, transport, from, to, sets })}`)
      counted[isAllowed ? 'passed' : 'dropped']++
    }
    t.diagnostic(`${seeds} seeds from ${first}: ${JSON.stringify(counted)}`)
    assert.ok(Math.min(counted.passed, counted.dropped) > seeds / 20)
  })
})
