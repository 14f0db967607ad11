// What goes wrong on a machine beside its kernel and its switch: the ledger's disk, the cluster's own CNI, and an agent that is replaced.
import { happeningKind } from '../happening.ts'
import { nodeNames } from '../layout.ts'
import type { DelegateFault } from '../world/delegate.ts'

interface Named {
  readonly node: string
}

export const disk = happeningKind<Named & { readonly is: 'full' | 'slow' | 'cut'; readonly forMs: number; readonly times?: number }>({
  name: 'disk',
  fault: true,
  weight: 5,
  draw: (dice) => ({
    node: dice.mostly(nodeNames),
    is: dice.pick(['full', 'slow', 'cut'] as const),
    forMs: dice.between(500, 20_000),
    times: dice.between(1, 4),
  }),
  run({ node, is, forMs, times = 1 }, { machines, site }) {
    const machine = machines.of(node)
    if (is === 'full') machine.disk.full = true
    else if (is === 'slow') machine.diskMs = 3_000
    else machine.cutLines += times
    site.scheduler.after(forMs, `the disk of ${node} is as before`, () => {
      if (is === 'full') machine.disk.full = false
      else if (is === 'slow') machine.diskMs = 0
    })
  },
})

export const delegateFails = happeningKind<Named & DelegateFault>({
  name: 'delegate-fails',
  fault: true,
  weight: 4,
  draw: (dice) => ({
    node: dice.mostly(nodeNames),
    plugin: dice.int(2),
    how: dice.pick(['not begun', 'half'] as const),
    of: dice.pick(['ADD', 'ADD', 'DEL'] as const),
  }),
  run({ node, ...fault }, { machines }) {
    machines.of(node).delegate.faults.push(fault)
  },
})

/** Where it overlaps, the next begins at once, and the one before is told to end so many milliseconds later. */
export const upgradeAgent = happeningKind<Named & { readonly overlapMs?: number }>({
  name: 'upgrade-agent',
  fault: true,
  weight: 3,
  draw: (dice) => ({ node: dice.mostly(nodeNames), ...(dice.chance(0.4) && { overlapMs: dice.between(0, 8_000) }) }),
  run: ({ node, overlapMs }, { site }) =>
    overlapMs === undefined ? site.replace(`agent-${node}`) : site.overlap(`agent-${node}`, overlapMs),
})
