// A node's kernel takes its time: interfaces are made and taken away late.
import { happeningKind } from '../happening.ts'
import { nodeNames } from '../layout.ts'

export const slowLinks = happeningKind<{ readonly node: string; readonly ms: number; readonly forMs: number }>({
  name: 'slow-links',
  fault: true,
  weight: 3,
  draw: (dice) => ({ node: dice.mostly(nodeNames), ms: dice.between(20, 2_000), forMs: dice.between(1_000, 30_000) }),
  run({ node, ms, forMs }, { machines, site }) {
    const machine = machines.of(node)
    machine.linksMs = ms
    site.scheduler.after(forMs, `links of ${node} are quick again`, () => {
      machine.linksMs = 0
    })
  },
})
