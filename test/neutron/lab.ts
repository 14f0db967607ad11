// A real Neutron, and nodes of its own: two chassis of OVN, or one host with Neutron's agent of Open vSwitch.
import type { Stops } from '../../lab/lab.ts'
import { labPrefix, makeNamespace, must, type Namespace } from '../../lab/namespaces.ts'
import type { Person } from '../../lab/openstack/keystone.ts'
import type { Firewall } from '../../lab/openstack/ovs-agent.ts'
import { startNeutronLab, type NeutronLab, type NeutronLabOptions } from '../../lab/openstack/cloud.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { makeUnderlay } from '../../lab/underlay.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { ovsFolder } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { caller, nobody, type Caller, type NeutronPort } from '../../lab/openstack/caller.ts'

export const neutronSkip: string | false =
  process.env.MEGREZ_TEST_OPENSTACK === undefined
    ? 'MEGREZ_TEST_OPENSTACK is not set: run it by node bootstrap.mjs test/run.ts neutron'
    : false

/** The project that the ports of a test are of. */
export const project = 'tenant-a'

export interface Host {
  /** In `binding:host_id`. */
  readonly name: string
  readonly ovs: OvsNode
}

export interface NeutronWorld extends NeutronLab {
  readonly hosts: readonly [Host, ...Host[]]
  /** One more of Open vSwitch, whose agent has this firewall; ends with the world. */
  addHost(firewall: Firewall): Promise<Host>
  /** Everything is allowed. */
  readonly admin: Caller
  /** What Keystone lets somebody do. */
  as(person: Person): Promise<Caller>
  /** A sandbox with an interface that is a port's, on br-int or the bridge that Neutron has named, as a node's agent would plug it in. */
  plug(host: Host, port: NeutronPort, mtu: number, bridge?: string): Promise<Namespace>
}

export type NeutronKind = Pick<NeutronLabOptions, 'mechanism' | 'auth' | 'novaPath'>

export async function startNeutron(options: NeutronKind): Promise<NeutronWorld> {
  const prefix = labPrefix()
  const stops: Stops = []
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).toReversed()) await each()
  }
  try {
    const underlay = await makeUnderlay(`${prefix}u`)
    stops.push(() => underlay.remove())
    const startHost = async (i: number): Promise<Host> => {
      const ovs = await startOvsNode({ name: `${prefix}n${i}`, folder: ovsFolder() })
      stops.push(() => ovs.stop())
      await underlay.join(ovs, addressOf(i))
      return { name: `n${i}`, ovs }
    }
    const hosts: Host[] = []
    for (const i of options.mechanism === 'ovn' ? [1, 2] : [1]) hosts.push(await startHost(i))
    const lab = await startNeutronLab({ ...options, freePorts, print: (line) => console.error(line) })
    stops.push(() => lab.stop())
    for (const [i, { name, ovs }] of hosts.entries()) await lab.join(ovs, { host: name, address: addressOf(i + 1) })
    const { keystone, server } = lab
    const as = async (person: Person): Promise<Caller> => {
      const token = await keystone!.token(person)
      return caller(server.url, { 'x-auth-token': token })
    }
    const admin = keystone === undefined ? caller(server.url, nobody) : await as('admin')
    const alive = async (): Promise<string[]> =>
      (await admin.get<readonly { readonly host: string; readonly alive: boolean }[]>('agents'))
        .filter((each) => each.alive)
        .map(({ host }) => host)
    const areAlive = (names: readonly string[]): Promise<void> =>
      until(
        async () => {
          const there = await alive()
          return names.every((name) => there.includes(name))
        },
        `Neutron has heard of ${names.join(', ')}`,
        180_000,
      )
    await areAlive(hosts.map(({ name }) => name))
    let pods = 0
    return {
      ...lab,
      hosts: hosts as [Host, ...Host[]],
      admin,
      as,
      async addHost(firewall) {
        const host = await startHost(hosts.length + 1)
        // Neutron's side of it ends with the lab, and so before the node.
        stops.push(...stops.splice(-2).toReversed())
        await lab.join(host.ovs, { host: host.name, address: addressOf(hosts.length + 1), firewall })
        await areAlive([host.name])
        return host
      },
      async plug(host, port, mtu, bridge = 'br-int') {
        const namespace = await makeNamespace(`${prefix}p${pods++}`)
        stops.push(() => namespace.remove())
        await plugByHand(host, namespace, { port, mtu, bridge })
        return namespace
      },
      stop,
    }
  } catch (err) {
    await stop()
    throw err
  }
}

/** What a server hears Neutron's events with. */
export const eventSettings = ({ nova }: NeutronWorld): Readonly<Record<string, string>> =>
  nova === undefined
    ? {}
    : {
        MEGREZ_LISTEN_HOST: '127.0.0.1',
        MEGREZ_CLOUD_EVENTS_L4PORT: String(nova.l4Port),
        MEGREZ_CLOUD_EVENTS_CERT: nova.cert,
        MEGREZ_CLOUD_EVENTS_KEY: nova.key,
      }

const addressOf = (i: number): string => `192.168.50.${i}`

interface Plug {
  readonly port: NeutronPort
  readonly mtu: number
  readonly bridge: string
}

async function plugByHand({ ovs }: Host, pod: Namespace, { port, mtu, bridge }: Plug): Promise<void> {
  const tap = `tap${port.id.slice(0, 11)}`
  const link = ['link', 'add', 'eth0', 'netns', pod.name, 'address', port.mac_address, 'mtu', String(mtu), 'type', 'veth']
  await must('ip', ...link, 'peer', 'name', tap, 'netns', ovs.namespace.name)
  // The userspace datapath does not fill in checksums that a veth leaves to the hardware.
  await pod.exec('ethtool', '-K', 'eth0', 'tx', 'off')
  for (const { ip_address: address } of port.fixed_ips) await pod.ip('addr', 'add', `${address}/24`, 'dev', 'eth0')
  await pod.ip('link', 'set', 'eth0', 'up')
  await ovs.namespace.ip('link', 'set', tap, 'up')
  const ids = { 'iface-id': port.id, 'attached-mac': `"${port.mac_address}"`, 'iface-status': 'active' }
  const marks = Object.entries(ids).map(([name, value]) => `external_ids:${name}=${value}`)
  await ovs.vsctl('add-port', bridge, tap, '--', 'set', 'interface', tap, ...marks)
}
