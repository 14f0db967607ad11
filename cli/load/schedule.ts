// What a run will do, and when: known before it begins, the same for the same numbers.

export interface Operation {
  /** From the beginning of the run. */
  readonly atMs: number
  readonly do: 'create' | 'delete'
  /** Which one, from 0: each is created once and deleted once. */
  readonly attachment: number
  /** Which network, from 0. */
  readonly network: number
  /** Absent: bound to none. */
  readonly node?: string
  /** It shall be tested with pings. */
  readonly tested: boolean
}

export interface Schedule {
  /** What each network has room for. */
  readonly sizes: readonly number[]
  readonly attachments: number
  /** Operations per second. */
  readonly rate: number
  readonly distribution: 'steady' | 'poisson'
  /** Above 0: everything is created, then this pause, then everything is deleted. Else both go on together. */
  readonly waitAfterCreateMs: number
  readonly testFraction: number
  readonly nodes: readonly string[]
  /** Nodes in turn; else at random. */
  readonly roundRobin: boolean
}

/** One address of a network, and who has it. */
interface Slot {
  readonly network: number
  attachment: number | undefined
}

/** @param random in [0, 1) */
export function scheduleOf(plan: Schedule, random: () => number): readonly Operation[] {
  const slots: Slot[] = plan.sizes.flatMap((size, network) => Array.from({ length: size }, () => ({ network, attachment: undefined })))
  const shock = plan.waitAfterCreateMs > 0
  const count = shock ? Math.min(plan.attachments, slots.length) : plan.attachments
  const steps = [...creating(slots, { count, shock, random }), ...emptying(slots, random)]
  const nodeOf = placing(plan, random)
  const made = Array.from({ length: count }, (_, i) => ({ ...nodeOf(i), tested: random() < plan.testFraction }))
  let at = 0
  return steps.map((step, i) => {
    if (i > 0) at += gapMs(plan, random)
    if (shock && i === count) at += plan.waitAfterCreateMs
    return { ...step, atMs: at, ...made[step.attachment]! }
  })
}

type Step = Pick<Operation, 'do' | 'attachment' | 'network'>

/** Turns at slots picked at random: an empty one is filled, a full one emptied. In a shock empty ones alone. */
function* creating(
  slots: readonly Slot[],
  { count, shock, random }: { readonly count: number; readonly shock: boolean; readonly random: () => number },
): Generator<Step> {
  let next = 0
  while (next < count) {
    const open = shock ? slots.filter((slot) => slot.attachment === undefined) : slots
    const slot = open[Math.floor(random() * open.length)]!
    const { network, attachment } = slot
    slot.attachment = attachment === undefined ? next++ : undefined
    yield attachment === undefined ? { do: 'create', attachment: slot.attachment!, network } : { do: 'delete', attachment, network }
  }
}

function* emptying(slots: readonly Slot[], random: () => number): Generator<Step> {
  const full = slots.filter((slot) => slot.attachment !== undefined)
  while (full.length > 0) {
    const [{ network, attachment }] = full.splice(Math.floor(random() * full.length), 1) as [Slot]
    yield { do: 'delete', attachment: attachment!, network }
  }
}

function placing({ nodes, roundRobin }: Schedule, random: () => number): (i: number) => { readonly node?: string } {
  if (nodes.length === 0) return () => ({})
  return (i) => ({ node: nodes[roundRobin ? i % nodes.length : Math.floor(random() * nodes.length)]! })
}

/** A gap of the Poisson distribution is exponential; none is longer than a thousand of the mean. */
function gapMs({ rate, distribution }: Schedule, random: () => number): number {
  const mean = 1000 / rate
  return distribution === 'steady' ? mean : Math.min(-Math.log(1 - random()) * mean, 1000 * mean)
}
