// A data plane in memory: the smallest that keeps the promises, and the one that fast tests look into.
import type { Dataplane, NodeChange, Renderer } from '../../core/contracts/dataplane.ts'
import { InUse } from '../../core/errors.ts'
import { explainPlainly } from '../../core/node/explained.ts'
import { renderingBy } from '../../core/pieces/kind.ts'
import { memoryItem } from '../../core/pieces/memory-item.ts'

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

export const memoryNode = (more: Partial<Pick<MemoryNode, 'way' | 'owner'>> = {}): MemoryNode => ({
  things: new Map(),
  drift: new Set(),
  changes: 0,
  ...more,
})

const theNode = { kind: 'Node', name: 'here' } as const

export const memoryRenderer: Renderer<string> = {
  base: () => [memoryItem('bridge', 'up', { rule: 'every node has a bridge', of: theNode })],
  ...renderingBy('memory', () => undefined),
  explain: explainPlainly,
}

export function memory(node: MemoryNode): Dataplane<string> {
  const way = node.way ?? (() => Promise.resolve())
  let wakes: (() => void)[] = []
  return {
    name: 'memory',
    renderer: memoryRenderer,
    open: () =>
      node.owner === undefined ? Promise.resolve({ memory: true }) : Promise.reject(new InUse({ what: 'the bridge', owner: node.owner })),
    async observe() {
      await way()
      return new Map([...node.things].filter(([key]) => !key.startsWith('theirs/')))
    },
    async apply(change) {
      await way()
      applyTo(node, change)
      await way()
    },
    itemOf: (key, text) => memoryItem(key, text, { rule: 'it was here', of: theNode }),
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
