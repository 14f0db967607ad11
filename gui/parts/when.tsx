// Times as one says them, and whole on the title.
import { effect, signal } from '@preact/signals'
import { serverNow } from '../contract/clock.ts'

/** Once a second, for all ages that are shown. */
export const now = signal(serverNow())
setInterval(() => (now.value = serverNow()), 1_000)
// At once where the server's clock turns out to be another.
effect(() => void (now.value = serverNow()))

const steps: readonly (readonly [ms: number, word: string])[] = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
]

export function lasted(ms: number): string {
  if (ms < 1_000) return `${Math.max(0, Math.round(ms))} ms`
  const at = steps.findIndex(([step]) => ms >= step)
  const [step, word] = steps[at] ?? [1_000, 's']
  const whole = Math.floor(ms / step)
  const [finer, finerWord] = steps[at + 1] ?? [0, '']
  const rest = finer === 0 ? 0 : Math.floor((ms % step) / finer)
  return whole < 10 && rest > 0 ? `${whole} ${word} ${rest} ${finerWord}` : `${whole} ${word}`
}

/** The clocks of two machines differ: what is to come by a little is now. */
export function ago(at: number, from: number): string {
  const ms = from - at
  if (ms < -5_000) return `in ${lasted(-ms)}`
  return ms < 1_000 ? 'now' : `${lasted(ms)} ago`
}

export const When = ({ at }: { readonly at: string | undefined }) =>
  at === undefined || Number.isNaN(Date.parse(at)) ? (
    <span class="quiet">never</span>
  ) : (
    <time dateTime={at} title={at}>
      {ago(Date.parse(at), now.value)}
    </time>
  )
