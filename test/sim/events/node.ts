// A Node goes out of service, is deleted, comes back; or falls silent, and is said to be gone although it is not.
import { happeningKind } from '../happening.ts'
import { nodeNames } from '../layout.ts'
import { processNames } from '../roles/index.ts'
import { addNode, deleteNode, heardAgain, sayGone, type Proof } from '../world/nodes.ts'

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

/** Nothing comes from it, and it hears nothing; all that it has wired stays, and goes on when it is heard again. */
export const silentNode = happeningKind<{
  readonly name: string
  readonly forMs: number
  readonly proof: Proof | 'none'
  readonly provenMs: number
}>({
  name: 'silent-node',
  fault: true,
  weight: 3,
  draw: (dice) => ({
    name: dice.mostly(nodeNames),
    forMs: dice.between(5_000, 40_000),
    proof: dice.pick(['none', 'deleted', 'tainted'] as const),
    provenMs: dice.between(1_000, 20_000),
  }),
  run({ name, forMs, proof, provenMs }, world) {
    const { machines, site } = world
    const machine = machines.of(name)
    if (!machine.up || machine.severed || machine.cutUntil > site.scheduler.now) return
    const { boot } = machine
    const until = site.scheduler.now + forMs
    site.cutOff(`agent-${name}`, until)
    machine.cutUntil = until
    const isSame = (): boolean => machine.up && machine.boot === boot
    if (proof !== 'none' && provenMs < forMs)
      site.scheduler.after(provenMs, `node ${name} is said to be gone`, () => isSame() && sayGone(name, proof, world))
    site.scheduler.after(forMs, `node ${name} is heard again`, () => isSame() && heardAgain(name, world))
  },
})

/** A process is cut off from the store, and its watches are: they go on from where they were. */
export const cutOff = happeningKind<{ readonly process: string; readonly ms: number }>({
  name: 'cut-off',
  fault: true,
  weight: 4,
  draw: (dice) => ({ process: dice.pick(processNames), ms: dice.between(50, dice.chance(0.5) ? 3_000 : 30_000) }),
  run: ({ process, ms }, { site }) => site.cutOff(process, site.scheduler.now + ms),
})
