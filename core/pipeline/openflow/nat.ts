// Address translation of connection tracking, and its spelling in ovs-actions(7).
import { printIp } from '../../net/ip.ts'

export interface Range<Value> {
  readonly first: Value
  readonly last: Value
}

/** Without `of`, as the connection was translated when it began: replies and what follows. */
export interface Nat {
  readonly of?: 'src' | 'dst'
  readonly addresses?: Range<bigint> & { readonly family: 4 | 6 }
  /** TCP, UDP and SCTP ports. */
  readonly l4Ports?: Range<number>
  /** Which of a range: the same for the same source after a restart, by a hash, or any. Absent: the datapath's choice. */
  readonly choice?: 'hash' | 'random'
  readonly persistent?: boolean
}

export function printNat({ of, addresses, l4Ports, choice, persistent = false }: Nat): string {
  if (of === undefined) return 'nat'
  const range =
    addresses === undefined
      ? ''
      : `=${printAddresses(addresses, l4Ports !== undefined)}${l4Ports === undefined ? '' : `:${printRange(l4Ports, String)}`}`
  return `nat(${[`${of}${range}`, ...(persistent ? ['persistent'] : []), ...(choice === undefined ? [] : [choice])].join(',')})`
}

/** An IPv6 address stands in brackets where ports follow. */
function printAddresses({ family, ...range }: NonNullable<Nat['addresses']>, bracketed: boolean): string {
  return printRange(range, (value) => (family === 6 && bracketed ? `[${printIp({ family, value })}]` : printIp({ family, value })))
}

const printRange = <Value>({ first, last }: Range<Value>, print: (value: Value) => string): string =>
  first === last ? print(first) : `${print(first)}-${print(last)}`
