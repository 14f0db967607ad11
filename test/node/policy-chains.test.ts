// Service chains from objects to packets: a server, two nodes with Open vSwitch, client and server on one, and functions on both that
// forward as any Linux does.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { made, makeNetwork, place, startTwoNodes, type PlacedPod, type TwoNodes } from '../../cli/demo/two-nodes.ts'
import { connects, listens } from '../../lab/nodes/connections.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { instancesIn, type PolicyChains } from '../../core/kinds/policy/chain.ts'
import { openLab } from '../../lab/lab.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { listen, pythonSkip, type Ear } from './raw-frames.ts'

const tenant = 't'
const cast = [
  { tenant, name: 'client', node: 'n1', address: '10.0.0.11', labels: { app: 'client' } },
  { tenant, name: 'server', node: 'n1', address: '10.0.0.12', labels: { app: 'server' } },
  { tenant, name: 'firewall', node: 'n2', address: '10.0.0.21', labels: { app: 'firewall' } },
  { tenant, name: 'proxy', node: 'n1', address: '10.0.0.22', labels: { app: 'proxy' } },
  { tenant, name: 'cache', node: 'n2', address: '10.0.0.23', labels: { app: 'cache' } },
] as const
type Name = (typeof cast)[number]['name']
const forwards = [
  'net.ipv4.ip_forward=1',
  'net.ipv4.conf.all.rp_filter=0',
  'net.ipv4.conf.eth0.rp_filter=0',
  'net.ipv4.conf.all.send_redirects=0',
  'net.ipv4.conf.eth0.send_redirects=0',
]

describe('service chains of policies, on Open vSwitch', { skip: ovsSkip || pythonSkip }, () => {
  let two: TwoNodes
  let ear: Ear
  const stops: (() => Promise<unknown>)[] = []
  const pods = new Map<Name, PlacedPod>()
  before(async () => {
    const lab = await openLab()
    stops.push(() => lab.close())
    two = await startTwoNodes(lab, false, stops)
    await makeNetwork(two.rest, tenant)
    for (const each of cast) pods.set(each.name, await place(each, two))
    stops.push(await listens(pods.get('server')!.sandbox.namespace))
    for (const name of ['firewall', 'proxy', 'cache'] as const)
      assert.equal((await pods.get(name)!.sandbox.namespace.exec('sysctl', '-qw', ...forwards)).code, 0)
    ear = await listen(pods.get('firewall')!.sandbox.namespace, 'eth0', 120)
    stops.push(() => ear.close())
  })
  after(async () => {
    for (const stop of stops.reverse()) await stop()
  })

  const policy = pathOf('UnifiedNetworkPolicy', tenant)
  const http = { l4Port: 8080 }
  /** @param functions each by those that carry it out */
  const ofPolicy = (functions: readonly (string | readonly string[])[], ports: readonly object[] = [http]): object => ({
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'UnifiedNetworkPolicy',
    metadata: { name: 'inspected' },
    spec: {
      podSelector: { matchLabels: { app: 'client' } },
      chains: [
        {
          name: 'web',
          peers: [{ podSelector: { matchLabels: { app: 'server' } } }],
          ports,
          functions: functions.map((each, i) => {
            const values = [each].flat()
            return { name: `f${i}`, pods: { matchExpressions: [{ key: 'app', operator: 'In', values }] } }
          }),
        },
      ],
    },
  })
  const makePolicy = (...of: Partial<Parameters<typeof ofPolicy>>): Promise<string> =>
    made(two.rest, policy, ofPolicy(of[0] ?? ['firewall'], of[1]))
  const dropPolicy = (): Promise<void> => two.rest.remove(`${policy}/inspected`)

  const reaches = (): Promise<boolean> => connects(pods.get('client')!.sandbox.namespace, pods.get('server')!.pod.address)
  const word = (name: Name): string => Buffer.from(pods.get(name)!.pod.address.split('.').map(Number)).toString('hex')
  /** Whether packets of IPv4 come to the function among what it has heard from there on. */
  const hears = (since: number, from: Name, to: Name): boolean =>
    ear.heard.slice(since).some((frame) => frame.slice(24, 28) === '0800' && frame.slice(52, 68) === word(from) + word(to))
  /** A new connection is answered, and goes by the function both ways, or neither: what is heard of it is heard before a ping after it. */
  const goes = async (byFunction: boolean): Promise<boolean> => {
    const since = ear.heard.length
    if (!(await reaches())) return false
    const [client, firewall] = [pods.get('client')!, pods.get('firewall')!]
    if ((await client.sandbox.namespace.exec('ping', '-c', '1', '-W', '1', firewall.pod.address)).code !== 0) return false
    await until(() => Promise.resolve(hears(since, 'client', 'firewall')), 'the function hears what is for itself', 10_000)
    const seen = [hears(since, 'client', 'server'), hears(since, 'server', 'client')]
    return seen.every((each) => each === byFunction)
  }
  const unsupported = async (): Promise<string | undefined> => {
    const { status } = (await two.rest.call('GET', `${policy}/inspected`)).body as {
      readonly status?: { readonly conditions?: readonly { readonly type: string; readonly message: string }[] }
    }
    return status?.conditions?.find(({ type }) => type === 'Unsupported')?.message
  }

  test('without a policy a client connects to a server on its own node, and the function sees nothing of it', async () => {
    await until(() => goes(false), 'client and server talk', 30_000)
  })

  test('by the policy what it says and is answered goes through the function on another node; without it, again past it', async () => {
    await makePolicy()
    await until(() => goes(true), 'a connection goes through the function', 30_000)
    await until(async () => (await unsupported()) === 'all of it is done', 'its status says that all is done', 10_000)
    await dropPolicy()
    await until(() => goes(false), 'a connection goes past the function', 30_000)
  })

  const chainsInForce = async (): Promise<PolicyChains | undefined> => {
    const { body } = await two.rest.call('GET', pathOf('PolicyRuleSet', tenant))
    const { items = [] } = body as unknown as { items?: readonly Resource<'PolicyRuleSet'>[] }
    return items.find(({ spec }) => spec.policy.name === 'inspected')?.spec.chains
  }
  const instancesInForce = async (): Promise<number> => instancesIn((await chainsInForce())?.chains ?? []).length
  /** Of packets that are sent every 5 ms while the chain becomes another one, and for two seconds after. */
  async function lostWhile(functions: readonly string[], ports: readonly object[]): Promise<number> {
    const { namespace } = pods.get('client')!.sandbox
    const pinging = namespace.exec('ping', '-q', '-i', '0.005', '-c', '800', '-W', '2', pods.get('server')!.pod.address)
    const { round = 0 } = (await chainsInForce()) ?? {}
    const { etag } = await two.rest.call('GET', `${policy}/inspected`)
    const { status } = await two.rest.call('PUT', `${policy}/inspected`, ofPolicy(functions, ports), { 'if-match': etag ?? '' })
    assert.equal(status, 200)
    await until(async () => ((await chainsInForce())?.round ?? 0) > round, 'the next round is in force', 10_000)
    const { stdout } = await pinging
    const [, sent, received] = /(\d+) packets transmitted, (\d+) received/.exec(stdout) ?? []
    return Number(sent) - Number(received)
  }

  test('while its chain becomes another one no more is lost than the packets that are under way', async (t) => {
    const icmp = { protocol: 'icmp' }
    await makePolicy(['firewall'], [icmp])
    await until(async () => (await chainsInForce())?.ends.length === 1, 'the chain has its subject', 30_000)
    const server = pods.get('server')!.pod.address
    const pings = async (name: Name, address: string): Promise<boolean> =>
      (await pods.get(name)!.sandbox.namespace.exec('ping', '-c', '1', '-W', '1', address)).code === 0
    await until(() => pings('client', server), 'the server answers through the function', 30_000)
    for (const [from, to] of [
      ['proxy', 'firewall'],
      ['proxy', 'cache'],
    ] as const)
      // prettier-ignore
      await until(() => pings(from, pods.get(to)!.pod.address), 'the tunnel is used', 10_000)
    const changes = [
      ['a function before it', ['proxy', 'firewall'], [icmp]],
      ['another in its place', ['proxy', 'cache'], [icmp]],
      ['more that it is about', ['proxy', 'cache'], [icmp, http]],
      ['packets no more', ['proxy', 'cache'], [http]],
      ['packets again, by others', ['cache', 'firewall'], [icmp]],
      ['one function fewer', ['firewall'], [icmp]],
    ] as const
    for (const [what, functions, ports] of changes) {
      const lost = await lostWhile(functions, ports)
      t.diagnostic(`${lost} of 800 lost: ${what}`)
      assert.ok(lost <= 2, `${lost} of 800 lost: ${what}`)
    }
    await dropPolicy()
  })

  test('a function that no longer forwards is found, and another one has its packets; alone, nothing passes, until it forwards again', async () => {
    const forward = async (on: 0 | 1): Promise<void> => {
      const { code } = await pods.get('firewall')!.sandbox.namespace.exec('sysctl', '-qw', `net.ipv4.ip_forward=${on}`)
      assert.equal(code, 0)
    }
    const status = async (): Promise<{ readonly silent?: boolean } | undefined> => {
      const { body } = await two.rest.call('GET', pathOf('Port', tenant))
      const { items = [] } = body as unknown as { items?: readonly Resource<'Port'>[] }
      return items.find(({ spec }) => spec.claim?.pod === 'firewall')?.status?.node
    }
    const isSilent = (is: boolean): Promise<unknown> =>
      until(async () => ((await status())?.silent === true) === is, `silent: ${is}`, 20_000)
    await makePolicy()
    await until(() => goes(true), 'a connection goes through the function', 30_000)
    // That it answers is heard within a second or two; only who has answered is missed.
    const { heard } = ear
    const quotes = (frame: string): boolean => frame.slice(24, 28) === '0800' && frame.slice(68, 70) === '0b'
    await until(() => Promise.resolve(heard.some(quotes)), 'it says that a packet is out of time', 10_000)
    await forward(0)
    await isSilent(true)
    await until(async () => (await unsupported())?.includes('forwards nothing, as its node finds') === true, 'its policy says so', 10_000)
    assert.equal(await reaches(), false)
    await forward(1)
    await isSilent(false)
    await until(() => goes(true), 'a connection goes through the function again', 30_000)
    // Beside another one.
    await dropPolicy()
    await made(two.rest, policy, ofPolicy([['firewall', 'cache']]))
    await until(async () => (await instancesInForce()) === 2, 'both carry it out', 30_000)
    await forward(0)
    await until(async () => (await instancesInForce()) === 1, 'one is left', 20_000)
    await until(() => reaches(), 'the client reaches the server', 10_000)
    await forward(1)
    await until(async () => (await instancesInForce()) === 2, 'both carry it out again', 20_000)
    await dropPolicy()
  })

  test('once its function is gone nothing passes, until the policy goes too', async () => {
    await makePolicy()
    await until(() => goes(true), 'a connection goes through the function', 30_000)
    await two.rest.remove(pathOf('Pod', tenant, 'firewall'))
    const { on, sandbox } = pods.get('firewall')!
    assert.equal((await on.cni('DEL', sandbox)).code, 0)
    await until(async () => !(await reaches()), 'nothing passes', 30_000)
    await until(async () => (await unsupported())?.includes('is carried out by nobody') === true, 'its status says why', 10_000)
    await dropPolicy()
    await until(() => reaches(), 'the client reaches the server', 30_000)
  })
})
