// How frames of VLANs pass a bridge that knows none: at each of its ports one program takes the tag off what comes in and writes the VLAN
// into the frame's mark, another lets out only what has a mark that the port may have, and puts the tag on again. Within the bridge frames
// have no tags, so guards see addresses.
import {
  and,
  assemble,
  call,
  copy,
  exit,
  ifAtMost,
  ifBelow,
  ifEqual,
  ifOther,
  jump,
  load,
  or,
  set,
  store,
  type Instruction,
} from '../wire/netlink/bpf.ts'
import { hash80 } from '../net/names.ts'
import { vlanMax } from '../net/segment.ts'

/** `all` is for uplinks: whatever VLAN it is, the ports of the bridge choose. */
export interface PortVlans {
  readonly mode: 'access' | 'tagged'
  /** Each once, in order; access: one. */
  readonly vlans: readonly number[] | 'all'
}
export type TrafficDirection = 'in' | 'out'

/** What a port may, as people write it: `tagged 100,200-203`; of a list that the kernel would not keep as a name, its hash. */
export function vlansName({ mode, vlans }: PortVlans): string {
  const list =
    vlans === 'all'
      ? vlans
      : rangesOf(vlans)
          .map(([a, b]) => (a === b ? `${a}` : `${a}-${b}`))
          .join(',')
  return list.length <= nameMax ? `${mode} ${list}` : `${mode} ${hash80('VLANs', list)}`
}
/** Characters; the kernel has room for 255 (CLS_BPF_NAME_LEN), and ours has more to say. */
const nameMax = 200

/** In the upper half of a mark of ours: `Mg`. The lower half is the tag's, with its priority. */
export const vlanMark = 0x4d670000
const [upper, lower, vid] = [0xffff0000 | 0, 0xffff, 0xfff]
/** linux/bpf.h: `struct __sk_buff`. Tags of the outermost VLAN never stand in the frame here: the kernel takes them out before. */
const field = { mark: 8, tagged: 20, tag: 24, protocol: 28 } as const
const helper = { push: 18, pop: 19 } as const
/** 802.1Q, in the order of the wire. */
const dot1q = 0x0081
/** linux/pkt_cls.h: TC_ACT_OK and TC_ACT_SHOT. */
const [pass, refuse] = [0, 2]
const [frame, value, id] = [6, 7, 8]

export function programOf(port: PortVlans, way: TrafficDirection): Uint8Array {
  const access = port.mode === 'access' && port.vlans !== 'all' ? port.vlans[0] : undefined
  const body = access === undefined ? tagged(port.vlans, way) : untagged(access, way)
  return assemble([copy(frame, 1), ...body, set(0, pass), exit, { label: 'refused' }, set(0, refuse), exit])
}

const markedAs = (mark: number): readonly Instruction[] => [store(frame, field.mark, mark)]
/** The mark does not depend on what comes after. */
const unmarked: readonly Instruction[] = [set(value, 0), ...markedAs(value)]

function untagged(vlan: number, way: TrafficDirection): readonly Instruction[] {
  if (way === 'in') return [load(value, frame, field.tagged), ifOther(value, 0, 'refused'), set(value, vlanMark | vlan), ...markedAs(value)]
  return [load(value, frame, field.mark), and(value, upper | vid), ifOther(value, vlanMark | vlan, 'refused'), ...unmarked]
}

function tagged(vlans: PortVlans['vlans'], way: TrafficDirection): readonly Instruction[] {
  const allowed = [copy(id, value), and(id, vid), ...oneOf(id, vlans === 'all' ? [[1, vlanMax]] : rangesOf(vlans))]
  if (way === 'in') {
    return [
      load(value, frame, field.tagged),
      ifEqual(value, 0, 'refused'),
      load(value, frame, field.protocol),
      ifOther(value, dot1q, 'refused'),
      load(value, frame, field.tag),
      and(value, lower),
      ...allowed,
      copy(1, frame),
      call(helper.pop),
      ifOther(0, 0, 'refused'),
      or(value, vlanMark),
      ...markedAs(value),
    ]
  }
  return [
    load(value, frame, field.mark),
    copy(id, value),
    and(id, upper),
    ifOther(id, vlanMark, 'refused'),
    and(value, lower),
    ...allowed,
    copy(1, frame),
    set(2, dot1q),
    copy(3, value),
    call(helper.push),
    ifOther(0, 0, 'refused'),
    ...unmarked,
  ]
}

/** In order: what is below one range is in none behind it, which also spares the kernel's check from walking on. */
function oneOf(register: number, ranges: readonly (readonly [number, number])[]): readonly Instruction[] {
  return [
    ...ranges.flatMap(([a, b]): Instruction[] => [ifBelow(register, a, 'refused'), ifAtMost(register, b, 'allowed')]),
    jump('refused'),
    { label: 'allowed' },
  ]
}

function rangesOf(vlans: readonly number[]): readonly (readonly [number, number])[] {
  const ranges: [number, number][] = []
  for (const vlan of vlans) {
    const last = ranges.at(-1)
    if (last?.[1] === vlan - 1) last[1] = vlan
    else ranges.push([vlan, vlan])
  }
  return ranges
}
