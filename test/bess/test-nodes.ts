// Nodes with the real bessd, and pods on them as network namespaces.
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { bess, type BessOptions } from '../../agent/dataplanes/bess.ts'
import type { Underlay as KernelUnderlay } from '../../agent/dataplanes/bess/hops.ts'
import { kernelUnderlay } from '../../agent/dataplanes/bess/underlay.ts'
import { startBessd, type Bessd } from '../../lab/programs/bess.ts'
import { labPrefix, makeNamespace, must, type Namespace } from '../../lab/namespaces.ts'
import { makeUnderlay, type Underlay } from '../../lab/underlay.ts'
import { realClock } from '../../platform/clock.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { signal } from './wants.ts'

export { planFor, segment, settle, signal, wantedOf } from './wants.ts'

/** Where test/run.ts has put the daemon. */
export const bessd = process.env.MEGREZ_TEST_BESSD
export const bessSkip: string | false =
  bessd === undefined ? 'MEGREZ_TEST_BESSD names no bessd: start it by node bootstrap.mjs test/run.ts bess' : false

export interface PodSpec {
  readonly number: number
  readonly vni: number
  readonly address: string
  readonly mac: string
  readonly more?: Partial<LocalPort>
}

export interface BessNode {
  readonly namespace: Namespace
  readonly daemon: Bessd
  readonly tunnelAddress: string
  plane(more?: Partial<BessOptions>): Promise<Dataplane>
  /** A pod's namespace, its veth's host end in the node; its addresses are in a /24. */
  pod(spec: PodSpec): Promise<{ readonly namespace: Namespace; readonly port: LocalPort }>
}

export interface TestNodes {
  readonly folder: string
  readonly prefix: string
  readonly underlay: Underlay
  node(name: string, tunnelAddress: string): Promise<BessNode>
  namespace(name: string): Promise<Namespace>
  /** In the reverse order of their making. */
  onClose(close: () => Promise<unknown>): void
  close(): Promise<void>
}

/** @param program the daemon */
export async function openTestNodes(program = bessd!): Promise<TestNodes> {
  const prefix = labPrefix()
  const folder = await mkdtemp(join(tmpdir(), 'mgzb-'))
  // A worker takes all of its core.
  let cores = 0
  const closers: (() => Promise<unknown>)[] = [() => rm(folder, { recursive: true, force: true })]
  const namespace = async (name: string): Promise<Namespace> => {
    const made = await makeNamespace(`${prefix}${name}`)
    closers.push(() => made.remove())
    return made
  }
  const underlay = await makeUnderlay(`${prefix}u`)
  closers.push(() => underlay.remove())
  return {
    folder,
    prefix,
    underlay,
    namespace,
    onClose: (close) => void closers.push(close),
    async node(name, tunnelAddress) {
      const at = await namespace(name)
      await underlay.joinPlain(at, tunnelAddress)
      const daemon = await startBessd({
        program,
        namespace: at,
        folder: join(folder, name),
        core: cores++ % availableParallelism(),
      })
      closers.push(() => daemon.stop())
      return nodeOn({ namespace: at, daemon, tunnelAddress }, { closers, namespace, name })
    },
    async close() {
      for (const close of closers.splice(0).reverse()) await close()
    },
  }
}

/** The uplink of a node, looked for in its namespace. */
export async function underlayOf({ namespace, tunnelAddress }: Pick<BessNode, 'namespace' | 'tunnelAddress'>): Promise<KernelUnderlay> {
  const shown = await namespace.ip('-json', 'link', 'show', 'phy0')
  const [{ address }] = JSON.parse(shown.stdout) as [{ readonly address: string }]
  return kernelUnderlay({ ifcName: 'phy0', mac: address, address: tunnelAddress, l4Port: 4789 }, realClock, namespace.name)
}

type Bare = Pick<BessNode, 'namespace' | 'daemon' | 'tunnelAddress'>
interface Making {
  readonly closers: (() => Promise<unknown>)[]
  readonly namespace: (name: string) => Promise<Namespace>
  readonly name: string
}

function nodeOn(bare: Bare, { closers, namespace, name }: Making): BessNode {
  return {
    ...bare,
    async plane(more = {}) {
      const underlay = await underlayOf(bare)
      const plane = bess({ target: bare.daemon.target, underlay, socketFolder: '/tmp', ...more })
      closers.push(() => plane.close())
      await plane.open(signal)
      return plane
    },
    async pod({ number, vni, address, mac, more = {} }) {
      const pod = await namespace(`${name}p${number}`)
      const ifcName = `mgz${number}`
      await plug(bare.namespace, pod, { ifcName, mac, cidr: `${address}/24` })
      const port: LocalPort = {
        uid: `${name}-${number}`,
        of: { kind: 'Port', namespace: 'a', name: `port-${number}` },
        number,
        ifcName,
        attachment: { kind: 'vni', vni },
        mac,
        addresses: [address],
        allowedAddressPairs: [],
        portSecurity: true,
        type: 'kernel',
        mtu: 1450,
        ...more,
      }
      return { namespace: pod, port }
    },
  }
}

/** A veth pair from a node into a pod. */
export async function plug(
  node: Namespace,
  pod: Namespace,
  { ifcName, mac, cidr }: { readonly ifcName: string; readonly mac: string; readonly cidr: string },
): Promise<void> {
  await must('ip', 'link', 'add', 'eth0', 'netns', pod.name, 'type', 'veth', 'peer', 'name', ifcName, 'netns', node.name)
  await pod.ip('link', 'set', 'eth0', 'address', mac, 'mtu', '1450', 'up')
  await pod.ip('addr', 'add', cidr, 'dev', 'eth0')
  await pod.exec('ethtool', '-K', 'eth0', 'tx', 'off')
  await node.ip('link', 'set', ifcName, 'mtu', '1450', 'up')
}

/** Whether one of `count` pings comes back. */
export async function pings(
  from: Namespace,
  address: string,
  { count = 3, ...more }: { readonly count?: number; readonly from?: string } = {},
): Promise<boolean> {
  const done = await from.exec(
    'ping',
    '-c',
    String(count),
    '-i',
    '0.2',
    '-W',
    '1',
    ...(more.from === undefined ? [] : ['-I', more.from]),
    address,
  )
  return done.code === 0
}

/** Until it takes: the daemon's socket may not be there at once. */
export async function filled(node: BessNode, settleOnce: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 5000
  while (true) {
    try {
      if (!(await settleOnce())) return
    } catch (err) {
      if (Date.now() > deadline) throw new Error(`${node.namespace.name} was not filled again within 5 s`, { cause: err })
    }
  }
}
