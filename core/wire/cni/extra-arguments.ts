// CNI_ARGS that say which of a pod's Nics a runtime of VMs wants: as Arktos has them
// (`Tenant=t;VPC=demo;NICs=[{"name":"eth0","portid":"…"}]`), or with the names of our own API (`portID`). They choose among what the pod
// asks for and add nothing to it: a runtime takes them from annotations that the pod's owner may have written.
import { NicsRefused } from '../../errors.ts'
import { isObject, type Json } from '../../json.ts'

export interface NamedNic {
  readonly name: string | undefined
  /** By which its Port is known: the name that a Nic finds it by, its UID, or what its cloud calls it. */
  readonly portID: string | undefined
}

const spellings = ['portID', 'portId', 'portid'] as const
const listMax = 64
const at = (...steps: readonly (string | number)[]): string => ['CNI_ARGS', 'NICs', ...steps].join('/')

/** Undefined: all of them. @throws NicsRefused where it is no list of Nics */
export function nicsNamed({ NICs: text }: Readonly<Record<string, string>>): readonly NamedNic[] | undefined {
  if (text === undefined) return undefined
  const list = parsed(text)
  if (!Array.isArray(list) || list.length === 0 || list.length > listMax)
    throw new NicsRefused({ reason: `must be a list of 1 to ${listMax} NICs, each such as {"name":"eth0","portid":"…"}`, at: at() })
  return list.map((each: unknown, index) => {
    if (!isObject(each)) throw new NicsRefused({ reason: 'must be an object such as {"name":"eth0","portid":"…"}', at: at(index) })
    return { name: textIn(each, ['name'], index), portID: textIn(each, spellings, index) }
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch (cause) {
    throw new NicsRefused({ reason: 'is not JSON', at: at(), cause })
  }
}

function textIn(nic: Json, fields: readonly string[], index: number): string | undefined {
  const field = fields.find((each) => Object.hasOwn(nic, each))
  const value = field === undefined ? undefined : nic[field]
  if (field === undefined || (typeof value === 'string' && value !== '')) return value as string | undefined
  throw new NicsRefused({ reason: 'must be a text that is not empty', at: at(index, field) })
}

/** Where a Nic that is meant stands. */
export const namedAt = (index: number, field: 'name' | 'portID'): string => at(index, field)
