// Inspectors beside a data plane, on a machine in memory: what is done in which order, and what becomes of proxies that end.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { memory, memoryNode, type MemoryNode } from '../../agent/dataplanes/memory.ts'
import {
  Inspectors,
  inspectorsMost,
  type FoundInspector,
  type InspectorHost,
  type InspectorName,
} from '../../agent/inspectors/inspectors.ts'
import { withInspectors } from '../../agent/inspectors/with-inspectors.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { inspectorItems, inspectorKey, type InspectorThing } from '../../core/node/inspectors/item.ts'
import type { Inspector } from '../../core/node/inspectors/inspected.ts'
import type { Item } from '../../core/node/item.ts'
import { memoryItem } from '../../core/pieces/memory-item.ts'
import { inspectorPiece } from '../../core/pieces/policy/inspector.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'

const because = { rule: 'a test', of: { kind: 'Node', name: 'n' } } as const
const signal = new AbortController().signal

const inspector = (vni: number, url = 'a/b'): Inspector => ({
  vni,
  direction: 'egress',
  mtu: 1_400,
  policies: [
    {
      subjects: ['10.0.0.2'],
      inspections: [
        { index: 0, source: '/', direction: 'egress', action: 'deny', transport: [{ protocol: 6, first: 80 }], l7: { urls: [url] } },
      ],
    },
  ],
})
const item = (vni: number, url?: string): Item<InspectorThing> => inspectorItems(inspector(vni, url), because)[0]!

class MemoryHost implements InspectorHost {
  readonly log: string[] = []
  readonly networks = new Set<string>()
  /** Those whose proxy runs: what it was made from. */
  readonly proxies = new Map<string, InspectorThing>()
  lacks: string | undefined
  refuses = false

  missing(): Promise<string | undefined> {
    return Promise.resolve(this.lacks)
  }

  list(): Promise<readonly FoundInspector[]> {
    return Promise.resolve(
      [...this.networks].map((key) => {
        const [, vni = ''] = /ml([0-9a-f]{6})/.exec(key) ?? []
        return { vni: parseInt(vni, 16), direction: 'egress', text: this.proxies.get(key)?.text }
      }),
    )
  }

  makeNetwork(thing: InspectorThing): Promise<void> {
    if (this.refuses) return Promise.reject(new Error('no network'))
    this.networks.add(nameOf(thing))
    return this.#did('network', thing)
  }

  async start(thing: InspectorThing): Promise<'started'> {
    this.proxies.set(nameOf(thing), thing)
    await this.#did('start', thing)
    return 'started'
  }

  runs(name: InspectorName): Promise<boolean> {
    return Promise.resolve(this.proxies.has(nameOf(name)))
  }

  remove(name: InspectorName): Promise<void> {
    this.networks.delete(nameOf(name))
    this.proxies.delete(nameOf(name))
    return this.#did('remove', name)
  }

  close(): Promise<void> {
    return Promise.resolve()
  }

  #did(what: string, { vni }: InspectorName): Promise<void> {
    this.log.push(`${what} ${vni}`)
    return Promise.resolve()
  }
}
const nameOf = ({ vni, direction }: InspectorName): string => inspectorKey(vni, direction)

describe('inspectors beside a data plane', () => {
  let host: MemoryHost, node: MemoryNode, clock: TurnedClock, inspectors: Inspectors, plane: Dataplane
  let wakes: number
  beforeEach(async () => {
    host = new MemoryHost()
    clock = new TurnedClock()
    node = memoryNode({ way: () => Promise.resolve(void host.log.push('plane')) })
    await opened()
  })
  async function opened(): Promise<void> {
    wakes = 0
    inspectors = new Inspectors({ host, clock, random: () => 0, log: silentLog() })
    plane = withInspectors(memory(node), inspectors)
    plane.onDrift(() => wakes++)
    assert.equal((await plane.open(signal))['inspectors'], host.lacks ?? true)
    host.log.length = 0
  }
  const put = (...all: readonly Item[]): Promise<void> => plane.apply({ put: all, drop: [] }, signal)
  /** What was done, the data plane's way there and back as one. */
  const done = (): readonly string[] => host.log.splice(0).filter((each, i, all) => each !== 'plane' || all[i - 1] !== 'plane')
  const turned = async (ms: number): Promise<void> => {
    clock.advance(ms)
    for (let i = 0; i < 20; i++) await Promise.resolve()
  }

  test('the network of one is there before the port that leads to it, and its proxy after all that it is asked by', async () => {
    await put(memoryItem('port/x', 'up', because), item(7))
    assert.deepEqual(done(), ['network 7', 'plane', 'start 7'])
    assert.deepEqual([...(await plane.observe(undefined, signal))].at(-1), [item(7).key, item(7).text])
    await plane.apply({ drop: [memoryItem('port/x', 'up', because), plane.itemOf(item(7).key, item(7).text)], put: [] }, signal)
    assert.deepEqual(done().slice(-2), ['plane', 'remove 7'])
    assert.equal((await plane.observe(undefined, signal)).has(item(7).key), false)
  })

  test('one that is changed is started again, and not removed', async () => {
    await put(item(7))
    done()
    await plane.apply({ drop: [item(7)], put: [item(7, 'a/c')] }, signal)
    assert.deepEqual(done(), ['network 7', 'start 7'])
  })

  test('where none can be made none is wanted, and the capabilities say why', async () => {
    assert.equal(plane.renderer.render(inspectorPiece, inspector(7)).length, 1)
    host.lacks = 'there is no haproxy here'
    await opened()
    assert.deepEqual(plane.renderer.render(inspectorPiece, inspector(7)), [])
  })

  test('one that cannot be made keeps nothing else from being done', async () => {
    host.refuses = true
    await assert.rejects(put(memoryItem('port/x', 'up', because), item(7)), /no network/)
    assert.equal(node.things.get('port/x'), 'up')
    assert.equal(host.proxies.size, 0)
  })

  test('there are no more than a node has memory for', async () => {
    await put(...Array.from({ length: inspectorsMost }, (_, i) => item(i + 1)))
    await assert.rejects(put(item(100)), /there are 64 inspectors here/)
    await put(item(1, 'a/c'))
    assert.equal(inspectors.counts.inspectors, inspectorsMost)
  })

  test('one that ends is told of at once, and later each time that it does not stay', async () => {
    await put(item(7))
    await turned(1_000)
    assert.equal(wakes, 0)
    const waits: number[] = []
    for (let round = 0; round < 4; round++) {
      host.proxies.clear()
      assert.equal((await plane.observe(undefined, signal)).get(item(7).key), 'not running')
      await turned(1_000)
      let waited = 0
      for (const before: number = wakes; wakes === before && waited < 10_000; waited += 50) await turned(50)
      waits.push(waited)
      await put(item(7))
    }
    assert.ok(waits[0]! <= 50, `${waits}`)
    for (const i of [1, 2, 3]) assert.ok(waits[i]! > waits[i - 1]!, `${waits}`)
    assert.deepEqual(inspectors.counts, { inspectors: 1, restarts: 4 })
  })

  test('an agent that starts takes over what runs, and starts what does not', async () => {
    await put(item(7), item(8))
    host.proxies.delete(item(8).key)
    await plane.close()
    await opened()
    const seen = await plane.observe(undefined, signal)
    assert.deepEqual([seen.get(item(7).key), seen.get(item(8).key)], [item(7).text, 'not running'])
    host.proxies.delete(item(7).key)
    await turned(1_000)
    await turned(50)
    assert.equal(wakes, 1, 'it is watched, whoever has started it')
  })

  test('those that run go on when the agent ends', async () => {
    await put(item(7))
    await plane.close()
    assert.equal(host.proxies.size, 1)
    host.proxies.clear()
    await turned(10_000)
    assert.equal(wakes, 0)
  })
})
