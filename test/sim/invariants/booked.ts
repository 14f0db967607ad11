// What Ports have booked of their node's uplink, once all is at rest: never more than it has, nothing of a Port that asks for none or is
// gone, and no less than asked for where there is room. One that is closed, as a set of rules is missing, keeps what it has: its node
// cannot know what that set asks for.
import { bookableOf } from '../../../core/node/booking/booking.ts'
import type { Resource } from '../../../core/kinds/index.ts'
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
  for (const { uid, has, least, most } of all) {
    if (has > most) yield `${uid} has booked ${has} bit/s on ${machine.name}, and asks for ${most}`
    if (has < least && least - has <= left) yield `${uid} has booked ${has} of ${least} bit/s on ${machine.name}, where ${left} are left`
  }
}

interface Row {
  readonly uid: string
  /** As its node says. */
  readonly has: number
  /** What it asks for while it is open, and at most. */
  readonly least: number
  readonly most: number
}

function rowOf({ uid, attachment }: LocalPort, { name }: Machine, truth: Truth): Row {
  const port = [...truth.values('Port')].find(({ metadata, spec }) => metadata.uid === uid && spec.node === name)
  const row = { uid, has: port?.status?.node?.booked ?? 0, least: 0, most: 0 }
  if (port === undefined || attachment.kind !== 'vni') return row
  return { ...row, least: trafficOf(port, name, truth)?.minEgress ?? 0, most: minimumOf(port, truth) }
}

function minimumOf({ status }: Resource<'Port'>, truth: Truth): number {
  const names = status?.policy?.ruleSets ?? []
  const sets = [...truth.values('PolicyRuleSet')].filter(({ metadata }) => names.includes(metadata.name))
  if (sets.length < names.length) return Infinity
  return Math.max(0, ...sets.filter(({ spec }) => spec.audit !== true).map(({ spec }) => spec.traffic?.minEgress ?? 0))
}
