// Service chains from objects to packets: a server, two nodes with Open vSwitch, client and server on one, and a function on the other that
// forwards as any Linux does.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { made, makeNetwork, place, startTwoNodes, type PlacedPod, type TwoNodes } from '../../cli/demo/two-nodes.ts'
import { connects, listens } from '../../lab/nodes/connections.ts'
import { openLab } from '../../lab/lab.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { listen, pythonSkip, type Ear } from './raw-frames.ts'

const tenant = 't'
const cast = [
  { tenant, name: 'client', node: 'n1', address: '10.0.0.11', labels: { app: 'client' } },
  { tenant, name: 'server', node: 'n1', address: '10.0.0.12', labels: { app: 'server' } },
  { tenant, name: 'firewall', node: 'n2', address: '10.0.0.21', labels: { app: 'firewall' } },
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
    const { namespace } = pods.get('firewall')!.sandbox
    assert.equal((await namespace.exec('sysctl', '-qw', ...forwards)).code, 0)
    ear = await listen(namespace, 'eth0', 120)
    stops.push(() => ear.close())
  })
  after(async () => {
    for (const stop of stops.reverse()) await stop()
  })

  const policy = pathOf('UnifiedNetworkPolicy', tenant)
  const makePolicy = (): Promise<string> =>
    made(two.rest, policy, {
      apiVersion: 'megrez.io/v1alpha1',
      kind: 'UnifiedNetworkPolicy',
      metadata: { name: 'inspected' },
      spec: {
        podSelector: { matchLabels: { app: 'client' } },
        chains: [
          {
            name: 'web',
            peers: [{ podSelector: { matchLabels: { app: 'server' } } }],
            ports: [{ l4Port: 8080 }],
            functions: [{ name: 'firewall', pods: { matchLabels: { app: 'firewall' } } }],
          },
        ],
      },
    })
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
