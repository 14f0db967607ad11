// The table of what a port may send, asked of the graph itself: from a port's guard through the tables behind it, as bessd would.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModuleElement, Element, RuleElement } from '../../core/graph/elements.ts'
import { graphRenderer } from '../../core/graph/renderer.ts'
import { unsupportedOf } from '../../core/graph/unsupported.ts'
import type { SegmentAttachment, LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { free, isOfFree, pairs, speaker, spoofs, type Verdict } from '../laws/spoofing.ts'

const renderer = graphRenderer({
  uplink: { ifcName: 'phy0', mac: '02:00:00:00:00:01', address: '192.0.2.1', l4Port: 4789 },
  uplinks: { physnet1: 'up0' },
  dpdkBy: 'vhost-user',
  socketFolder: '/run',
})
const portOf = (
  who: { readonly mac: string; readonly v4: string; readonly v6: string },
  number: number,
  attachment: SegmentAttachment,
): LocalPort => ({
  uid: `u${number}`,
  of: { kind: 'Port', namespace: 'a', name: `p${number}` },
  number,
  ifcName: `mgz${number}`,
  attachment,
  mac: who.mac,
  addresses: [who.v4, who.v6],
  allowedAddressPairs: number === 1 ? pairs : [],
  portSecurity: number === 1,
  type: 'kernel',
  mtu: 1450,
})

/** What BESS looks at past a frame's end is whatever was there. */
const beyond = 'ff'.repeat(128)

class Graph {
  readonly #modules: ReadonlyMap<string, ModuleElement>
  readonly #rules: ReadonlyMap<string, readonly RuleElement[]>

  constructor(ports: readonly LocalPort[]) {
    const elements: readonly Element[] = [...renderer.base(), ...ports.flatMap((port) => renderer.render(portPiece, port))].map(
      ({ value }) => value,
    )
    this.#modules = new Map(elements.flatMap((element) => (element.kind === 'module' ? [[element.role, element]] : [])))
    this.#rules = Map.groupBy(
      elements.filter((element) => element.kind === 'rule'),
      ({ table }) => table,
    )
  }

  verdict(from: string, frame: string): Verdict {
    let [role, bytes] = [from, frame]
    while (!/^(bum|arp|vbum\..*)$/.test(role)) {
      const { args, next } = this.#modules.get(role)!
      if (args.mclass === 'GenericEncap') bytes = `${args.value}${bytes}`
      const rule =
        args.mclass === 'WildcardMatch'
          ? this.#matching(
              role,
              args.fields.map(({ at, bytes: count }) => `${bytes}${beyond}`.substr(Number(at) * 2, count * 2)),
            )
          : undefined
      const to = rule?.to ?? next[0] ?? 'drop'
      if (to === 'drop') return 'dropped'
      role = to
    }
    return 'passes'
  }

  #matching(table: string, keys: readonly string[]): RuleElement | undefined {
    const is = ({ values, masks }: RuleElement): boolean =>
      keys.every((key, i) => (BigInt(`0x${key}`) & BigInt(`0x${masks![i]!}`)) === BigInt(`0x${values[i]!}`))
    return [...(this.#rules.get(table) ?? [])].sort((a, b) => b.priority! - a.priority!).find(is)
  }
}

const wrongIn = (graph: Graph, some: typeof spoofs, frameOf: (frame: string) => string): string[] =>
  some.flatMap(({ about, says, verdict, frame, ...each }) => {
    const found = graph.verdict(isOfFree({ about, says, verdict, frame, ...each }) ? 'guard.2' : 'guard.1', frameOf(frame))
    return found === verdict ? [] : [`${about}: ${says}: ${found}`]
  })

test('in a VNI, every frame has the verdict that it has on every data plane', () => {
  const vni = { kind: 'vni', vni: 5001 } as const
  const port = portOf(speaker, 1, vni)
  assert.deepEqual(
    unsupportedOf(port, { subnets: [], flood: true }).map(({ name }) => name),
    ['broadcast-limit'],
  )
  assert.deepEqual(
    wrongIn(new Graph([port, portOf(free, 2, vni)]), spoofs, (frame) => frame),
    [],
  )
})

test('one that policies close sends nothing at all, and nothing leads to it', () => {
  const closed = { identity: 7, ruleSets: ['vni-5001-1'], isClosed: true }
  const ports = [portOf(speaker, 1, { kind: 'vni', vni: 5001 }), portOf(free, 2, { kind: 'vni', vni: 5001 })]
  const graph = new Graph(ports.map((port) => ({ ...port, policy: closed })))
  for (const { frame } of spoofs) for (const guard of ['guard.1', 'guard.2']) assert.equal(graph.verdict(guard, frame), 'dropped')
  const leading = (port: LocalPort): number =>
    renderer
      .render(portPiece, port)
      .filter(({ value }) => value.kind === 'rule' && [`out.${port.number}`, `chk.${port.number}`].includes(value.to)).length
  assert.deepEqual(
    ports.flatMap((port) => [
      leading(port),
      leading({ ...port, policy: closed }),
      leading({ ...port, policy: { ...closed, isClosed: false } }),
    ]),
    [3, 0, 4, 3, 0, 4],
  )
})

test('in a VLAN, every frame has the same verdict behind its tag', () => {
  const vlan = { kind: 'vlan', physicalNetwork: 'physnet1', mode: 'trunk', vlans: [100] } as const
  const graph = new Graph([portOf(speaker, 1, vlan), portOf(free, 2, vlan)])
  // Of a port without security a second tag is its own business.
  const some = spoofs.filter(({ about, says }) => about !== 'without port security' || !says.includes('tag'))
  assert.deepEqual(
    wrongIn(graph, some, (frame) => `${frame.slice(0, 24)}81000064${frame.slice(24)}`),
    [],
  )
})

test('no table has more combinations of masks than a WildcardMatch has', () => {
  const elements = [...renderer.base(), ...renderer.render(portPiece, portOf(speaker, 1, { kind: 'vni', vni: 5001 }))]
    .map(({ value }) => value)
    .filter((element) => element.kind === 'rule' && element.masks !== undefined) as RuleElement[]
  for (const [table, rules] of Map.groupBy(elements, (rule) => rule.table))
    assert.ok(new Set(rules.map(({ masks }) => masks!.join('.'))).size <= 8, table)
})
