// What this machine has, and what of that a server or a node needs.
import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Context } from '../context.ts'
import { lacks, note, ok, type Finding } from './finding.ts'

export interface MachineFacts {
  readonly node: string
  readonly isRoot: boolean
  /** Those of `programs` that are on PATH. */
  readonly programs: ReadonlySet<string>
  /** Of 2 MiB or more, that are set aside. */
  readonly hugePages: number
  /** Kernel modules that are loaded or built in. */
  readonly modules: ReadonlySet<string>
  /** Sockets that somebody has made. */
  readonly sockets: ReadonlySet<string>
}
export const dataplanes = ['ovs', 'bess', 'linux'] as const
export type Dataplane = (typeof dataplanes)[number]

const programs = ['redis-server', 'kubectl', 'ip', 'nft', 'ovs-vsctl', 'ovs-ofctl', 'bessd'] as const
const modules = ['vxlan', 'openvswitch', 'veth', 'nf_tables'] as const
const agentSocket = '/run/megrez/cni.sock'
const databaseSocket = '/var/run/openvswitch/db.sock'

export async function factsOf({ env }: Context): Promise<MachineFacts> {
  const folders = (env['PATH'] ?? '').split(delimiter).filter((each) => each !== '')
  const isThere = (path: string, mode = constants.F_OK): Promise<boolean> =>
    access(path, mode).then(
      () => true,
      () => false,
    )
  const among = async <T extends string>(all: readonly T[], test: (one: T) => Promise<boolean>): Promise<ReadonlySet<string>> => {
    const held = await Promise.all(all.map(test))
    return new Set(all.filter((_, i) => held[i]))
  }
  const memory = await readFile('/proc/meminfo', 'utf8').catch(() => '')
  return {
    node: process.versions.node,
    isRoot: process.getuid?.() === 0,
    programs: await among(programs, async (name) =>
      (await Promise.all(folders.map((folder) => isThere(join(folder, name), constants.X_OK)))).includes(true),
    ),
    hugePages: Number(/^HugePages_Total:\s+(\d+)/m.exec(memory)?.[1] ?? 0),
    modules: await among(modules, (name) => isThere(`/sys/module/${name}`)),
    sockets: await among([agentSocket, databaseSocket], (path) => isThere(path)),
  }
}

/** Of a place where `npm start` runs. */
export function serverFindings({ node, programs: there }: MachineFacts): readonly Finding[] {
  return [
    ok(`Node.js ${node}`),
    there.has('redis-server')
      ? ok('redis-server: queues outlive a restart of the workers')
      : note('no redis-server: queues are in the process, which is enough for one machine', 'apt install redis-server'),
  ]
}

type Check = (facts: MachineFacts) => Finding

const needs =
  (program: string, what: string, help: string): Check =>
  ({ programs: there }) =>
    there.has(program) ? ok(`${program}: ${what}`) : lacks(`no ${program} on PATH: ${what}`, help)
const module =
  (name: string, what: string): Check =>
  ({ modules: there }) =>
    there.has(name) ? ok(`kernel module ${name}: ${what}`) : lacks(`kernel module ${name} is not loaded: ${what}`, `modprobe ${name}`)

const ofEvery: readonly Check[] = [
  ({ isRoot }) =>
    isRoot
      ? ok('root: an agent may change interfaces')
      : note('not root: what only root sees is not looked at', 'sudo megrez doctor --node'),
  needs('ip', 'interfaces in network namespaces', 'apt install iproute2'),
  module('veth', 'pairs of interfaces between pods and the node'),
  ({ sockets }) =>
    sockets.has(agentSocket)
      ? ok(`an agent listens on ${agentSocket}`)
      : lacks(`no agent listens on ${agentSocket}: no pod is wired here`, 'kubectl -n megrez-system get pods -o wide'),
]
const ofDataplane: Readonly<Record<Dataplane, readonly Check[]>> = {
  ovs: [
    needs('ovs-vsctl', 'the switch of this node', 'apt install openvswitch-switch'),
    ({ sockets, programs: there }) =>
      sockets.has(databaseSocket)
        ? ok(`ovsdb-server listens on ${databaseSocket}`)
        : lacks(
            `nobody listens on ${databaseSocket}: Open vSwitch does not run`,
            there.has('ovs-vsctl') ? 'systemctl start openvswitch-switch' : 'apt install openvswitch-switch',
          ),
    ({ modules: there }) =>
      there.has('openvswitch')
        ? ok('kernel module openvswitch: packets pass in the kernel')
        : note('kernel module openvswitch is not loaded: packets pass in userspace, more slowly', 'modprobe openvswitch'),
  ],
  bess: [
    needs('bessd', 'the data plane of this node', 'see docs/bess.md'),
    ({ hugePages }) =>
      hugePages > 0
        ? ok(`${hugePages} huge pages`)
        : note('no huge pages: bessd runs without, more slowly, and Ports of type dpdk do not', 'sysctl -w vm.nr_hugepages=512'),
  ],
  linux: [module('vxlan', 'tunnels to other nodes'), needs('nft', 'guards of what Ports send', 'apt install nftables')],
}

/** Of a node with an agent. */
export const nodeFindings = (facts: MachineFacts, dataplane: Dataplane): readonly Finding[] =>
  [...ofEvery, ...ofDataplane[dataplane]].map((check) => check(facts))
