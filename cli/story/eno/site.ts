// The site of the story: two top-of-rack switches, two nodes, a gateway and a VNF that tags by itself, each an Open vSwitch of its own in
// a network namespace of its own, joined by veth pairs. The second node is left to its agent.
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, connect, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { labPrefix, makeNamespace, must, type Namespace } from '../../../lab/namespaces.ts'
import { startOvsNode, type OvsNode } from '../../../lab/programs/ovs.ts'

const roles = ['s1', 's2', 'n1', 'n2', 'gw', 'vnf'] as const
export type Role = (typeof roles)[number]

export interface Site {
  readonly at: Readonly<Record<Role, OvsNode>>
  /** Where the OVSDB of a switch is managed over TCP. */
  readonly managed: Readonly<Record<'s1' | 's2', string>>
  /** Ports of both switches with all that VLANs depend on, as ovs-vsctl prints them. */
  tables(): Promise<Readonly<Record<'s1' | 's2', string>>>
  /** A pod's namespace. */
  pod(name: string): Promise<Namespace>
  /** A veth pair between two namespaces, both ends up. */
  wire(from: readonly [Namespace, string], to: readonly [Namespace, string]): Promise<void>
  stop(): Promise<void>
}

export async function openSite(): Promise<Site> {
  const prefix = labPrefix()
  const folder = await mkdtemp(join(tmpdir(), 'mz-'))
  const closers: (() => Promise<void>)[] = [() => rm(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const close of closers.splice(0).reverse()) await close()
  }
  try {
    const started = await Promise.all(
      roles.map(async (role) => {
        const node = await startOvsNode({ name: `${prefix}${role}`, folder: join(folder, role) })
        closers.push(() => node.stop())
        return [role, node] as const
      }),
    )
    const at = Object.fromEntries(started) as unknown as Site['at']
    const wire: Site['wire'] = async ([a, near], [b, far]) => {
      await must('ip', 'link', 'add', near, 'netns', a.name, 'type', 'veth', 'peer', 'name', far, 'netns', b.name)
      await a.ip('link', 'set', near, 'up')
      await b.ip('link', 'set', far, 'up')
    }
    const ns = (role: Role): Namespace => at[role].namespace
    await wire([ns('s1'), 'isl'], [ns('s2'), 'isl'])
    await wire([ns('s1'), 'node1'], [ns('n1'), 'uplink'])
    await wire([ns('s2'), 'node2'], [ns('n2'), 'uplink'])
    await wire([ns('s1'), 'gw'], [ns('gw'), 'uplink'])
    // The ports that face nodes and gateway begin closed: a trunk of the reserved VLAN alone. The one between the switches is not ours.
    await bridge(at.s1, 'tor', ['isl', 'node1', 'gw'], ['node1', 'gw'])
    await bridge(at.s2, 'tor', ['isl', 'node2'], ['node2'])
    await bridge(at.n1, 'br-data', ['uplink'])
    await bridge(at.gw, 'br-gw', ['uplink'])
    await bridge(at.vnf, 'br-vnf', [])
    const managed = { s1: await overTcp(at.s1, closers), s2: await overTcp(at.s2, closers) }
    const table = (role: 's1' | 's2'): Promise<string> =>
      at[role].vsctl('--format=csv', '--columns=name,trunks,tag,vlan_mode,external_ids,other_config', 'list', 'port')
    return {
      at,
      managed,
      wire,
      stop,
      async tables() {
        return { s1: sorted(await table('s1')), s2: sorted(await table('s2')) }
      },
      async pod(name) {
        const namespace = await makeNamespace(`${prefix}${name}`)
        closers.push(() => namespace.remove())
        return namespace
      },
    }
  } catch (err) {
    await stop()
    throw err
  }
}

async function bridge(node: OvsNode, name: string, ports: readonly string[], closed: readonly string[] = []): Promise<void> {
  await node.vsctl(
    'add-br',
    name,
    '--',
    'set',
    'bridge',
    name,
    'datapath_type=netdev',
    'fail-mode=standalone',
    ...ports.flatMap((each) => ['--', 'add-port', name, each]),
    ...closed.flatMap((each) => ['--', 'set', 'port', each, 'trunks=4095']),
  )
}

/** ovsdb-server listens in its namespace; the way there from ours is a TCP port of this process. */
export async function overTcp(node: OvsNode, closers: (() => Promise<void>)[]): Promise<string> {
  const path = node.db.slice('unix:'.length)
  const server: Server = createServer((socket) => {
    const inner = connect({ path })
    socket.pipe(inner).pipe(socket)
    socket.on('error', () => inner.destroy())
    inner.on('error', () => socket.destroy())
  })
  const sockets = new Set<{ destroy(): void }>()
  server.on('connection', (socket) => sockets.add(socket))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(
    () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      }),
  )
  return `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** By name: ovsdb-server lists rows in no order. */
const sorted = (csv: string): string => {
  const [head = '', ...rows] = csv.trim().split('\n')
  return [head, ...rows.sort()].join('\n')
}
