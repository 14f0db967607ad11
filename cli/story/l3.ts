// What Nimbess and ENO say of layer 3 and of one fabric of layer 2 (seeds: "Networking in Nimbess", "Nimbess Agent"; BGPSessionGroup),
// on two nodes with BIRD and a gateway: each sentence is looked up in the kernels, or shown by packets.
import { inLab, type Lab, type Stops } from '../../lab/lab.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { until } from '../../platform/programs/until.ts'
import { pathOf, type Rest } from '../demo/rest.ts'
import { made } from '../demo/two-nodes.ts'
import { openL3, outside, tenant, type L3Stage } from './l3/stage.ts'
import { printSentences, sentenceOf, type Sentence } from './sentence.ts'

const apiVersion = 'megrez.io/v1alpha1'
const timers = { holdSeconds: 9, keepaliveSeconds: 3, connectRetrySeconds: 1 }
const group = {
  as: 64512,
  mesh: { mode: 'full', timers },
  peers: [{ name: 'gateway', address: '192.168.50.254', as: 64600, timers, import: [{ prefix: '198.51.100.0/24', action: 'accept' }] }],
  advertise: { subnets: ['hosts', 'flat'].map((name) => ({ namespace: tenant, name })) },
  imports: [{ vpc: `${tenant}/net` }],
}
const addresses = { n1: '10.0.0.11', n2: '10.0.0.12', flat1: '10.0.1.11', flat2: '10.0.1.12' } as const

const nicAt = (address: string) => ({ address, subnet: address.startsWith('10.0.0.') ? 'hosts' : 'flat' })

/** @returns the exit code */
export async function playL3(json: boolean): Promise<number> {
  const print = (line: string): unknown => process.stderr.write(`${line}\n`)
  const missing = (await ovsMissing({ install: false, print })) ?? (await bgpMissing({ install: false, print }))
  if (missing !== undefined) {
    print(`story l3: ${missing}`)
    return 1
  }
  const sentences = await inLab(play)
  return printSentences(sentences, json)
}

async function play(lab: Lab, stops: Stops): Promise<readonly Sentence[]> {
  const stage = await openL3(lab, stops)
  const { rest } = stage
  await made(rest, pathOf('Vpc', tenant), { apiVersion, kind: 'Vpc', metadata: { name: 'net' }, spec: { bgpSessionGroups: ['dc'] } })
  await subnet(rest, 'hosts', { vpc: 'net', mode: 'l3', ipv4: { cidr: '10.0.0.0/24' } })
  await subnet(rest, 'flat', { vpc: 'net', broadcast: true, ipv4: { cidr: '10.0.1.0/24' } })
  await made(rest, pathOf('BGPSessionGroup', ''), { apiVersion, kind: 'BGPSessionGroup', metadata: { name: 'dc' }, spec: group })
  const pods = new Map<string, Namespace>()
  for (const [name, address] of Object.entries(addresses))
    pods.set(name, (await stage.place(name, name.endsWith('1') ? 'n1' : 'n2', nicAt(address))).sandbox.namespace)
  const of = (name: keyof typeof addresses): Namespace => pods.get(name)!
  return [
    await sentence('for L3 networking iBGP is the control protocol for routing traffic between pods', () => betweenPods(stage, of('n1'))),
    await sentence('routes that BGP injects in the kernel are followed: what a gateway announces is reached', async () =>
      (await pings(of('n1'), outside)) && (await pings(of('n2'), outside)) ? [] : [`a pod does not reach ${outside}`],
    ),
    await sentence('the BGP stack inserts them beside the main table, and withdraws what is gone', () => withdrawn(stage)),
    await sentence('the status of a BGPSessionGroup has the BGP addresses of the workers, and the state of each session', () =>
      differsFromSessions(rest),
    ),
    await sentence('a full L2 fabric across the cluster: what is sent to all reaches other nodes', () => flat(of('flat1'), of('flat2'))),
    await sentence('l2 and l3 Subnets of one Vpc reach each other', async () =>
      (await pings(of('flat1'), addresses.n2)) && (await pings(of('n1'), addresses.flat2)) ? [] : ['a pod of one does not reach the other'],
    ),
    await sentence('VPN families are refused by name', () => refused(rest)),
  ]
}

async function subnet(rest: Rest, name: string, spec: object): Promise<void> {
  await made(rest, pathOf('Subnet', tenant), { apiVersion, kind: 'Subnet', metadata: { name }, spec })
  const isReady = async (): Promise<boolean> => (await rest.call('GET', pathOf('Subnet', tenant, name))).body.status?.phase === 'ready'
  await until(isReady, `Subnet ${name} is ready`)
}

const settledMs = 20_000
const sentence = (says: string, problems: () => Promise<readonly string[]>): Promise<Sentence> =>
  sentenceOf(says, async () => (await problems()).join('; ') || undefined, settledMs)

const pings = (from: Namespace, to: string): Promise<boolean> => reaches(from, to, { tries: 1 })

async function betweenPods({ nodes }: L3Stage, from: Namespace): Promise<readonly string[]> {
  const { stdout } = await nodes.get('n1')!.namespace.exec('ip', 'route', 'show', 'table', 'all', 'proto', 'bird')
  return [
    ...(stdout.includes(`${addresses.n2} via 192.168.50.2`) ? [] : [`BIRD of n1 has no route to ${addresses.n2}: ${stdout}`]),
    ...((await pings(from, addresses.n2)) ? [] : ['a pod does not reach the other node']),
  ]
}

async function withdrawn({ nodes, gateway }: L3Stage): Promise<readonly string[]> {
  const [one] = [...nodes.values()]
  const main = (await one!.namespace.exec('ip', 'route', 'show', 'table', 'main', 'proto', 'bird')).stdout
  const has = async (): Promise<boolean> =>
    /198\.51\.100\.0/.test((await one!.namespace.exec('ip', 'route', 'show', 'table', 'all')).stdout)
  const change = (verb: string): Promise<unknown> => gateway.ip('address', verb, `${outside}/24`, 'dev', 'lo')
  await change('del')
  const isGone = await until(async () => !(await has()), 'it is withdrawn', settledMs).then(
    () => true,
    () => false,
  )
  await change('add')
  return [...(main === '' ? [] : [`main has ${main}`]), ...(isGone ? [] : ['what the gateway has withdrawn is still there'])]
}

interface GroupStatus {
  readonly status?: {
    readonly nodes?: readonly { readonly addresses?: readonly string[]; readonly sessions: readonly { readonly state: string }[] }[]
  }
}

async function differsFromSessions(rest: Rest): Promise<readonly string[]> {
  const { status } = (await rest.call('GET', pathOf('BGPSessionGroup', '', 'dc'))).body as unknown as GroupStatus
  const nodes = status?.nodes ?? []
  const texts = nodes.map(({ addresses: own = [], sessions }) => `${own.join(' ')}: ${sessions.map(({ state }) => state).join(' ')}`).sort()
  const wanted = [1, 2].map((n) => `192.168.50.${n}: established established`)
  return texts.join() === wanted.join() ? [] : [`it says ${texts.join(', ') || 'nothing'}`]
}

/** Who is asked by all answers, as no machine does by itself. */
async function flat(from: Namespace, other: Namespace): Promise<readonly string[]> {
  await other.exec('sysctl', '-qw', 'net.ipv4.icmp_echo_ignore_broadcasts=0')
  const { stdout } = await from.exec('ping', '-b', '-c', '2', '-W', '1', '10.0.1.255')
  return stdout.includes(`from ${addresses.flat2}`) ? [] : ['a broadcast does not reach the other node']
}

async function refused(rest: Rest): Promise<readonly string[]> {
  const spec = { as: 64512, addressFamilies: ['vpnv4'] }
  const { status, body } = await rest.call('POST', pathOf('BGPSessionGroup', ''), {
    apiVersion,
    kind: 'BGPSessionGroup',
    metadata: { name: 'vpn' },
    spec,
  })
  const words = JSON.stringify(body)
  return status === 422 && words.includes('vpnv4') ? [] : [`it was answered ${status}: ${words}`]
}
