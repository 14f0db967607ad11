// Agents as processes of their own on nodes of a lab, a standalone server that they talk to, and one Subnet for their pods.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { pathOf, Rest } from '../../cli/demo/rest.ts'
import { startServer, type Server } from '../../cli/demo/server.ts'
import { openLab, type Lab } from '../../lab/lab.ts'
import type { Carrier, CarrierPlace } from '../../lab/nodes/carriers.ts'
import { shimPath, startNodeOn, type AgentNode, type Sandbox } from '../../lab/nodes/node.ts'
import { makeUnderlay, type Underlay } from '../../lab/underlay.ts'
import { until } from '../setup/until.ts'

export type NodeWith<C extends Carrier> = AgentNode & { readonly carrier: C }

export interface Agents {
  readonly lab: Lab
  readonly server: Server
  readonly rest: Rest
  /** The wire between the nodes. */
  readonly underlay: Underlay
  /** The n-th node is at 192.168.50.n. */
  node<C extends Carrier>(
    name: string,
    carry: (place: CarrierPlace) => Promise<C>,
    env?: Readonly<Record<string, string>>,
  ): Promise<NodeWith<C>>
  /** A pod that its scheduler has put there, with one Nic and no cluster NIC; its sandbox is there. */
  pod(node: AgentNode, name: string, annotations?: Readonly<Record<string, string>>): Promise<Sandbox>
  /** @returns the pod's address */
  add(node: AgentNode, sandbox: Sandbox): Promise<string>
  del(node: AgentNode, sandbox: Sandbox): Promise<void>
  close(): Promise<void>
}

const namespace = 'a'
const apiVersion = 'megrez.io/v1alpha1'

/** @param settings of the server, beside those of every such server */
export async function startAgents(settings: Readonly<Record<string, string>> = {}): Promise<Agents> {
  const stops: (() => Promise<unknown>)[] = []
  const lab = await openLab()
  stops.push(() => lab.close())
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    const server = await startServer(['--no-install'], { MEGREZ_AGENTS: 'true', MEGREZ_ADDRESS_REST_MS: '0', ...settings })
    stops.push(() => server.stop())
    const underlay = await makeUnderlay(`${lab.id}-u`)
    stops.push(() => underlay.remove())
    const shim = await shimPath()
    const rest = new Rest(server)
    await rest.call('POST', pathOf('Vpc', namespace), { apiVersion, kind: 'Vpc', metadata: { name: 'net' }, spec: {} })
    await rest.call('POST', pathOf('Subnet', namespace), {
      apiVersion,
      kind: 'Subnet',
      metadata: { name: 'all' },
      // Tests ask for addresses below the pool: none of them is another pod's by chance.
      spec: { vpc: 'net', ipv4: { cidr: '10.0.0.0/24', pools: [{ first: '10.0.0.100', last: '10.0.0.254' }] } },
    })
    await until(
      async () => (await rest.call('GET', pathOf('Subnet', namespace, 'all'))).body.status?.phase === 'ready',
      'the Subnet is validated',
    )
    let count = 0
    return {
      lab,
      server,
      rest,
      underlay,
      close,
      async node(name, carry, env = {}) {
        const node = await startNodeOn(
          { lab, underlay, name, address: `192.168.50.${++count}`, store: join(server.folder, 'agents.sock'), shim, env },
          carry,
        )
        stops.push(() => node.stop())
        return node
      },
      async pod(node, name, annotations = {}) {
        const all = {
          'megrez.io/vpc': 'net',
          'megrez.io/cluster-nic': 'none',
          'megrez.io/nics': '[{"name":"eth0","subnet":"all"}]',
          ...annotations,
        }
        const answer = await rest.call('POST', pathOf('Pod', namespace), {
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name, annotations: all },
          spec: { nodeName: node.name, containers: [{ name: 'main', image: 'none' }] },
        })
        assert.equal(answer.status, 201, answer.body.detail)
        return node.sandbox({ namespace, name, uid: answer.body.metadata.uid })
      },
      async add(node, sandbox) {
        const { code, said } = await node.cni('ADD', sandbox)
        assert.equal(code, 0, `${said.msg ?? ''}\n${(await node.log()).trim().split('\n').slice(-5).join('\n')}`)
        return said.ips![0]!.address.replace(/\/\d+$/, '')
      },
      async del(node, sandbox) {
        const { code, said } = await node.cni('DEL', sandbox)
        assert.equal(code, 0, said.msg)
      },
    }
  } catch (err) {
    await close()
    throw err
  }
}

/** Host ends of pods that are still in a node's kernel. */
export async function ourLinks({ namespace: own }: AgentNode): Promise<string[]> {
  const { stdout } = await own.exec('ip', '-o', 'link')
  return [...stdout.matchAll(/^\d+: (mgz[0-9a-v]{12})@/gm)].map(([, name = '']) => name)
}
