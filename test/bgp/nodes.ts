// Nodes with agents and BIRD on one link, and a data-centre gateway of somebody else's on it, with FRR.
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { BGPHost } from '../../agent/bgp/host.ts'
import { labPrefix, makeNamespace, type Namespace } from '../../lab/namespaces.ts'
import { linuxCarrier, ovsCarrier, type Carrier, type CarrierPlace } from '../../lab/nodes/carriers.ts'
import { startAgents, type Agents, type NodeWith } from '../node/agents.ts'
import { serviceStore, type ServiceStore } from './service-store.ts'
import { stopDaemons } from './network.ts'
import { foreignFrr } from './speakers.ts'

export const gatewayAddress = '192.168.50.254'
/** Of a host behind it. */
export const outside = '198.51.100.1'

type Carry = (place: CarrierPlace) => Promise<Carrier>
/** On the data planes in turn. */
const onLinuxAndOvs: readonly Carry[] = [linuxCarrier, ovsCarrier, linuxCarrier]
export type L3Node = NodeWith<Carrier> & { readonly folder: string }

export interface L3Nodes {
  readonly agents: Agents
  readonly nodes: readonly [L3Node, L3Node, L3Node]
  readonly gateway: Namespace
  readonly services: ServiceStore
  /** What the gateway's FRR says to a command. */
  gatewaySays(command: string): Promise<string>
  close(): Promise<void>
}

const gatewayText = `
router bgp 64600
 bgp router-id ${gatewayAddress}
 no bgp ebgp-requires-policy
 bgp graceful-restart
 coalesce-time 0
${[1, 2, 3]
  .map(
    (n) => ` neighbor 192.168.50.${n} remote-as 64512
 neighbor 192.168.50.${n} timers 3 9
 neighbor 192.168.50.${n} timers connect 1
 neighbor 192.168.50.${n} advertisement-interval 0`,
  )
  .join('\n')}
 address-family ipv4 unicast
  network 198.51.100.0/24
 exit-address-family
exit
`

/** @param carriers of three nodes */
export async function startL3Nodes(carriers = onLinuxAndOvs): Promise<L3Nodes> {
  const stops: (() => Promise<unknown>)[] = []
  const close = async (): Promise<void> => {
    for (const stop of stops.splice(0).reverse()) await stop()
  }
  try {
    const folders = await mkdtemp(join(tmpdir(), 'mgz-l3-'))
    stops.push(() => rm(folders, { recursive: true, force: true }))
    // FRR's daemons run as a user of their own.
    await chmod(folders, 0o755)
    const agents = await startAgents()
    stops.push(() => agents.close())
    const services = await serviceStore(join(agents.server.folder, 'agents.sock'))
    stops.push(() => services.close())
    const gateway = await startGateway(agents, join(folders, 'g'), stops)
    const nodes: L3Node[] = []
    for (const [i, carry] of carriers.entries()) {
      const folder = join(folders, `n${i + 1}`)
      const node = await agents.node(`n${i + 1}`, carry, {
        MEGREZ_BGP: 'bird',
        MEGREZ_BGP_FOLDER: folder,
        MEGREZ_STORE_SOCKET: services.socket,
      })
      stops.push(() => stopDaemons(folder, new BGPHost(node.namespace.name)))
      await node.namespace.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1')
      nodes.push(Object.assign(node, { folder }))
    }
    return {
      agents,
      nodes: nodes as [L3Node, L3Node, L3Node],
      gateway,
      services,
      gatewaySays: async (command) => (await gateway.exec('vtysh', '--vty_socket', join(folders, 'g'), '-d', 'bgpd', '-c', command)).stdout,
      close,
    }
  } catch (err) {
    await close()
    throw err
  }
}

async function startGateway(agents: Agents, folder: string, stops: (() => Promise<unknown>)[]): Promise<Namespace> {
  const namespace = await makeNamespace(`${labPrefix()}g`)
  stops.push(() => namespace.remove())
  await agents.underlay.joinPlain(namespace, gatewayAddress)
  await namespace.ip('link', 'set', 'lo', 'up')
  await namespace.ip('address', 'add', `${outside}/24`, 'dev', 'lo')
  // Of several ways each connection has one (RFC 2992), not each pair of hosts.
  await namespace.exec('sysctl', '-qw', 'net.ipv4.fib_multipath_hash_policy=1')
  const host = new BGPHost(namespace.name)
  stops.push(() => stopDaemons(folder, host))
  await foreignFrr({ folder, host }, gatewayText)
  return namespace
}
