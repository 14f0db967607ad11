// Two nodes beside a standalone server: what demos and stories put pods on.
import type { Lab, Stops } from '../../lab/lab.ts'
import type { Carrier, CarrierPlace } from '../../lab/nodes/carriers.ts'
import { shimPath, startNode, startNodeOn, type AgentNode, type LabNode, type NodeOptions, type Sandbox } from '../../lab/nodes/node.ts'
import { makeUnderlay } from '../../lab/underlay.ts'
import { until } from '../../platform/programs/until.ts'
import { pathOf, Rest } from './rest.ts'
import { startServer } from './server.ts'
import { settleMs } from './story.ts'

export interface TwoNodes<N extends AgentNode = LabNode> {
  readonly rest: Rest
  /** The socket by which agents find the server. */
  readonly store: string
  /** `n1` and `n2`. */
  readonly nodes: ReadonlyMap<string, N>
}

/** With Open vSwitch. @param env of the agents, beside what every node of a lab has */
export const startTwoNodes = (lab: Lab, install: boolean, stops: Stops, env: Readonly<Record<string, string>> = {}): Promise<TwoNodes> =>
  startBoth(lab, install, stops, (options) => startNode({ ...options, env }))

/** @param carry starts what carries a node's packets */
export const startTwoNodesOn = (carry: (place: CarrierPlace) => Promise<Carrier>, lab: Lab, stops: Stops): Promise<TwoNodes<AgentNode>> =>
  startBoth(lab, false, stops, (options) => startNodeOn(options, carry))

async function startBoth<N extends AgentNode>(
  lab: Lab,
  install: boolean,
  stops: Stops,
  start: (options: NodeOptions) => Promise<N>,
): Promise<TwoNodes<N>> {
  const server = await startServer(install ? [] : ['--no-install'], { MEGREZ_AGENTS: 'true' })
  stops.push(() => server.stop())
  const underlay = await makeUnderlay(`${lab.id}-u`)
  stops.push(() => underlay.remove())
  const shim = await shimPath()
  const store = `${server.folder}/agents.sock`
  const nodes = new Map<string, N>()
  for (const [i, name] of ['n1', 'n2'].entries()) {
    const node = await start({ lab, underlay, name, address: `192.168.50.${i + 1}`, store, shim })
    stops.push(() => node.stop())
    nodes.set(name, node)
  }
  return { rest: new Rest(server), store, nodes }
}

/** A Vpc `net` with the Subnet `all`, 10.0.0.0/24. */
export async function makeNetwork(rest: Rest, namespace: string): Promise<void> {
  const apiVersion = 'megrez.io/v1alpha1'
  await made(rest, pathOf('Vpc', namespace), { apiVersion, kind: 'Vpc', metadata: { name: 'net' }, spec: {} })
  const spec = { vpc: 'net', ipv4: { cidr: '10.0.0.0/24' } }
  await made(rest, pathOf('Subnet', namespace), { apiVersion, kind: 'Subnet', metadata: { name: 'all' }, spec })
  await until(
    async () => (await rest.call('GET', pathOf('Subnet', namespace, 'all'))).body.status?.phase === 'ready',
    `the Subnet of ${namespace} is validated`,
    settleMs,
  )
}

/** @returns its UID */
export async function made(rest: Rest, path: string, body: object): Promise<string> {
  const answer = await rest.call('POST', path, body)
  if (answer.status !== 201) throw new Error(`POST ${path}: ${answer.status} ${answer.body.detail ?? JSON.stringify(answer.body.errors)}`)
  return answer.body.metadata.uid
}

export interface LabPod {
  readonly tenant: string
  readonly name: string
  readonly node: string
  /** Absent: what is free. */
  readonly address?: string
  /** Absent: the Vpc's own choice. */
  readonly subnet?: string
  /** What else its NIC says. */
  readonly nic?: object
  readonly labels?: Readonly<Record<string, string>>
}
export interface PodOfLab extends LabPod {
  readonly address: string
}
export interface PlacedPod<P extends LabPod = PodOfLab, N extends AgentNode = AgentNode> {
  readonly pod: P
  readonly sandbox: Sandbox
  readonly on: N
  readonly addMs: number
}

/** A scheduler's part is done by naming the node; a runtime's by making the sandbox and calling the plugin. */
export async function place<P extends LabPod, N extends AgentNode>(
  pod: P,
  { rest, nodes }: Pick<TwoNodes<N>, 'rest' | 'nodes'>,
): Promise<PlacedPod<P, N>> {
  const { tenant, name, node, address, subnet, labels = {}, nic = {} } = pod
  const on = nodes.get(node)!
  const annotations = {
    'megrez.io/vpc': 'net',
    'megrez.io/cluster-nic': 'none',
    'megrez.io/nics': JSON.stringify([{ name: 'eth0', ip: address, subnet, ...nic }]),
  }
  const uid = await made(rest, pathOf('Pod', tenant), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, labels, annotations },
    spec: { nodeName: node, containers: [{ name: 'main', image: 'none' }] },
  })
  const sandbox = await on.sandbox({ namespace: tenant, name, uid })
  const { code, said, tookMs } = await on.cni('ADD', sandbox)
  if (code !== 0)
    throw new Error(
      `CNI ADD of ${tenant}/${name} on ${node}: ${code} ${said.msg ?? ''}\n${(await on.log()).split('\n').slice(-6).join('\n')}`,
    )
  return { pod, sandbox, on, addMs: tookMs }
}
