// A block of addresses as cells: one an address, or one for many of them where the block is large.

export interface Block {
  /** The first address, as a number. */
  readonly first: bigint
  readonly bits: 32 | 128
  readonly size: bigint
}
export type CellState = 'free' | 'used' | 'reserved' | 'resting' | 'excluded' | 'edge'
export interface Cell {
  readonly from: bigint
  readonly count: bigint
  readonly state: CellState
  /** How many of it are taken. */
  readonly taken: number
  /** Who has it, where it is one address. */
  readonly holder: string | undefined
}
export interface TakenAddress {
  readonly address: string
  readonly state: 'used' | 'reserved' | 'resting'
  readonly holder: string | undefined
}

const cellsMost = 1_024n

export function numberOf(address: string): bigint | undefined {
  if (address.includes('.')) {
    const parts = address.split('.').map(Number)
    return parts.length === 4 && parts.every((part) => part >= 0 && part < 256)
      ? parts.reduce((sum, part) => sum * 256n + BigInt(part), 0n)
      : undefined
  }
  const [head = '', tail] = address.split('::')
  const groups = (text: string): string[] => (text === '' ? [] : text.split(':'))
  const [left, right] = [groups(head), groups(tail ?? '')]
  const middle = tail === undefined ? 0 : 8 - left.length - right.length
  const all = [...left, ...Array.from({ length: Math.max(0, middle) }, () => '0'), ...right]
  return all.length === 8 && all.every((group) => /^[0-9a-f]{1,4}$/i.test(group))
    ? all.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n)
    : undefined
}

export function textOf(value: bigint, bits: 32 | 128): string {
  const [step, count] = bits === 32 ? [8n, 4] : [16n, 8]
  const parts = Array.from({ length: count }, (_, i) => (value >> (step * BigInt(count - 1 - i))) & ((1n << step) - 1n))
  if (bits === 32) return parts.join('.')
  const hex = parts.map((part) => part.toString(16)).join(':')
  const zeros = [...hex.matchAll(/(?:^|:)(?:0(?::|$)){2,}/g)].map(([run]) => run).sort((a, b) => b.length - a.length)[0]
  return zeros === undefined ? hex : hex.replace(zeros, '::')
}

export function blockOf(cidr: string): Block | undefined {
  const [address = '', length = ''] = cidr.split('/')
  const first = numberOf(address)
  const bits = address.includes(':') ? 128 : 32
  return first === undefined || length === '' ? undefined : { first, bits, size: 1n << BigInt(bits - Number(length)) }
}

/** From and to, both inside. */
export type Run = readonly [from: bigint, to: bigint]

interface Facts {
  readonly taken: readonly TakenAddress[]
  /** What is never handed out. */
  readonly excluded: readonly Run[]
}

export function cellsOf({ first, size, bits }: Block, { taken, excluded }: Facts): readonly Cell[] {
  const each = size <= cellsMost ? 1n : size / cellsMost
  const byCell = new Map<bigint, TakenAddress[]>()
  for (const one of taken) {
    const at = numberOf(one.address)
    if (at === undefined || at < first || at >= first + size) continue
    const cell = (at - first) / each
    byCell.set(cell, [...(byCell.get(cell) ?? []), one])
  }
  return Array.from({ length: Number(size / each) }, (_, i) => {
    const from = first + BigInt(i) * each
    const here = byCell.get(BigInt(i)) ?? []
    const state = here[0]?.state ?? stateOf([from, from + each - 1n], excluded, { first, size, bits })
    return { from, count: each, state, taken: here.length, holder: each === 1n ? here[0]?.holder : undefined }
  })
}

function stateOf([from, to]: Run, excluded: readonly Run[], { first, size, bits }: Block): CellState {
  if (excluded.some(([begin, end]) => from >= begin && to <= end)) return 'excluded'
  const isEdge = from === to && bits === 32 && size > 2n && (from === first || from === first + size - 1n)
  return isEdge ? 'edge' : 'free'
}
