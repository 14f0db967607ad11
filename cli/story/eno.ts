// ENO's workflow (figure 1, steps 2 to 7): a service descriptor comes in over REST, VLANs are opened on two real switches, definitions
// appear, pods meet across the fabric, everybody is told, and at the end the switches are as they were, byte for byte.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parse } from 'yaml'
import { startReceiver, type Receiver } from '../demo/receiver.ts'
import { Rest } from '../demo/rest.ts'
import { startServer } from '../demo/server.ts'
import { until } from '../../platform/programs/until.ts'
import { ovsMissing, type OvsNode } from '../../lab/programs/ovs.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { startOwnNode, type OwnNode } from './eno/agent.ts'
import { openSite, type Site } from './eno/site.ts'
import { plug, type OvsConfig } from './eno/wire-pod.ts'

const namespace = 'nfv'
const descriptor = join(import.meta.dirname, '../../examples/eno/nsd.yaml')

export interface Story {
  readonly before: Awaited<ReturnType<Site['tables']>>
  readonly open: Awaited<ReturnType<Site['tables']>>
  readonly after: Awaited<ReturnType<Site['tables']>>
  /** Who reached whom: `kernel pod → gateway`. */
  readonly pings: Readonly<Record<string, boolean>>
  readonly definitions: Readonly<Record<string, OvsConfig>>
  /** VLANs of the uplink of the node that our agent has: while its pod is there, and afterwards. */
  readonly uplink: { readonly open: string; readonly after: string }
  readonly notices: Receiver['notices']
  /** What said why it waited while a pod was on it. */
  readonly terminating: string
}

export async function playEno(json: boolean): Promise<number> {
  const missing = await ovsMissing({ install: true, print: (line) => void process.stderr.write(`${line}\n`) })
  if (missing !== undefined) {
    process.stderr.write(`story: ${missing}\n`)
    return 1
  }
  const say = (text: string): void => void (json ? process.stderr : process.stdout).write(`${text}\n`)
  const site = await openSite()
  const server = await startServer([], { MEGREZ_AGENTS: 'true' })
  const receiver = await startReceiver()
  let own: OwnNode | undefined
  try {
    own = await startOwnNode(site.at.n2, server.folder)
    const story = await play({ site, own, rest: new Rest(server), receiver, kind: say })
    const wrong = wrongWith(story)
    if (json) process.stdout.write(`${JSON.stringify(story)}\n`)
    for (const each of wrong) process.stderr.write(`story: ${each}\n`)
    return wrong.length === 0 ? 0 : 1
  } finally {
    await receiver.stop()
    await own?.stop()
    await server.stop()
    await site.stop()
  }
}

interface Stage {
  readonly site: Site
  readonly own: OwnNode
  readonly rest: Rest
  readonly receiver: Receiver
  readonly kind: (text: string) => void
}

async function play({ site, own, rest, receiver, kind: say }: Stage): Promise<Story> {
  say('two switches, two nodes, a gateway and a VNF: six Open vSwitches')
  const before = await site.tables()
  showTables(say, 'the switches before', before)
  await declareSite(rest, site)

  say('\n2  the NFVO sends its service descriptor, and then the objects that it comes to')
  const made = await sendDescriptor(rest, receiver.url)
  for (const { kind, metadata } of made) say(`   ${kind} ${metadata.name}`)

  say('\n3  VLANs are opened on the switch ports of both nodes and of the gateway')
  for (const { kind, metadata } of made) await ready(rest, kind, metadata.name)
  const open = await site.tables()
  showTables(say, 'the switches now', open)

  say('\n4  the definitions')
  const definitions = Object.fromEntries(
    await Promise.all(['signalling-access', 'all-tagged'].map(async (name) => [name, await definitionOf(rest, name)] as const)),
  )
  for (const [name, config] of Object.entries(definitions)) say(`   ${name}: ${JSON.stringify(config)}`)

  say('\n5  the gateway gets an address on each VLAN, by a script of its own')
  await vlanPort(site.at.gw, 'br-gw', { name: 'irb100', tag: 100, address: '10.10.10.1/24' })
  await vlanPort(site.at.gw, 'br-gw', { name: 'irb200', tag: 200, address: '10.20.20.1/24' })

  say(
    '\n6, 7  two pods: one with a kernel interface in VLAN 100, wired as ovs-cni does; one that tags by itself, wired by our agent and plugin',
  )
  const kernel = await site.pod('p1')
  await site.wire([site.at.n1.namespace, 'pod1'], [kernel, 'net1'])
  await kernel.ip('addr', 'add', '10.10.10.11/24', 'dev', 'net1')
  await makePod(rest, 'kernel', 'signalling-access')
  await plug(site.at.n1, 'pod1', definitions['signalling-access']!)
  const uid = await makePod(rest, 'tagging', 'all-tagged')
  const tagging = { containerID: uid, namespace: site.at.vnf.namespace, pod: { namespace, name: 'tagging', uid } }
  await own.cni('ADD', tagging, definitions['all-tagged']!)
  await site.at.vnf.vsctl('add-port', 'br-vnf', 'net1')
  const uplinkOpen = await own.uplink()
  say(`   the uplink of the second node carries ${uplinkOpen}`)
  await vlanPort(site.at.vnf, 'br-vnf', { name: 'v100', tag: 100, address: '10.10.10.22/24' })
  await vlanPort(site.at.vnf, 'br-vnf', { name: 'v200', tag: 200, address: '10.20.20.22/24' })

  const pings: Record<string, boolean> = {}
  const ping = async (what: string, from: Namespace, to: string): Promise<void> => {
    pings[what] = await reaches(from, to)
    say(`   ${what}: ${pings[what] ? 'answers' : 'silence'}`)
  }
  await ping('kernel pod → tagging pod, VLAN 100, over both switches', kernel, '10.10.10.22')
  await ping('kernel pod → gateway, VLAN 100', kernel, '10.10.10.1')
  await ping('tagging pod → gateway, VLAN 200, over both switches', site.at.vnf.namespace, '10.20.20.1')

  say('\n8  everything is taken back; what a pod is on waits for it')
  const terminating = await takeBack(rest, made)
  say(`   meanwhile: ${terminating}`)
  await until(
    () =>
      made
        .filter(({ kind }) => kind !== 'Subnet')
        .every(({ metadata: { name } }) => receiver.notices.some((notice) => notice.name === name && notice.phase === 'deleted')),
    'everybody has been told of the end',
    30_000,
  )
  await ping('kernel pod → gateway, after', kernel, '10.10.10.1')
  await own.cni('DEL', tagging, definitions['all-tagged']!)
  await until(async () => (await own.uplink()) !== uplinkOpen, 'the uplink of the second node is closed', 10_000)
  const uplink = { open: uplinkOpen, after: await own.uplink() }
  const after = await site.tables()
  showTables(say, 'the switches after', after)
  say(`\ntold at the CallbackURL, in order:`)
  for (const { kind, name, sequence, phase } of receiver.notices) say(`   ${kind} ${name} ${sequence}: ${phase}`)
  say(
    after.s1 === before.s1 && after.s2 === before.s2
      ? '\nthe switches are as they were, byte for byte'
      : '\nthe switches are NOT as they were',
  )
  return { before, open, after, pings, definitions, uplink, notices: receiver.notices, terminating }
}

function showTables(say: (text: string) => void, title: string, tables: Awaited<ReturnType<Site['tables']>>): void {
  say(`\n${title}`)
  for (const [name, text] of Object.entries(tables))
    say(
      text
        .split('\n')
        .slice(1)
        .map((line) => `   ${name}  ${line}`)
        .join('\n'),
    )
}

async function post(rest: Rest, path: string, body: object): Promise<unknown> {
  const answer = await rest.call('POST', path, body)
  if (answer.status >= 300) throw new Error(`POST ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body
}

const apiVersion = 'megrez.io/v1alpha1'

/** What the cloud admin declares once: how the site is wired. */
async function declareSite(rest: Rest, site: Site): Promise<void> {
  const object = (kind: string, name: string, spec: object): object => ({ apiVersion, kind, metadata: { name }, spec })
  await post(
    rest,
    '/v1/fabrics',
    object('Fabric', 'dc', {
      switches: [
        { name: 'tor1', driver: 'ovsdb', address: site.managed.s1, bridge: 'tor' },
        { name: 'tor2', driver: 'ovsdb', address: site.managed.s2, bridge: 'tor' },
      ],
      links: [
        { node: 'n1', interface: 'uplink', switch: 'tor1', switchPort: 'node1' },
        { node: 'n2', interface: 'uplink', switch: 'tor2', switchPort: 'node2' },
      ],
      gateways: [{ physicalNetwork: 'physnet', switch: 'tor1', switchPort: 'gw' }],
    }),
  )
  await post(
    rest,
    '/v1/nodepools',
    object('NodePool', 'pool', { nodes: ['n1'], interfaces: [{ name: 'uplink', connectionPoint: 'cp-br-data' }] }),
  )
  await post(
    rest,
    '/v1/nodepools',
    object('NodePool', 'pool-of-agents', { nodes: ['n2'], interfaces: [{ name: 'uplink', connectionPoint: 'cp-agents' }] }),
  )
  await post(
    rest,
    '/v1/connectionpoints',
    object('ConnectionPoint', 'cp-br-data', {
      physicalNet: 'physnet',
      supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br-data' }],
    }),
  )
  await post(
    rest,
    '/v1/connectionpoints',
    object('ConnectionPoint', 'cp-agents', {
      physicalNet: 'physnet',
      supportedCnis: [{ name: 'megrez', supportedInterfaceTypes: ['kernel'] }],
    }),
  )
}

interface MadeObject {
  readonly kind: 'Subnet' | 'L2Service' | 'L2ServiceAttachment'
  readonly metadata: { readonly name: string }
}
const plurals = { Subnet: 'subnets', L2Service: 'l2services', L2ServiceAttachment: 'l2serviceattachments' } as const
const pathOf = ({ kind, metadata }: MadeObject): string => `/v1/namespaces/${namespace}/${plurals[kind]}/${metadata.name}`

async function sendDescriptor(rest: Rest, callbackURL: string): Promise<readonly MadeObject[]> {
  const nsd = parse(await readFile(descriptor, 'utf8')) as object
  const { items } = (await post(
    rest,
    `/v1/namespaces/${namespace}/nsd?physicalNW=physnet&callbackURL=${encodeURIComponent(callbackURL)}`,
    nsd,
  )) as { readonly items: readonly MadeObject[] }
  for (const item of items) await post(rest, `/v1/namespaces/${namespace}/${plurals[item.kind]}`, item)
  return items
}

const ready = (rest: Rest, kind: MadeObject['kind'], name: string): Promise<void> =>
  until(
    async () => (await rest.call('GET', pathOf({ kind, metadata: { name } }))).body.status?.phase === 'ready',
    `${kind} ${name} is ready`,
    60_000,
  )

async function definitionOf(rest: Rest, name: string): Promise<OvsConfig> {
  const { body, status } = await rest.call('GET', `/v1/namespaces/${namespace}/network-attachment-definitions/${name}`)
  if (status !== 200) throw new Error(`NetworkAttachmentDefinition ${name}: ${status}`)
  return JSON.parse((body as unknown as { readonly spec: { readonly config: string } }).spec.config) as OvsConfig
}

/** @returns its UID */
async function makePod(rest: Rest, name: string, definition: string): Promise<string> {
  const made = await post(rest, `/v1/namespaces/${namespace}/pods`, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { 'k8s.v1.cni.cncf.io/networks': definition } },
    spec: { containers: [{ name: 'main', image: 'example.org/cnf' }] },
  })
  return (made as { readonly metadata: { readonly uid: string } }).metadata.uid
}

async function vlanPort(
  node: OvsNode,
  bridge: string,
  { name, tag, address }: { readonly name: string; readonly tag: number; readonly address: string },
): Promise<void> {
  await node.vsctl('add-port', bridge, name, `tag=${tag}`, '--', 'set', 'interface', name, 'type=internal')
  await node.namespace.ip('addr', 'add', address, 'dev', name)
  await node.namespace.ip('link', 'set', name, 'up')
}

/** The first packets may be lost while switches learn. */
async function reaches(from: Namespace, to: string): Promise<boolean> {
  return (await from.exec('ping', '-c', '3', '-i', '0.2', '-W', '1', to)).stdout.includes(' bytes from ')
}

/** @returns what the first attachment said while its pod was still there */
async function takeBack(rest: Rest, made: readonly MadeObject[]): Promise<string> {
  const gone = async (path: string): Promise<boolean> => (await rest.call('GET', path)).status === 404
  const attachments = made.filter(({ kind }) => kind === 'L2ServiceAttachment')
  for (const each of [...attachments, ...made.filter(({ kind }) => kind === 'L2Service')]) await rest.remove(pathOf(each))
  let output = ''
  await until(
    async () => {
      const { status } = (await rest.call('GET', pathOf(attachments[0]!))).body as unknown as {
        readonly status?: { readonly phase?: string; readonly message?: string }
      }
      output = `${status?.phase ?? ''}: ${status?.message ?? ''}`
      return status?.phase === 'terminating'
    },
    'the attachment waits for its pod',
    30_000,
  )
  for (const pod of ['kernel', 'tagging']) await rest.remove(`/v1/namespaces/${namespace}/pods/${pod}`)
  for (const each of made.filter(({ kind }) => kind !== 'Subnet'))
    await until(() => gone(pathOf(each)), `${each.kind} ${each.metadata.name} is gone`, 60_000)
  for (const each of made.filter(({ kind }) => kind === 'Subnet')) await rest.remove(pathOf(each))
  const places = [
    '/v1/connectionpoints/cp-br-data',
    '/v1/connectionpoints/cp-agents',
    '/v1/nodepools/pool',
    '/v1/nodepools/pool-of-agents',
    '/v1/fabrics/dc',
  ]
  for (const path of places) await rest.remove(path)
  for (const path of places) await until(() => gone(path), `${path} is gone`, 60_000)
  return output
}

function wrongWith({ before, after, open, pings, notices, terminating, uplink }: Story): string[] {
  const problems: Readonly<Record<string, boolean>> = {
    'the switches are not as they were': after.s1 !== before.s1 || after.s2 !== before.s2,
    [`the uplink of the second node carries ${uplink.open}, and ${uplink.after} afterwards`]:
      uplink.open !== '[100, 200]' || uplink.after !== '[4095]',
    'nothing was opened': open.s1 === before.s1 || open.s2 === before.s2,
    [`the attachment did not name its pod: ${terminating}`]: !terminating.includes('Pod'),
  }
  const pinged = Object.entries(pings)
    .filter(([what, answered]) => answered === what.endsWith('after'))
    .map(([what, answered]) => `${what}: ${answered ? 'answers' : 'silence'}`)
  return [...Object.keys(problems).filter((problem) => problems[problem]), ...pinged, ...outOfOrder(notices)]
}

function outOfOrder(notices: Story['notices']): string[] {
  const last = new Map<string, number>()
  return notices.flatMap(({ kind, name, sequence }) => {
    const key = `${kind} ${name}`
    const before = last.get(key) ?? 0
    last.set(key, sequence)
    return sequence < before ? [`${key} was told out of order`] : []
  })
}
