// A daemon that was killed is missed by its neighbours' BFD a while later (RFC 5880 section 6.8.4). Had the next one sessions by then, BFD
// would close those, and a neighbour that is left twice within one graceful restart drops all routes of it. So the next one is not started
// before, by whoever starts it: the configuration says so in a comment, to the agent and to a shell.
import type { SpeakerSpec } from './speaker.ts'

/** For a neighbour whose machine is busy. */
export const lateMs = 200

/**
 * @param sign that begins a comment
 * @param missedAfterMs of a neighbour by its address: it may have been told of other times than this speaker, or of none
 */
export function startAfterLines(
  sign: string,
  { groups }: SpeakerSpec,
  { missedAfterMs }: { readonly missedAfterMs: (neighbour: string) => number },
): readonly string[] {
  const kept = groups.filter(({ gracefulRestartSeconds }) => gracefulRestartSeconds !== undefined).flatMap(({ sessions }) => sessions)
  const detections = kept
    .filter(({ external }) => !external)
    .map(({ address, bfd }) => Math.max(bfd === undefined ? 0 : bfd.intervalMilliseconds * bfd.multiplier, missedAfterMs(address)))
  const longest = Math.max(0, ...detections)
  return longest === 0 ? [] : [`${sign} start after ${(longest + lateMs) / 1000} s`]
}

/** Milliseconds from when one is missing until another may be started. */
export const startAfterMs = (text: string): number => Number(/^[#!] start after ([\d.]+) s$/m.exec(text)?.[1] ?? 0) * 1000
