// Who gets copies of an open module: which gate leads to whom is settled when it is put, as with rules of a table.
import type { Daemon } from './daemon.ts'

/** Of one Replicate (core/modules/replicate.h). */
const gatesMax = 32

/**
 * So many of these modules' gates lead there afterwards: more are taken away, and one is added where a gate is free.
 *
 * @param open names of a family's modules
 */
export async function copyTo(daemon: Daemon, open: readonly string[], target: string, times: 0 | 1): Promise<void> {
  const seen = await Promise.all(open.map(async (name) => ({ name, ogates: (await daemon.info(name)).ogates })))
  const leading = seen.flatMap(({ name, ogates }) => ogates.filter((gate) => gate.name === target).map(({ ogate }) => ({ name, ogate })))
  for (const { name, ogate } of leading.slice(times)) await daemon.disconnect(name, ogate)
  if (leading.length >= times) return
  const place = seen.find(({ ogates }) => ogates.length < gatesMax)
  if (place === undefined) return
  const used = new Set(place.ogates.map(({ ogate }) => ogate))
  await daemon.connect(place.name, Array.from({ length: gatesMax }, (_, gate) => gate).find((gate) => !used.has(gate))!, target)
}
