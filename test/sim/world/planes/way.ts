// The way to a data plane, which takes its time, and on which its program may end.
import type { Process } from '../../process.ts'

/** Between two looks at whether it is back. */
const againMs = 40

interface Ends {
  readonly up: boolean
  /** Counts its lives. */
  readonly life: number
}

/** One way there; nobody answers while it is away. @throws what `cut` makes where it ended meanwhile: it may have been done */
export async function wayTo(model: Ends, process: Process, cut: () => Error): Promise<void> {
  while (!model.up) await process.pass(againMs, 'the data plane is waited for')
  const { life } = model
  await process.pass(process.way(), 'data plane')
  if (model.life !== life) throw cut()
}

/** A follower of a data plane hears of it as long as it lives. */
export function following(drift: Set<() => void>, process: Process): { onDrift(wake: () => void): void; close(): Promise<void> } {
  const wakes = new Set<() => void>()
  const leave = (): void => wakes.forEach((wake) => drift.delete(wake))
  process.onEnd(leave)
  return {
    onDrift(wake) {
      wakes.add(wake)
      drift.add(wake)
    },
    close: () => Promise.resolve(leave()),
  }
}
