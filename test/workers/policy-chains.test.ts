// Service chains of UnifiedNetworkPolicies: who is told to nodes to carry functions out, as pods and policies come and go.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { refOf, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import { instancesIn, roundText } from '../../core/kinds/policy/chain.ts'
import { functionPiece } from '../../core/pieces/policy/function.ts'
import { planesWithoutFunctions } from '../../workers/policy/chain-ports.ts'
import { heldBack } from './late-watch.ts'
import { openTestCluster, type TestCluster } from './test-cluster.ts'
import { deletePod, makePod, withNetwork } from './network.ts'

let cluster: TestCluster
beforeEach(async () => {
  cluster = await openTestCluster()
  await withNetwork(cluster)
  await cluster.make('Port', 'a/client', { subnet: 'one', node: 'n1' }, { labels: { app: 'client' } })
})
afterEach(() => cluster.close())

type Spec = SpecOf<'UnifiedNetworkPolicy'>
type Draft = NonNullable<Spec['chains']>[number]['functions'][number] | string
const functionsOf = (drafts: readonly Draft[]): NonNullable<Spec['chains']>[number]['functions'] =>
  drafts.map((each) => (typeof each === 'string' ? { name: each, pods: { matchLabels: { app: each } } } : each))
const client = { matchLabels: { app: 'client' } }
const chainsOf = (...drafts: readonly Draft[]): Pick<Spec, 'chains'> => ({
  chains: [{ name: 'c', peers: [{ cidr: '0.0.0.0/0' }], functions: functionsOf(drafts) }],
})
const through = (...drafts: readonly Draft[]): Spec => ({ podSelector: client, ...chainsOf(...drafts) })

/** The Vpc is for pods of b too. */
async function share(): Promise<void> {
  const vpc = (await cluster.get('Vpc', 'a/blue'))!
  await cluster.store.update({ ...vpc, spec: { ...vpc.spec, sharedWith: ['b'] } })
  await cluster.make('Namespace', 'b', {}, { labels: { team: 'b' } })
  await cluster.settle()
}
/** As its node says. */
const wired = (port: Resource<'Port'>, dataplane = 'ovs'): Promise<unknown> =>
  cluster.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: { wired: true, dataplane } } })
async function port(name: string, app: string, more: object = {}, namespace = 'a'): Promise<Resource<'Port'>> {
  const subnet = namespace === 'a' ? 'one' : 'a/one'
  const made = await cluster.make('Port', `${namespace}/${name}`, { subnet, node: 'n1', ...more }, { labels: { app } })
  await wired(made)
  return made
}
const policy = (spec: Spec, name = 'p'): Promise<unknown> => cluster.make('UnifiedNetworkPolicy', `a/${name}`, spec)
async function edit(spec: Partial<Spec>, name = 'p'): Promise<void> {
  const is = (await cluster.get('UnifiedNetworkPolicy', `a/${name}`))!
  await cluster.store.update({ ...is, spec: { ...is.spec, ...spec } })
  // Nodes say nothing here: each policy that is concerned waits for them in vain, one after the other.
  for (let i = 0; i < 3; i++) await cluster.advance(10_000)
}
const remove = async (kind: 'Port' | 'UnifiedNetworkPolicy', name: string): Promise<void> => {
  await cluster.store.delete({ kind, namespace: 'a', name })
  await cluster.advance(10_000)
}

type Set = Resource<'PolicyRuleSet'>
const setOf = async (name = 'p'): Promise<Set | undefined> =>
  (await cluster.all('PolicyRuleSet')).find(({ spec }) => spec.policy.name === name)

/** Names of the Ports of each function, as `function: ports`, and whose packets go there. */
async function hops(name = 'p'): Promise<readonly string[]> {
  const names = new Map((await cluster.all('Port')).map(({ metadata, status, spec }) => [status?.mac, spec.claim?.pod ?? metadata.name]))
  const { ends, chains } = (await setOf(name))?.spec.chains ?? { ends: [], chains: [] }
  const named = (all: readonly { readonly mac: string }[]): string =>
    all
      .map(({ mac }) => names.get(mac))
      .sort()
      .join(' ')
  return [
    named(ends),
    ...chains.flatMap(({ functions }) => functions.map(({ name: its, instances }) => `${its}: ${named(instances)}`.trim())),
  ]
}
const instancesOf = (set: Set | undefined): readonly { readonly port: string }[] =>
  (set?.spec.chains?.chains ?? []).flatMap(({ functions }) => functions.flatMap(({ instances }) => instances))
/** Of the first instance. */
async function nicUsed(): Promise<string | undefined> {
  const [first] = instancesOf(await setOf())
  return (await cluster.all('Port')).find(({ metadata }) => metadata.uid === first?.port)?.spec.claim?.nic
}
const unsupported = async (name = 'p'): Promise<string> => {
  const found = (await cluster.get('UnifiedNetworkPolicy', `a/${name}`))?.status?.conditions?.find(({ type }) => type === 'Unsupported')
  return `${found?.status} ${found?.message}`
}
const done = 'False all of it is done'

describe('Ports that a function selects carry it out', () => {
  test('as they come and go, unless they are not guarded', async () => {
    await port('f1', 'firewall')
    await policy(through('firewall', 'proxy'))
    await cluster.advance(10_000)
    assert.deepEqual(await hops(), ['client', 'firewall: f1', 'proxy:'])
    assert.equal(await unsupported(), 'True /spec/chains/0/functions/1/pods is carried out by nobody, and nothing passes')
    await port('f2', 'firewall')
    await port('open', 'proxy', { portSecurity: false })
    await cluster.advance(10_000)
    assert.deepEqual(await hops(), ['client', 'firewall: f1 f2', 'proxy:'])
    assert.match(await unsupported(), /functions\/1\/pods is carried out by nobody.*: Port a\/open does not, as it has no portSecurity$/)
    await port('p1', 'proxy')
    await remove('Port', 'open')
    assert.deepEqual(await hops(), ['client', 'firewall: f1 f2', 'proxy: p1'])
    assert.equal(await unsupported(), done)
    await remove('Port', 'f1')
    assert.deepEqual(await hops(), ['client', 'firewall: f2', 'proxy: p1'])
  })

  test('as the chain becomes another one: a function before, another in its place, one fewer', async () => {
    for (const app of ['firewall', 'proxy', 'cache']) await port(app, app)
    await policy(through('firewall'))
    await cluster.advance(10_000)
    assert.deepEqual(await hops(), ['client', 'firewall: firewall'])
    await edit(through('proxy', 'firewall'))
    assert.deepEqual(await hops(), ['client', 'proxy: proxy', 'firewall: firewall'])
    await edit(through('proxy', 'cache'))
    assert.deepEqual(await hops(), ['client', 'proxy: proxy', 'cache: cache'])
    await edit(through('cache'))
    assert.deepEqual(await hops(), ['client', 'cache: cache'])
    assert.deepEqual((await setOf())?.spec.chains?.chains[0]?.blocks, ['0.0.0.0/0'])
  })

  test('while their pods are ready, and are of the NIC that is named', async () => {
    const ready = async (status: 'True' | 'False'): Promise<void> => {
      const pod = (await cluster.get('Pod', 'a/f'))!
      const conditions = [{ type: 'Ready', status }]
      await cluster.store.replaceForeignStatus({ kind: 'Pod', namespace: 'a', name: 'f' }, pod.metadata.uid, { ...pod.status, conditions })
      await cluster.advance(10_000)
    }
    const nic = (name: string): Spec => through({ name: 'f', pods: { matchLabels: { app: 'f' } }, nic: name })
    await makePod(cluster, 'a/f', { node: 'n1', nics: [{ name: 'net1' }, { name: 'net2' }], metadata: { labels: { app: 'f' } } })
    await policy(nic('net2'))
    await cluster.advance(10_000)
    // No node has wired it.
    assert.deepEqual(await hops(), ['client', 'f:'])
    for (const each of (await cluster.all('Port')).filter(({ spec }) => spec.claim !== undefined)) await wired(each)
    await ready('False')
    assert.deepEqual(await hops(), ['client', 'f:'])
    await ready('True')
    assert.deepEqual(await hops(), ['client', 'f: f'])
    assert.equal(await nicUsed(), 'net2')
    await edit(nic('net3'))
    assert.deepEqual(await hops(), ['client', 'f:'])
    await edit(nic('net1'))
    await ready('False')
    assert.deepEqual(await hops(), ['client', 'f:'])
    await ready('True')
    await deletePod(cluster, 'a/f')
    await cluster.advance(10_000)
    assert.deepEqual(await hops(), ['client', 'f:'])
  })

  test('not where its node hands nothing to functions: the policy names the Port', async () => {
    const it = await port('f', 'firewall')
    await policy(through('firewall'))
    await cluster.advance(10_000)
    const carriedBy = async (dataplane: string): Promise<void> => {
      await wired(it, dataplane)
      await cluster.advance(10_000)
    }
    await carriedBy('linux')
    assert.deepEqual(await hops(), ['client', 'firewall:'])
    assert.match(await unsupported(), /Port a\/f does not, as it is on a node with linux, where nothing is handed to functions$/)
    await carriedBy('ovs')
    assert.deepEqual([await hops(), await unsupported()], [['client', 'firewall: f'], done])
    const without = Object.entries(functionPiece.planes).flatMap(([plane, does]) => (typeof does === 'string' ? [plane] : []))
    assert.deepEqual(without.filter((plane) => plane !== 'memory').sort(), planesWithoutFunctions)
  })

  test('of their policy’s namespace alone, and in one place of it', async () => {
    await share()
    await port('f', 'firewall', {}, 'b')
    await port('f', 'firewall')
    await port('both', 'client')
    await policy(
      through('firewall', { name: 'again', pods: { matchLabels: { app: 'firewall' } }, onFailure: 'pass' }, { name: 'own', pods: {} }),
    )
    await cluster.advance(10_000)
    await cluster.advance(10_000)
    assert.equal((await cluster.get('Port', 'b/f'))?.status?.phase, 'ready')
    assert.deepEqual(await hops(), ['both client', 'firewall: f', 'again:', 'own:'])
    const [chain] = (await setOf())?.spec.chains?.chains ?? []
    assert.deepEqual(chain?.functions.map(({ onFailure }) => onFailure), ['drop', 'pass', 'drop']) // prettier-ignore
    const said = await unsupported()
    assert.match(
      said,
      /functions\/1\/pods is carried out by nobody, and is left out: Port a\/f does not, as it carries out firewall before/,
    )
    assert.match(said, /functions\/2\/pods is carried out by nobody, and nothing passes: Port a\/\w+ does not, as it .*: and 2 more do not/)
  })
})

describe('chains become others', () => {
  const besides = async (): Promise<readonly string[]> =>
    ((await setOf())?.spec.chains?.beside ?? []).map(({ is, chains }) => `${is}: ${instancesIn(chains).length}`)
  /** Its node knows the newest round of the chains. */
  const says = async (name: string): Promise<void> => {
    const { spec, metadata } = (await setOf())!
    const { status, ...item } = (await cluster.get('Port', `a/${name}`))!
    const round = spec.chains?.beside?.find(({ is }) => is === 'next')?.round ?? 0
    assert.ok(round > (spec.chains?.round ?? 0))
    const node = { ...status?.node, chain: roundText(metadata.name, round) }
    await cluster.store.patchStatus({ ref: refOf(item), uid: item.metadata.uid }, { node: { node } })
    await cluster.settle()
  }
  const change = async (spec: Spec): Promise<void> => {
    const is = (await cluster.get('UnifiedNetworkPolicy', 'a/p'))!
    await cluster.store.update({ ...is, spec: { ...is.spec, ...spec } })
    await cluster.settle()
  }
  beforeEach(async () => {
    for (const app of ['firewall', 'proxy']) await port(app, app)
    await policy(through('firewall'))
    await cluster.advance(10_000)
    assert.deepEqual([await hops(), await besides()], [['client', 'firewall: firewall'], []])
  })

  test('once the nodes of all their functions say that they know them, and the former stay known for a while', async () => {
    await change(through('proxy', 'firewall'))
    assert.deepEqual([await hops(), await besides()], [['client', 'firewall: firewall'], ['next: 2']])
    await says('proxy')
    assert.deepEqual([await hops(), await besides()], [['client', 'firewall: firewall'], ['next: 2']])
    await says('firewall')
    assert.deepEqual([await hops(), await besides()], [['client', 'proxy: proxy', 'firewall: firewall'], ['former: 1']])
    await cluster.advance(5_000)
    assert.deepEqual(await besides(), [])
  })

  test('what they are about, too', async () => {
    const of = (l4Port: number): Spec => ({
      podSelector: client,
      chains: [{ ...chainsOf('firewall').chains![0]!, ports: [{ l4Port }] }],
    })
    const ports = async (): Promise<unknown> => (await setOf())?.spec.chains?.chains[0]?.transport?.map(({ first }) => first)
    await change(of(80))
    await says('firewall')
    assert.deepEqual([await ports(), await besides()], [[80], ['former: 1']])
    await change(of(81))
    assert.deepEqual([await ports(), await besides()], [[80], ['former: 1', 'next: 1']])
    await says('firewall')
    assert.deepEqual([await ports(), await besides()], [[81], ['former: 1', 'former: 1']])
  })

  test('after 5 seconds, whatever nodes have not said', async () => {
    await change(through('proxy'))
    await cluster.advance(4_900)
    assert.deepEqual(await hops(), ['client', 'firewall: firewall'])
    await cluster.advance(100)
    assert.deepEqual(await hops(), ['client', 'proxy: proxy'])
  })

  test('at once where an instance goes, and its node knows it for a while yet', async () => {
    await port('second', 'firewall')
    await cluster.advance(10_000)
    await cluster.advance(10_000)
    assert.deepEqual([await hops(), await besides()], [['client', 'firewall: firewall second'], []])
    await cluster.store.delete({ kind: 'Port', namespace: 'a', name: 'second' })
    await cluster.settle()
    assert.deepEqual([await hops(), await besides()], [['client', 'firewall: firewall'], ['former: 2']])
  })
})

test('a Port of two policies carries out a function of one, and of the other once that lets go of it', async () => {
  await port('other', 'other')
  await port('f', 'firewall')
  await policy(through('firewall'))
  await policy({ ...through('firewall'), podSelector: { matchLabels: { app: 'other' } } }, 'q')
  await cluster.advance(10_000)
  const [p, q] = [(await setOf('p'))!, (await setOf('q'))!]
  const [first, second] = p.spec.number < q.spec.number ? ['p', 'q'] : ['q', 'p']
  const firewalls = async (): Promise<readonly (string | undefined)[]> => [(await hops(first))[1], (await hops(second))[1]]
  assert.deepEqual(await firewalls(), ['firewall: f', 'firewall:'])
  assert.match(await unsupported(second), new RegExp(`Port a/f does not, as it is in a chain of policy ${first}$`))
  // What is only tried out has nobody.
  await edit({ mode: 'audit' }, first)
  assert.equal((await firewalls())[1], 'firewall: f')
  await edit({ mode: 'enforce' }, first)
  assert.deepEqual(await firewalls(), ['firewall: f', 'firewall:'])
  await edit(chainsOf('none'), first)
  assert.equal((await firewalls())[1], 'firewall: f')
  await edit(chainsOf('firewall'), first)
  assert.deepEqual(await firewalls(), ['firewall: f', 'firewall:'])
  await remove('UnifiedNetworkPolicy', first)
  assert.deepEqual([await hops(second), await unsupported(second)], [[second === 'p' ? 'client' : 'other', 'firewall: f'], done])
})

test('the other end is told by addresses, as Ports of any namespace come and go', async () => {
  await port('f', 'firewall')
  await share()
  const peers = [{ podSelector: { matchLabels: { app: 'db' } }, namespaceSelector: { matchLabels: { team: 'b' } } }]
  await policy({ podSelector: client, chains: [{ name: 'c', peers, functions: functionsOf(['firewall']) }] })
  await cluster.advance(10_000)
  const blocks = async (): Promise<unknown> => (await setOf())?.spec.chains?.chains[0]?.blocks
  assert.deepEqual(await blocks(), [])
  const db = await port('db', 'db', {}, 'b')
  await cluster.advance(10_000)
  const { status } = (await cluster.get('Port', 'b/db'))!
  assert.deepEqual(await blocks(), [`${status?.addresses?.[0]}/32`])
  await cluster.store.delete(refOf(db))
  await cluster.advance(10_000)
  assert.deepEqual(await blocks(), [])
})

test('who comes to be judged is an end of the chains, and nothing of them is left once their policy is gone', async () => {
  await port('f', 'firewall')
  await policy(through('firewall'))
  await port('second', 'client')
  await cluster.advance(10_000)
  assert.deepEqual(await hops(), ['client second', 'firewall: f'])
  await remove('Port', 'second')
  assert.deepEqual(await hops(), ['client', 'firewall: f'])
  await remove('Port', 'client')
  // Nobody goes by them: whoever else wants the Port may have it.
  assert.deepEqual((await hops()).slice(0, 1), [''])
  assert.deepEqual(
    (await setOf())?.spec.chains?.chains.flatMap(({ functions }) => functions.flatMap(({ instances }) => instances)) ?? [],
    [],
  )
  await remove('UnifiedNetworkPolicy', 'p')
  assert.deepEqual(await cluster.all('PolicyRuleSet'), [])
  assert.deepEqual(await cluster.all('UnifiedNetworkPolicy'), [])
  assert.deepEqual((await cluster.all('PolicyIdentity')).length, 0)
})

test('nothing is written while nothing happens', async () => {
  for (const [name, app] of [['f', 'firewall'], ['g', 'firewall']] as const) await port(name, app) // prettier-ignore
  await policy(through('firewall', 'proxy'))
  await policy({ ...through('firewall'), podSelector: { matchLabels: { app: 'nobody' } } }, 'q')
  await cluster.advance(60_000)
  const versions = async (): Promise<readonly string[]> =>
    [...(await cluster.all('PolicyRuleSet')), ...(await cluster.all('UnifiedNetworkPolicy')), ...(await cluster.all('Port'))].map(
      ({ kind, metadata }) => `${kind} ${metadata.name} ${metadata.resourceVersion}`,
    )
  const before = await versions()
  for (let i = 0; i < 5; i++) await cluster.advance(60_000)
  assert.deepEqual(await versions(), before)
})

test('a worker that hears late of who carries a function out takes nobody away', async () => {
  for (const app of ['firewall', 'proxy']) await port(app, app)
  await policy(through('firewall', 'proxy'))
  await cluster.advance(10_000)
  const held = heldBack(cluster.store, ({ kind, metadata }) => kind === 'Port' && metadata.name === 'second')
  const late = await openTestCluster({ store: held.store, clock: cluster.clock, seed: 2 })
  await port('second', 'firewall')
  await cluster.advance(10_000)
  await late.settle()
  const both = ['client', 'firewall: firewall second', 'proxy: proxy']
  assert.deepEqual(await hops(), both)
  const round = (await setOf())?.spec.chains?.round
  // Nothing of the chains is another one.
  await edit({ priority: 3 })
  await late.settle()
  assert.deepEqual([await hops(), (await setOf())?.spec.chains?.round], [both, round])
  held.release()
  await late.close()
})
