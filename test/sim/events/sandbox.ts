// The runtime of a node: an ADD that is made twice or given up, a DEL that never comes, a pod that has another sandbox, calls out of order.
import { happeningKind } from '../happening.ts'
import { namespaces, nodeNames, podNames } from '../layout.ts'
import type { OldGoes, Verb } from '../world/runtime.ts'

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

export const cancelAdd = happeningKind<Named & { readonly afterMs: number }>({
  name: 'cancel-add',
  fault: true,
  weight: 3,
  draw: (dice) => ({ node: dice.mostly(nodeNames), afterMs: dice.chance(0.5) ? dice.between(1, 40) : dice.between(40, 4_000) }),
  run({ node, afterMs }, { machines }) {
    machines.of(node).cancelledAdds.push(afterMs)
  },
})

const dels: readonly OldGoes[] = ['before', 'after', 'late', 'never']

export const newSandbox = happeningKind<{ readonly namespace: string; readonly name: string; readonly del: OldGoes }>({
  name: 'new-sandbox',
  fault: true,
  weight: 5,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(podNames), del: dice.pick(dels) }),
  run({ namespace, name, del }, { machines, site }) {
    const pod = site.truth.at('Pod', `${namespace}/${name}`)
    if (pod !== undefined) machines.runtime?.renew(pod, del)
  },
})

const verbs: readonly Verb[] = ['ADD', 'DEL', 'DEL', 'CHECK', 'GC', 'GC', 'STATUS']

export const cniCall = happeningKind<Named & { readonly verb: Verb; readonly nth: number }>({
  name: 'cni-call',
  fault: true,
  weight: 6,
  draw: (dice) => ({ node: dice.pick(nodeNames), verb: dice.pick(verbs), nth: dice.int(4) }),
  run({ node, verb, nth }, { machines }) {
    machines.runtime?.ask(verb, node, nth)
  },
})
