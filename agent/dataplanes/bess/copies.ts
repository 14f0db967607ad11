// Who gets copies of an open module: the gate of each receiver is chosen when it is added, as with rules of a table.
import { ReplicateCommandSetGatesArg } from '../../../core/wire/bess/modules.ts'
import { pack } from '../../../core/wire/protobuf/protobuf.ts'
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
  for (const { name, ogate } of leading.slice(times)) {
    await daemon.disconnect(name, ogate)
    await setGates(
      daemon,
      name,
      (await daemon.info(name)).ogates.map((gate) => gate.ogate),
    )
  }
  if (leading.length >= times) return
  const place = seen.find(({ ogates }) => ogates.length < gatesMax)
  if (place === undefined) return
  const used = new Set(place.ogates.map(({ ogate }) => ogate))
  const free = Array.from({ length: gatesMax }, (_, gate) => gate).find((gate) => !used.has(gate))!
  // Before it is connected: what is connected is copied to then, wherever this is cut off.
  await setGates(daemon, place.name, [...used, free])
  await daemon.connect(place.name, free, target)
}

/**
 * Which gates get a copy; that cannot be asked. The first of them is not looked at: the original goes to gate 0 (ProcessBatch in
 * core/modules/replicate.cc).
 */
const setGates = (daemon: Daemon, name: string, gates: readonly number[]): Promise<unknown> =>
  daemon.command(name, 'set_gates', pack(ReplicateCommandSetGatesArg, { gates: [0, ...gates.filter((gate) => gate !== 0)] }))
