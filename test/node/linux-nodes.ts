// Nodes of the Linux data plane in namespaces of a test's own, joined by a wire, with pods wired as the agent wires them.
import assert from 'node:assert/strict'
import { realClock } from '../../platform/clock.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { Item } from '../../core/node/item.ts'
import type { PolicyTraffic } from '../../core/kinds/policy/policy-rule-set.ts'
import type { Endpoint, LocalPort, RuleSet, Segment } from '../../core/node/wanted.ts'
import { kosMac } from '../../core/net/mac.ts'
import { hostInterfaceName } from '../../core/net/names.ts'
import { linux } from '../../agent/dataplanes/linux.ts'
import type { Links } from '../../agent/links/links.ts'
import { makeLinks } from '../../agent/links/plumbing.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import type { LinuxItem } from '../../core/linux/linux-items.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { pieceSet } from '../../core/pieces/piece-set.ts'
import { builtAddon, withSpaces, type Space, type Spaces } from './kernel.ts'

const signal = new AbortController().signal
export const hostIP = (n: number): string => `192.0.2.${n}`

export interface Pod {
  readonly space: Space
  readonly port: LocalPort
  readonly vni: number
  readonly node: Node
}
export interface Node {
  readonly n: number
  readonly space: Space
  readonly plane: Dataplane<LinuxItem>
  readonly links: Links
  readonly items: Map<string, readonly Item<LinuxItem>[]>
  readonly segments: Map<number, Segment>
}

async function openNode(spaces: Spaces, n: number): Promise<Node> {
  const space = await spaces.make()
  const addon = await builtAddon()
  const netlink = await openNetlink(addon, space.path)
  const plane = linux({
    kernel: async () => ({ netlink: await openNetlink(addon, space.path), addon, netns: space.path }),
    tunnelAddress: hostIP(n),
    l4Port: 4789,
    uplinks: { physnet1: 'up0' },
  })
  const links = makeLinks({
    clock: realClock,
    netlink,
    reaper: await openNetlink(addon, space.path),
    onProblem: (err) => assert.fail(err as Error),
  })
  return { n, space, plane, links, items: new Map(), segments: new Map() }
}

/** As the agent does: what changes is worked out from the pieces. */
export async function want(node: Node, piece: string, items: readonly Item<LinuxItem>[]): Promise<void> {
  const before = node.items.get(piece) ?? []
  node.items.set(piece, items)
  const [was, is] = [new Map(before.map(({ key, text }) => [key, text])), new Map(items.map(({ key, text }) => [key, text]))]
  await node.plane.apply(
    { drop: before.filter(({ key, text }) => is.get(key) !== text), put: items.filter(({ key, text }) => was.get(key) !== text) },
    signal,
  )
}

export async function addPod(
  spaces: Spaces,
  node: Node,
  {
    vni,
    host,
    net = 0,
    more = {},
    segment,
  }: {
    readonly vni: number
    readonly host: number
    readonly net?: number
    readonly more?: Partial<LocalPort>
    readonly segment?: Partial<Segment>
  },
): Promise<Pod> {
  const space = await spaces.make()
  const [address, address6] = [`10.0.${net}.${host}`, `2001:db8:a${net}::${host}`]
  const uid = `${vni}-${net * 256 + host}`
  const port: LocalPort = {
    uid,
    of: { kind: 'Port', namespace: 'a', name: uid },
    number: host,
    ifcName: hostInterfaceName(uid),
    attachment: { kind: 'vni', vni },
    mac: kosMac(vni, address)!,
    addresses: [address, address6],
    allowedAddressPairs: [],
    portSecurity: true,
    type: 'kernel',
    mtu: 1450,
    ...more,
  }
  const whole: Segment = {
    vni,
    subnets: [0, 1].flatMap((n) => [
      { cidr: `10.0.${n}.0/24`, gateway: `10.0.${n}.1` },
      { cidr: `2001:db8:a${n}::/64`, gateway: `2001:db8:a${n}::1` },
    ]),
    flood: false,
    hosts: [],
    numbers: [],
    ...node.segments.get(vni),
    ...segment,
  }
  await node.links.ensure(port, {
    netns: space.path,
    ifname: 'eth0',
    addresses: [`${address}/24`, `${address6}/64`],
    routes: [
      { to: '0.0.0.0/0', via: `10.0.${net}.1` },
      { to: '::/0', via: `2001:db8:a${net}::1` },
    ],
  })
  const of = port.attachment.kind === 'vni' ? whole : undefined
  if (of !== undefined) await wantSegment(node, of)
  await want(node, `port ${uid}`, node.plane.renderer.render(portPiece, port, { segment: of }))
  return { space, port, vni, node }
}

export async function wantSegment(node: Node, segment: Segment): Promise<void> {
  node.segments.set(segment.vni, segment)
  await want(node, `segment ${segment.vni}`, node.plane.renderer.render(segmentPiece, segment))
}

/** Every other node that is in its VNI learns where a pod is, and so who may tunnel. */
export async function setPieces(pods: readonly Pod[], nodes: readonly Node[]): Promise<void> {
  for (const { port, vni, node } of pods) {
    for (const other of nodes) {
      if (other === node) continue
      const endpoints: Endpoint[] = port.addresses.map((address) => ({ vni, address, mac: port.mac, hostIP: hostIP(node.n) }))
      await want(
        other,
        `endpoints ${port.uid}`,
        endpoints.flatMap((endpoint) => other.plane.renderer.render(endpointPiece, endpoint)),
      )
      const segment = other.segments.get(vni)
      if (segment !== undefined) await wantSegment(other, { ...segment, hosts: [...new Set([...segment.hosts, hostIP(node.n)])] })
    }
  }
}

export const reaches = async (from: Pod, to: string): Promise<boolean> =>
  (await from.space.namespace.exec('ping', '-c', '1', '-W', '1', '-i', '0.2', to)).code === 0

export async function withNodes(run: (spaces: Spaces, nodes: readonly [Node, Node]) => Promise<void>): Promise<void> {
  await withSpaces(async (spaces) => {
    const nodes = [await openNode(spaces, 1), await openNode(spaces, 2)] as const
    await nodes[0].space.namespace.ip(
      'link',
      'add',
      'under',
      'mtu',
      '1600',
      'type',
      'veth',
      'peer',
      'name',
      'under',
      'netns',
      nodes[1].space.name,
    )
    for (const { n, space } of nodes) {
      await space.namespace.ip('addr', 'add', `${hostIP(n)}/24`, 'dev', 'under')
      await space.namespace.ip('link', 'set', 'under', 'up', 'mtu', '1600')
    }
    await nodes[0].space.namespace.ip('link', 'add', 'up0', 'type', 'veth', 'peer', 'name', 'up0', 'netns', nodes[1].space.name)
    for (const node of nodes) {
      await node.plane.open(signal)
      await want(node, 'base', node.plane.renderer.base())
    }
    try {
      await run(spaces, nodes)
    } finally {
      for (const { plane, links } of nodes) {
        await plane.close()
        await links.close()
      }
    }
  })
}

/** All but what is there whatever the pieces are, in place of what was wanted before: what closes comes first, and goes last. */
export async function wantAll(node: Node, items: readonly Item<LinuxItem>[]): Promise<void> {
  const base = node.items.get('base') ?? []
  const before = [...node.items].flatMap(([piece, all]) => (piece === 'base' ? [] : all))
  const [was, is] = [new Map(before.map(({ key, text }) => [key, text])), new Map(items.map(({ key, text }) => [key, text]))]
  node.items.clear()
  node.items.set('base', base).set('all', items)
  const put = items.filter(({ key, text }) => was.get(key) !== text)
  const drop = before.filter(({ key }) => !is.has(key))
  const isClosing = ({ key }: Item): boolean => /^(judged|ruled)\//.test(key)
  await node.plane.apply({ drop: [], put: put.filter(isClosing) }, signal)
  await node.plane.apply({ drop: drop.filter((each) => !isClosing(each)), put: put.filter((each) => !isClosing(each)) }, signal)
  await node.plane.apply({ drop: drop.filter(isClosing), put: [] }, signal)
}

/** As the agent's audit does it. */
export async function mend({ plane, items }: Node): Promise<void> {
  const wanted = [...items.values()].flat()
  const seen = await plane.observe(undefined, signal)
  const put = wanted.filter(({ key, text }) => seen.get(key) !== text)
  await plane.apply({ drop: put.filter(({ key }) => seen.has(key)).map(({ key }) => plane.itemOf(key, seen.get(key)!)), put }, signal)
}

interface PodJudging<P extends Pod> {
  readonly vni: number
  readonly sets: readonly RuleSet[]
  /** Of each that is judged. */
  readonly traffic?: PolicyTraffic
  readonly identityOf: (pod: P) => number
}

/** On each node all that it is to have, as its agent would put it. */
export async function judge<P extends Pod>(
  nodes: readonly Node[],
  pods: readonly P[],
  { vni, sets, identityOf, traffic }: PodJudging<P>,
): Promise<void> {
  for (const node of nodes) {
    const ports = pods.filter((pod) => pod.node === node)
    const endpoints = pods
      .filter((pod) => pod.node !== node)
      .flatMap((pod) =>
        pod.port.addresses.map((address) => ({ vni, address, mac: pod.port.mac, hostIP: hostIP(pod.node.n), identity: identityOf(pod) })),
      )
    const pieces = pieceSet([
      [
        portPiece,
        ports.map((pod) => ({
          ...pod.port,
          policy: { identity: identityOf(pod), ruleSets: [], isClosed: false, ...(traffic && { traffic }) },
        })),
      ],
      [segmentPiece, [node.segments.get(vni)!]],
      [endpointPiece, endpoints],
      [ruleSetPiece, sets],
    ])
    await wantAll(node, [...itemsOf(node.plane.renderer, pieces)])
  }
}

export async function nft({ space }: Node, ...args: readonly string[]): Promise<void> {
  const { code, stderr } = await space.namespace.exec('nft', ...args)
  assert.equal(code, 0, stderr)
}
