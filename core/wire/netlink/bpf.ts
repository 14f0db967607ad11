// Instructions of BPF (linux/bpf.h, RFC 9669), as many as programs need that look at a frame's VLAN. Pure: who loads them is another's
// business.

/** A jump goes to the instruction behind the label of that name. */
export type Instruction =
  | { readonly code: number; readonly to?: number; readonly from?: number; readonly offset?: number | string; readonly value?: number }
  | { readonly label: string }

const bytesEach = 8

/**
 * @throws RangeError for a jump to nowhere: a fault of the program
 */
export function assemble(all: readonly Instruction[]): Uint8Array {
  const labels = new Map<string, number>()
  const code: Exclude<Instruction, { readonly label: string }>[] = []
  for (const each of all) {
    if ('label' in each) labels.set(each.label, code.length)
    else code.push(each)
  }
  const bytes = new Uint8Array(code.length * bytesEach)
  const view = new DataView(bytes.buffer)
  for (const [i, { code: opcode, to = 0, from = 0, offset = 0, value = 0 }] of code.entries()) {
    view.setUint8(i * bytesEach, opcode)
    view.setUint8(i * bytesEach + 1, to | (from << 4))
    view.setInt16(i * bytesEach + 2, typeof offset === 'number' ? offset : distance(labels.get(offset), i), true)
    view.setInt32(i * bytesEach + 4, value, true)
  }
  return bytes
}

function distance(label: number | undefined, from: number): number {
  const far = (label ?? NaN) - from - 1
  if (!(far >= 0 && far < 0x8000)) throw new RangeError('a jump goes nowhere')
  return far
}

/** Registers: the frame is in r1 when a program begins; calls take r1 to r5, answer in r0, and keep r6 to r9. */
export const copy = (to: number, from: number): Instruction => ({ code: 0xbf, to, from })
export const set = (to: number, value: number): Instruction => ({ code: 0xb7, to, value })
/** Of 32 bits, so that no sign gets in. */
export const and = (to: number, value: number): Instruction => ({ code: 0x54, to, value })
export const or = (to: number, value: number): Instruction => ({ code: 0x44, to, value })
/** A word of the frame's description (`struct __sk_buff`) in `from` or `to`. */
export const load = (to: number, from: number, offset: number): Instruction => ({ code: 0x61, to, from, offset })
export const store = (to: number, offset: number, from: number): Instruction => ({ code: 0x63, to, from, offset })
export const jump = (offset: string): Instruction => ({ code: 0x05, offset })
export const ifEqual = (to: number, value: number, offset: string): Instruction => ({ code: 0x15, to, value, offset })
export const ifOther = (to: number, value: number, offset: string): Instruction => ({ code: 0x55, to, value, offset })
export const ifBelow = (to: number, value: number, offset: string): Instruction => ({ code: 0xa5, to, value, offset })
export const ifAtMost = (to: number, value: number, offset: string): Instruction => ({ code: 0xb5, to, value, offset })
export const call = (helper: number): Instruction => ({ code: 0x85, value: helper })
export const exit: Instruction = { code: 0x95 }
