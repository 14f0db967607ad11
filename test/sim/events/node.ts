// A Node goes out of service, is deleted, comes back.
import { happeningKind } from '../happening.ts'
import { nodeNames } from '../layout.ts'
import { addNode, deleteNode } from '../world/nodes.ts'

export const loseNode = happeningKind<{ readonly name: string; readonly backMs: number }>({
  name: 'lose-node',
  fault: true,
  weight: 2,
  draw: (dice) => ({ name: dice.pick(nodeNames), backMs: Math.round(5_000 + dice.next() * 20_000) }),
  run({ name, backMs }, world) {
    deleteNode(name, world)
    world.site.scheduler.after(backMs, `node ${name} comes back`, () => addNode(name, world))
  },
})
