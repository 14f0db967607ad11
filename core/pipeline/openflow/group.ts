// Groups as values: several ways for a packet under one number, and their spelling, that of ovs-ofctl(8) (dump-groups in OpenFlow 1.5).
import { printActions, type Action } from './actions.ts'
import { mark } from '../cookie.ts'
import type { Field } from './fields.ts'

export interface Bucket {
  /** Unique in its group. With `hash` and `dp_hash` what a packet is given depends on the ids: those that stay keep their packets. */
  readonly id: number
  /** Of `select`, in relation to the others; 2 to 65,535, absent: 1. */
  readonly weight?: number
  /** Of `ff`: the bucket is alive while this port's link is up. */
  readonly watch?: number
  readonly actions: readonly Action[]
}

export interface Group {
  /** One of `groupId`. */
  readonly id: number
  /** Every bucket; one by a hash; the only one; the first that is alive. */
  readonly type: 'all' | 'select' | 'indirect' | 'ff'
  /** Of `select`: over which fields the hash is. Absent: the switch's own choice, over addresses and ports. */
  readonly hash?: readonly Field[]
  readonly buckets: readonly Bucket[]
}

/** A group has no cookie: its number's highest byte says whose it is. */
const first = mark * 2 ** 24

/** Of ours. @param number 24 bits */
export function groupId(number: number): number {
  if (!Number.isInteger(number) || number < 0 || number >= 2 ** 24) throw new RangeError(`a group has 24 bits, not ${number}`)
  return first + number
}
export const isOurGroup = (id: number): boolean => Math.floor(id / 2 ** 24) === mark

/** In one order, whatever they were named in. */
export const hashFields = (hash: readonly Field[]): readonly Field[] => [...hash].sort((a, b) => a.order - b.order)

function printBucket({ id, weight, watch, actions }: Bucket): string {
  const parts = [
    `bucket_id:${id}`,
    ...(weight === undefined ? [] : [`weight:${weight}`]),
    ...(watch === undefined ? [] : [`watch_port:${watch}`]),
    `actions=${printActions(actions)}`,
  ]
  return `bucket=${parts.join(',')}`
}

/** All that matters of it. */
export function groupText({ type, hash, buckets }: Group): string {
  const fields = hashFields(hash ?? []).map(({ name }) => name)
  const method =
    hash === undefined
      ? []
      : [
          'selection_method=hash',
          ...(fields.length === 0 ? [] : [fields.length === 1 ? `fields=${fields[0]}` : `fields(${fields.join(',')})`]),
        ]
  return [`type=${type}`, ...method, ...buckets.map(printBucket)].join(',')
}
