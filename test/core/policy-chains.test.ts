// Service chains of a policy, as they are compiled for one VNI: what is too much of them, and what cannot be read or done, fails closed.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { parse } from 'yaml'
import { judge } from '../../core/admit/object/rules.ts'
import { check, withDefaults } from '../../core/admit/object/schema.ts'
import type { CompiledChain, PolicyChains } from '../../core/kinds/policy/chain.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { chainFlows } from '../../core/pipeline/chains/chain.ts'
import { macValue } from '../../core/pipeline/openflow/values.ts'
import type { Compiled } from '../../core/policy/compile.ts'
import { namesIn } from '../../core/policy/read/names.ts'
import { readPolicy } from '../../core/policy/read.ts'
import { endsMost, instancesMost, type ChainPort } from '../../core/policy/rules/chains.ts'
import { chainTaken } from '../../core/views/walk/taken-chain.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { read } from '../repo/sources.ts'
import { member, resource, vni, worldOf } from './policy-things.ts'

const names = (count: number, of: string): readonly string[] => Array.from({ length: count }, (_, i) => `${of}-${i}`)
const chained = (chain: object = {}, more: object = {}): object => ({
  podSelector: { matchLabels: { app: 'client' } },
  chains: [{ name: 'c', functions: [{ name: 'f', pods: { matchLabels: { app: 'f' } } }], ...chain }],
  ...more,
})

interface Around {
  readonly clients?: number
  readonly functions?: number
  readonly isOpen?: boolean
}
function compiled(
  spec: object,
  { clients = 1, functions = 1, isOpen = false }: Around = {},
): Compiled & { problems: readonly { path: string }[] } {
  const { policy, problems } = readPolicy(resource('UnifiedNetworkPolicy', 'a/p', spec))
  const of = (all: readonly string[], app: string) => all.map((name) => member(`a/${name}`, { app }))
  const members = [...of(names(clients, 'client'), 'client'), ...of(names(functions, 'f'), 'f')]
  const { numberOf, compile } = worldOf(members, [policy!], { subnets: new Map([['a/net', ['10.0.0.0/8']]]), families: [4] })
  const ports = members.map(({ port, labels, namespace }, i): ChainPort => ({
    port: `uid of ${port}`,
    name: port,
    mac: `02:00:00:00:${(i >> 8).toString(16).padStart(2, '0')}:${(i & 255).toString(16).padStart(2, '0')}`,
    addresses: [`10.0.${i >> 8}.${i & 255}`],
    namespace,
    labels,
    identity: numberOf(port),
    isJudged: false,
    isReady: true,
  }))
  const open = isOpen ? { vni: vlanSegment('physnet1', 100), isOpen, subnets: new Map<string, readonly string[]>() } : {}
  const done = compile(policy!, { chainPorts: () => ports, ...open })
  return { ...done, problems: [...problems, ...done.problems] }
}
const chainsOf = (...given: Parameters<typeof compiled>): PolicyChains => compiled(...given).spec.chains!
const problemsOf = (...given: Parameters<typeof compiled>): readonly string[] =>
  compiled(...given).problems.map(({ path, message }) => `${path} ${message}`)

test('the example of docs/policy.md is taken as it stands, and all of it is done', () => {
  const [, text = ''] = /## Service chains[^]*?```yaml\n([^]*?)```/.exec(read('docs/policy.md')) ?? []
  const object = withDefaults('UnifiedNetworkPolicy', parse(text) as never)
  assert.deepEqual([...check('UnifiedNetworkPolicy', object), ...judge('UnifiedNetworkPolicy', object, undefined)], [])
  const { policy, problems } = readPolicy(resource('UnifiedNetworkPolicy', 'blue/inspected', (object as { spec: object }).spec))
  assert.deepEqual(problems, [])
  assert.deepEqual(
    policy?.chains?.flatMap(({ functions }) => functions.map(({ name, nic, onFailure }) => [name, nic, onFailure])),
    [
      ['firewall', undefined, 'drop'],
      ['cache', 'eth0', 'pass'],
    ],
  )
})

test('a chain is for so many Ports, and a function is carried out by so many, and the policy says so', () => {
  const { ends, chains } = chainsOf(chained(), { clients: endsMost + 2, functions: instancesMost + 1 })
  assert.deepEqual([ends.length, chains[0]?.functions[0]?.instances.length], [endsMost, instancesMost])
  assert.deepEqual(problemsOf(chained(), { clients: endsMost + 2, functions: instancesMost + 1 }), [
    '/spec/chains is for more than 256 Ports: nothing passes at those above',
    '/spec/chains/0/functions/0/pods is carried out by the first 16 of 17 Ports',
  ])
})

test('peers that come to too many blocks and ports are anyone: what is to go by a function does not go past it', () => {
  const peers = [{ podSelector: { matchLabels: { app: 'f' } } }]
  const ports = Array.from({ length: 32 }, (_, i) => ({ l4Port: 100 * i + 1, l4PortMax: 100 * i + 50 }))
  assert.equal(chainsOf(chained({ peers }), { functions: 200 }).chains[0]?.blocks?.length, 200)
  const wide = chainsOf(chained({ peers, ports }), { functions: 200 }).chains[0]
  assert.deepEqual([wide?.blocks, wide?.transport?.length], [undefined, 32])
  assert.match(problemsOf(chained({ peers, ports }), { functions: 200 }).join(), /\/spec\/chains\/0\/peers comes to more than 4096 blocks/)
})

test('who cannot be read as a function is nobody, and as the other end anybody', () => {
  const pods = { matchLabels: { app: 'f' }, matchFields: {} }
  const { chains } = chainsOf(chained({ functions: [{ name: 'f', pods }] }))
  assert.deepEqual(chains[0]?.functions, [{ name: 'f', onFailure: 'drop', instances: [] }])
  assert.match(
    problemsOf(chained({ functions: [{ name: 'f', pods }] })).join(),
    /^\/spec\/chains\/0\/functions\/0\/pods\/matchFields is not known/,
  )
  assert.equal(chainsOf(chained({ peers: [{ cidr: '10.0.0.1/8' }] })).chains[0]?.blocks, undefined)
})

test('names outside are asked for, and until they have addresses the other end is anybody', () => {
  const spec = chained({ peers: [{ fqdn: 'Example.org' }] })
  assert.deepEqual(namesIn(spec as never), ['example.org'])
  assert.equal(chainsOf(spec).chains[0]?.blocks, undefined)
  assert.match(problemsOf(spec).join(), /^\/spec\/chains\/0\/peers\/0\/fqdn has no address/)
})

test('without anybody who goes by them nobody carries them out', () => {
  const { ends, chains } = chainsOf(chained(), { clients: 0 })
  assert.deepEqual([ends, chains[0]?.functions[0]?.instances], [[], []])
  assert.deepEqual(problemsOf(chained(), { clients: 0 }), [])
})

test('in a VLAN, where nothing is handed to functions, what is to go by one is denied, unless it may be left out', () => {
  const denied = (chain: object, more: object = {}): readonly unknown[] => {
    const { spec } = compiled(chained({ peers: [{ cidr: '192.0.2.0/24' }], ...chain }, more), { isOpen: true })
    assert.equal(spec.chains, undefined)
    return spec.rules.filter(({ action }) => action === 'deny').map(({ direction, peers }) => `${direction} ${String(peers?.blocks)}`)
  }
  assert.deepEqual(denied({}), ['egress 192.0.2.0/24'])
  assert.deepEqual(denied({ direction: 'ingress' }), ['ingress 192.0.2.0/24'])
  assert.deepEqual(denied({ functions: [{ name: 'f', pods: {}, onFailure: 'pass' }] }), [])
  assert.deepEqual(denied({}, { onUnsupported: 'allow' }), [])
  assert.deepEqual(problemsOf(chained(), { isOpen: true }), ['/spec/chains/0 goes by functions, to which nothing is handed in a VLAN'])
})

describe('a trace says which chain a packet goes by, and who has it', () => {
  const [client, server] = ['10.0.0.2', '10.0.0.35']
  const instances = [11, 12].map((n) => ({ port: `p${n}`, mac: `02:00:00:00:00:${n}`, addresses: [`10.0.0.${n}`] }))
  const functions: CompiledChain['functions'] = [
    { name: 'firewall', onFailure: 'drop', instances },
    { name: 'cache', onFailure: 'pass', instances: [] },
    { name: 'proxy', onFailure: 'drop', instances: [{ port: 'p13', mac: '02:00:00:00:00:13', addresses: ['10.0.0.13'] }] },
  ]
  const set = (chain: Partial<CompiledChain> = {}, more: object = {}): RuleSet =>
    unifiedSet({
      vni,
      rules: [],
      chains: {
        ends: [{ mac: '02:00:00:00:00:02', addresses: [client] }],
        chains: [{ index: 0, name: 'c', direction: 'egress', transport: [{ protocol: 6, first: 80 }], functions, ...chain }],
      },
      ...more,
    })
  const http = { protocol: 6, l4Port: 80 }
  const forth = { from: client, to: server, transport: http }
  const where = 'goes by service chain c of UnifiedNetworkPolicy a/p: '

  test('in the order of the connection, and who begins it is told from who answers', () => {
    assert.match(
      chainTaken(set(), forth) ?? '',
      /: firewall at 10\.0\.0\.1[12], then cache, which is left out, then proxy at 10\.0\.0\.13$/,
    )
    const back = chainTaken(set({ direction: 'ingress' }), { from: server, to: client, transport: http })
    assert.equal(back, chainTaken(set(), forth))
    assert.equal(chainTaken(set(), { from: server, to: client, transport: http }), undefined)
    const whole = set({ transport: [{ protocol: 6 }] })
    assert.match(chainTaken(whole, { from: server, to: client, transport: http }) ?? '', /: proxy at .* then firewall at/)
    assert.equal(
      chainTaken(set({ functions: [{ name: 'f', onFailure: 'drop', instances: [] }] }), forth),
      `${where}f, which nobody carries out, so that nothing passes`,
    )
  })

  test('none where it is about another end, port or protocol, where both ends are its own, and where it is only tried out', () => {
    assert.equal(chainTaken(set({ blocks: ['192.0.2.0/24'] }), forth), undefined)
    assert.equal(chainTaken(set(), { ...forth, transport: { protocol: 6, l4Port: 81 } }), undefined)
    assert.equal(chainTaken(set(), { ...forth, transport: { protocol: 17, l4Port: 80 } }), undefined)
    assert.equal(chainTaken(set(), { ...forth, to: '10.0.0.11' }), undefined)
    assert.equal(chainTaken(set({}, { audit: true }), forth), undefined)
    assert.equal(chainTaken(set(), { from: '10.0.0.3', to: server, transport: http }), undefined)
  })

  test('and the flows hand it to the same instance, whatever the address of the other end', () => {
    for (let last = 32; last < 64; last++) {
      const to = `10.0.0.${last}`
      const [, at] = /firewall at ([\d.]+)/.exec(chainTaken(set(), { ...forth, to }) ?? '') ?? []
      const { mac } = instances.find(({ addresses }) => addresses[0] === at)!
      const handing = chainFlows('b', set()).flatMap(({ value }) =>
        value.kind === 'flow' && value.flow.match.some((term) => term.mask === 15 && term.value === last % 16) ? [value.flow] : [],
      )
      const sent = handing.map(({ actions }) =>
        JSON.stringify(actions, (_, value: unknown) => (typeof value === 'bigint' ? `${value}` : value)),
      )
      assert.ok(sent.length > 0 && sent.every((text) => text.includes(String(macValue(mac)))), `${to} is handed to ${mac}`)
    }
  })
})
