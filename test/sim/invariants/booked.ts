// What Ports have booked of their node's uplink, once all is at rest: never more than it has, nothing of a Port that asks for none or is
// gone, and no less than asked for where there is room.
import { bookableOf } from '../../../core/node/booking/booking.ts'
import type { LocalPort } from '../../../core/node/wanted.ts'
import type { Invariant } from '../invariant.ts'
import { uplinkOf } from '../roles/agents.ts'
import type { Machine } from '../world/machines.ts'
import type { Truth } from '../truth.ts'
import { trafficOf } from './traffic.ts'

export const booked: Invariant = {
  name: 'booked',
  begin: ({ site: { truth }, machines }, fail) => ({
    atRest() {
      for (const machine of machines.all.values()) if (machine.up) for (const what of wrongOn(machine, truth)) fail(what)
    },
  }),
}

function* wrongOn(machine: Machine, truth: Truth): Generator<string> {
  const all = [...machine.links.there.values()].map(({ port }) => rowOf(port, machine, truth))
  const left = bookableOf(uplinkOf(machine.name)) - all.reduce((sum, { has }) => sum + has, 0)
  if (left < 0) yield `on ${machine.name} ${-left} bit/s more are booked than there are`
  for (const { uid, has, min } of all) {
    if (has > min) yield `${uid} has booked ${has} bit/s on ${machine.name}, and asks for ${min}`
    if (has < min && min - has <= left) yield `${uid} has booked ${has} of ${min} bit/s on ${machine.name}, where ${left} are left`
  }
}

interface Row {
  readonly uid: string
  /** As its node says. */
  readonly has: number
  readonly min: number
}

function rowOf({ uid, attachment }: LocalPort, { name }: Machine, truth: Truth): Row {
  const port = [...truth.values('Port')].find(({ metadata, spec }) => metadata.uid === uid && spec.node === name)
  const asked = port === undefined || attachment.kind !== 'vni' ? undefined : trafficOf(port, name, truth)?.minEgress
  return { uid, has: port?.status?.node?.booked ?? 0, min: asked ?? 0 }
}
