// The runtime of a node: an ADD that is made twice, a DEL that never comes.
import { happeningKind } from '../happening.ts'
import { nodeNames } from '../layout.ts'

interface Named {
  readonly node: string
}
export const repeatedAdd = happeningKind<Named>({
  name: 'repeated-add',
  fault: true,
  weight: 2,
  draw: (dice) => ({ node: dice.mostly(nodeNames) }),
  run({ node }, { machines }) {
    machines.of(node).repeatedAdds++
  },
})

export const lostDel = happeningKind<Named>({
  name: 'lost-del',
  fault: true,
  weight: 3,
  draw: (dice) => ({ node: dice.mostly(nodeNames) }),
  run({ node }, { machines }) {
    machines.of(node).lostDels++
  },
})
