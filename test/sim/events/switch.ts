// A data plane ends and begins anew: flows or modules are gone, and ports of Open vSwitch may have other numbers than they asked for.
// A kernel does not end: its bridges and tunnels are deleted.
import { happeningKind } from '../happening.ts'
import { nodeNames } from '../layout.ts'

export const restartSwitch = happeningKind<{ readonly node: string; readonly downMs: number; readonly renumbers: boolean }>({
  name: 'restart-switch',
  fault: true,
  weight: 3,
  draw: (dice) => ({ node: dice.mostly(nodeNames), downMs: dice.between(5, 3_000), renumbers: dice.chance(0.6) }),
  run({ node, downMs, renumbers }, { machines, site }) {
    const { plane, boot } = machines.of(node)
    if (!plane.up) return
    plane.end(site.scheduler.now)
    site.scheduler.after(downMs, `the data plane of ${node} begins anew`, () => {
      const machine = machines.of(node)
      if (machine.up && machine.boot === boot)
        plane.begin(site.scheduler.now, renumbers ? site.dice.fork(`numbers ${node} ${boot} ${downMs}`) : undefined)
    })
  },
})
