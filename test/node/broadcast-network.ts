// A network of its own for agents under test, in which broadcast may be switched on and off, and what its pods send and hear.
import assert from 'node:assert/strict'
import { pathOf } from '../../cli/demo/rest.ts'
import { labPrefix, makeNamespace, must, type Namespace } from '../../lab/namespaces.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { until } from '../setup/until.ts'
import type { Agents } from './agents.ts'
import { ipFrame, listen, sendFrames } from './raw-frames.ts'

const namespace = 'a'
const apiVersion = 'megrez.io/v1alpha1'

export interface NetworkPod {
  readonly sandbox: Sandbox
  readonly address: string
  readonly mac: string
}

export interface BroadcastNetwork {
  /** @param port fields of its Port, beside the Subnet */
  pod(node: AgentNode, name: string, port?: object): Promise<NetworkPod>
  /** Says it of the Vpc, and resolves once its Subnet does. */
  broadcast(on: boolean): Promise<void>
}

/** Addresses are of 10.1.0.0/24 and 2001:db8:1::/64. Pods are given none of 10.1.0.240/28, which are for what stands behind them, and ask
 * themselves for those of 10.1.0.224/28 that they want. */
export async function makeNetwork({ rest, pod: podOn, add }: Agents, name: string): Promise<BroadcastNetwork> {
  const make = async (kind: 'Vpc' | 'Subnet' | 'Port', its: string, spec: object): Promise<void> => {
    const answer = await rest.call('POST', pathOf(kind, namespace), { apiVersion, kind, metadata: { name: its }, spec })
    assert.equal(answer.status, 201, answer.body.detail)
  }
  const status = async (kind: 'Subnet' | 'Port', its: string): Promise<Record<string, unknown>> =>
    (await rest.call('GET', pathOf(kind, namespace, its))).body.status ?? {}
  await make('Vpc', name, {})
  await make('Subnet', name, {
    vpc: name,
    ipv4: { cidr: '10.1.0.0/24', pools: [{ first: '10.1.0.2', last: '10.1.0.223' }], excludes: ['10.1.0.240/28'] },
    ipv6: { cidr: '2001:db8:1::/64' },
  })
  await until(async () => (await status('Subnet', name)).phase === 'ready', 'the Subnet is validated')
  return {
    async pod(node, its, port = {}) {
      await make('Port', its, { subnet: name, portID: its, ...port })
      const nics = JSON.stringify([{ name: 'eth0', portID: its }])
      const sandbox = await podOn(node, its, { 'megrez.io/vpc': name, 'megrez.io/nics': nics })
      await add(node, sandbox)
      const { addresses, mac } = await status('Port', its)
      return { sandbox, address: (addresses as readonly string[]).find((each) => !each.includes(':'))!, mac: mac as string }
    },
    async broadcast(on) {
      const path = pathOf('Vpc', namespace, name)
      const { body, etag } = await rest.call('GET', path)
      const changed = { ...body, spec: { ...(body as unknown as { spec: object }).spec, broadcast: on } }
      const answer = await rest.call('PUT', path, changed, { 'if-match': etag ?? '' })
      assert.equal(answer.status, 200, answer.body.detail)
      await until(async () => ((await status('Subnet', name)).broadcast === true) === on, `its Subnet says ${on}`)
    },
  }
}

let nth = 0
/** A packet of VRRP's protocol that nobody answers, unlike any other. */
export const groupFrame = ({ mac, address }: NetworkPod, to: string, source = mac): string =>
  ipFrame({
    source,
    destination: to,
    from: address,
    to: '224.0.0.18',
    proto: 112,
    data: `${(++nth).toString(16).padStart(8, '0')}${'4d'.repeat(18)}`,
  })

export const everybody = 'ff:ff:ff:ff:ff:ff'
/** RFC 9568: where VRRP's routers hear each other. */
export const vrrpGroup = '01:00:5e:00:00:12'

/** Whether each of these hears a frame that a pod sends. */
export const heardBy = async (
  from: NetworkPod,
  frame: string,
  pods: readonly NetworkPod[],
  withinMs = 1_500,
): Promise<readonly boolean[]> => (await heardOf(from, [frame], pods, withinMs)).map((count) => count > 0)

/** How many of the frames that a pod sends each of these hears. */
export async function heardOf(
  from: NetworkPod,
  frames: readonly string[],
  pods: readonly NetworkPod[],
  withinMs: number,
): Promise<readonly number[]> {
  const ears = await Promise.all(pods.map(({ sandbox }) => listen(sandbox.namespace, 'eth0')))
  const counts = (): readonly number[] =>
    ears.map(({ heard }) => frames.filter((frame) => heard.some((each) => each.startsWith(frame))).length)
  try {
    await sendFrames(from.sandbox.namespace, 'eth0', frames)
    await until(() => Promise.resolve(counts().every((count) => count === frames.length)), 'all hear all', withinMs).catch(() => undefined)
    return counts()
  } finally {
    for (const ear of ears) await ear.close()
  }
}

/** A bridge in a pod, as a network function has one, and a namespace behind it with that address. */
export async function bridgeIn(pod: NetworkPod, address: string): Promise<Namespace> {
  const { namespace: inside } = pod.sandbox
  const behind = await makeNamespace(`${labPrefix()}h`)
  await must('ip', 'link', 'add', 'veth0', 'netns', inside.name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', behind.name)
  for (const args of [
    ['add', 'br0', 'type', 'bridge'],
    ['set', 'eth0', 'master', 'br0'],
    ['set', 'veth0', 'up', 'master', 'br0'],
    ['set', 'br0', 'up'],
  ])
    await inside.ip('link', ...args)
  await inside.ip('addr', 'flush', 'dev', 'eth0')
  await behind.ip('addr', 'add', `${address}/24`, 'dev', 'eth0')
  await behind.exec('ethtool', '-K', 'eth0', 'tx', 'off')
  await behind.ip('link', 'set', 'eth0', 'mtu', '1400', 'up')
  return behind
}

const storming = `
import socket,sys
s=socket.socket(socket.AF_PACKET,socket.SOCK_RAW)
s.bind(('eth0',0))
f=bytes.fromhex(sys.argv[1])
for i in range(int(sys.argv[2])): s.send(f)
`
/** The same frame so many times, as fast as it goes. */
export async function storm({ namespace: from }: Pick<Sandbox, 'namespace'>, frame: string, count: number): Promise<void> {
  const done = await from.exec('python3', '-c', storming, frame, String(count))
  assert.equal(done.code, 0, done.stderr)
}

const speaking = `
import socket,sys
s=socket.socket(socket.AF_PACKET,socket.SOCK_RAW)
s.bind(('eth0',0))
f=bytes.fromhex(sys.argv[1])
for i in range(int(sys.argv[2])): s.send(f[:6]+b'\\x06\\xbb'+i.to_bytes(4,'big')+f[12:])
`
/** A frame from each of so many MACs, 06:bb and their number, to a MAC that is told: none of them goes to all. */
export async function speakAsMany(pod: NetworkPod, to: string, count: number): Promise<void> {
  const done = await pod.sandbox.namespace.exec('python3', '-c', speaking, groupFrame(pod, to), String(count))
  assert.equal(done.code, 0, done.stderr)
}
