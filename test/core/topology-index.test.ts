// What is kept of a network as objects come, change and go is what would be made of those that are left.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Resource } from '../../core/kinds/index.ts'
import { NetworkIndex } from '../../core/views/topology/network-index.ts'
import { topologyPage } from '../../core/views/topology/pages.ts'
import { pictureOf } from '../../core/views/topology/picture/picture.ts'
import { SortedKeys } from '../../core/views/topology/sorted-keys.ts'
import { trials } from '../setup/trials.ts'
import { thing } from './plan-things.ts'

const cluster = { namespace: undefined as never }
const names = fc.constantFrom('a', 'b', 'c')
const nodes = fc.option(fc.constantFrom('n1', 'n2'), { nil: undefined })
const vnis = fc.option(fc.constantFrom(7, 8), { nil: undefined })
const item = fc.oneof(
  fc
    .record({ name: names, node: nodes, vni: vnis, pod: fc.option(names, { nil: undefined }) })
    .map(({ name, node, vni, pod }) =>
      thing(
        'Port',
        name,
        { subnet: 's', ...(node && { node }), ...(pod && { claim: { pod, nic: 'n', owner: 'Pod/p', podUID: 'u' } }) },
        { status: { ...(vni && { vni, phase: 'ready' }) } },
      ),
    ),
  fc.tuple(names, nodes).map(([name, nodeName]) => thing('Pod', name, { ...(nodeName && { nodeName }) })),
  vnis.map((vni) => thing('Vpc', 'v', { provider: 'builtin' }, { status: { ...(vni && { vni }) } })),
  vnis.map((vni) => thing('Subnet', 's', { vpc: 'v', ipv4: { cidr: '10.0.0.0/24' } }, { status: { ...(vni && { vni }) } })),
  fc.constant(thing('Node', 'n1', {}, cluster)),
  names.map((name) => thing('L2Service', 'l', { segmentationID: 100, physicalNW: [name] })),
)
const steps = fc.array(fc.record({ item, gone: fc.boolean() }), { maxLength: 40 })
const keyOf = ({ metadata: { namespace, name } }: Resource): string => (namespace === undefined ? name : `${namespace}/${name}`)

const pageOf = (index: NetworkIndex) => topologyPage(index, { ports: true, from: undefined, limit: 1e9 })
const pictureIn = (index: NetworkIndex, by: 'node' | 'vpc') => {
  const { value } = pictureOf(index, { by, open: 'all', most: 1_000 }).next()
  const sorted = <T extends { readonly id: string }>(all: readonly T[]): readonly T[] => [...all].sort((a, b) => (a.id < b.id ? -1 : 1))
  return value === undefined ? undefined : { ...value, nodes: sorted(value.nodes), edges: sorted(value.edges) }
}

describe('the index of a network', () => {
  test('is the same however its objects have come, changed and gone', () => {
    fc.assert(
      fc.property(steps, (all) => {
        const [index, left] = [new NetworkIndex(), new Map<string, Resource>()]
        for (const { item: each, gone } of all) {
          const key = `${each.kind} ${keyOf(each)}`
          if (gone) index.gone(each.kind, keyOf(each))
          else index.put(each)
          if (gone) left.delete(key)
          else left.set(key, each)
          // It is looked at in between: what it keeps for the next look must not outlive a change.
          assert.ok(pageOf(index).parts.length >= 0)
        }
        const fresh = new NetworkIndex()
        for (const each of left.values()) fresh.put(each)
        assert.deepEqual(pageOf(index), pageOf(fresh))
        for (const by of ['node', 'vpc'] as const) assert.deepEqual(pictureIn(index, by), pictureIn(fresh, by))
      }),
      { numRuns: trials(1_000) },
    )
  })

  test('keeps keys in order, and goes on behind any of them', () => {
    const key = fc.integer({ min: 0, max: 3_000 }).map((n) => String(n))
    fc.assert(
      fc.property(fc.array(fc.tuple(key, fc.boolean()), { maxLength: 4_000 }), key, (all, from) => {
        const [keys, left] = [new SortedKeys(), new Set<string>()]
        for (const [each, gone] of all) {
          if (gone) keys.delete(each)
          else keys.add(each)
          if (gone) left.delete(each)
          else left.add(each)
        }
        const sorted = [...left].sort()
        assert.deepEqual([[...keys.after()], keys.size], [sorted, sorted.length])
        assert.deepEqual(
          [...keys.after(from)],
          sorted.filter((each) => each > from),
        )
      }),
      { numRuns: trials(100) },
    )
  })
})
