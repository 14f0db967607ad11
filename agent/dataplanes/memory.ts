// A data plane in memory: the smallest that keeps the promises, and the one that fast tests look into.
import type { Dataplane, NodeChange, Renderer } from '../../core/contracts/dataplane.ts'
import { InUse } from '../../core/errors.ts'
import type { Because } from '../../core/node/because.ts'
import { explainPlainly } from '../../core/node/explained.ts'
import type { Item } from '../../core/node/item.ts'
import type { AddressPair, SegmentAttachment } from '../../core/node/wanted.ts'

/** What a node has: shared by all that look at it. Things of others begin with `theirs/`. */
export interface MemoryNode {
  readonly things: Map<string, string>
  /** Passes for the way there and back; tests let rivals in here. */
  readonly way?: () => Promise<void>
  /** Who else has the bridge. */
  readonly owner?: string
  /** Called when somebody has changed a thing. */
  readonly drift: Set<() => void>
  /** How many changes were applied. */
  changes: number
}

export const memoryNode = (more: Partial<Pick<MemoryNode, 'way' | 'owner'>> = {}): MemoryNode => ({ things: new Map(), drift: new Set(), changes: 0, ...more })

const item = (key: string, text: string, because: Because): Item<string> => ({ key, text, value: text, because })
const whereOf = (a: SegmentAttachment): string => (a.kind === 'vni' ? `vni ${a.vni}` : `${a.mode} ${a.physicalNetwork} ${a.vlans.join(',')}`)
const pairOf = ({ ip, mac }: AddressPair): string => (mac === undefined ? ip : `${ip}@${mac}`)
const theNode = { kind: 'Node', name: 'here' } as const

export const memoryRenderer: Renderer<string> = {
  base: () => [item('bridge', 'up', { rule: 'every node has a bridge', of: theNode })],
  port(port, segment) {
    const because = { rule: 'a Port on this node', of: port.of }
    const sources = port.portSecurity ? [...port.addresses, ...port.allowedAddressPairs.map(pairOf)].join(' ') : 'any'
    const gateways = (segment?.subnets ?? []).flatMap(({ gateway }) => gateway ?? [])
    return [
      item(`port/${port.uid}`, `${port.ifcName} number ${port.number} ${whereOf(port.attachment)} ${port.mac} mtu ${port.mtu} ${port.type} gateways ${gateways.join(' ')}`, because),
      item(`guard/${port.uid}`, `from ${sources}`, because),
    ]
  },
  endpoint({ vni, address, mac, hostIP }) {
    return [item(`remote/${vni}/${address}`, `${mac} at ${hostIP}`, { rule: 'an address of this VNI on another node', of: { kind: 'IPLock', name: `${vni}/${address}` } })]
  },
  segment({ vni, subnets, flood, hosts, numbers }) {
    const because = { rule: 'a VNI with a port here', of: { kind: 'SegmentLock', name: `vni-${vni}` } } as const
    const gateways = subnets.flatMap(({ gateway }) => (gateway === undefined ? [] : [item(`gateway/${vni}/${gateway}`, 'answered', because)]))
    const known = hosts.map((host) => item(`known/${vni}/${host}`, 'may tunnel', because))
    return flood ? [...known, ...gateways, item(`flood/${vni}`, `to ${hosts.join(' ')} and ${numbers.join(' ')}`, because)] : [...known, ...gateways]
  },
  unsupported: () => [],
  explain: explainPlainly,
}

export function memory(node: MemoryNode): Dataplane<string> {
  const way = node.way ?? (() => Promise.resolve())
  let wakes: (() => void)[] = []
  return {
    name: 'memory',
    renderer: memoryRenderer,
    open: () => (node.owner === undefined ? Promise.resolve({ memory: true }) : Promise.reject(new InUse({ what: 'the bridge', owner: node.owner }))),
    async observe() {
      await way()
      return new Map([...node.things].filter(([key]) => !key.startsWith('theirs/')))
    },
    async apply(change) {
      await way()
      applyTo(node, change)
      await way()
    },
    itemOf: (key, text) => item(key, text, { rule: 'it was here', of: theNode }),
    onDrift(wake) {
      wakes.push(wake)
      node.drift.add(wake)
    },
    close() {
      for (const wake of wakes) node.drift.delete(wake)
      wakes = []
      return Promise.resolve()
    },
  }
}

function applyTo(node: MemoryNode, { drop, put }: NodeChange<string>): void {
  node.changes++
  for (const { key } of drop) node.things.delete(key)
  for (const { key, text } of put) node.things.set(key, text)
}
