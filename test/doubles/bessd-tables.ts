// The tables of the double: ExactMatch and WildcardMatch.
import * as args from '../../core/wire/bess/modules.ts'
import { pack, unpack, type Any, type ReadOf } from '../../core/wire/protobuf/protobuf.ts'

export interface Refusal {
  readonly code: number
  readonly errmsg: string
}
type Exact = ReadOf<typeof args.ExactMatchCommandAddArg>
type Wild = ReadOf<typeof args.WildcardMatchCommandAddArg>
type Data = Exact['fields'][number]

const dropGate = 8192
const patternsMax = 8
const hex = (data: readonly Data[]): string => data.map(({ valueBin }) => Buffer.from(valueBin ?? []).toString('hex')).join('.')
const no = (code: number, errmsg: string): { readonly error: Refusal } => ({ error: { code, errmsg } })

export class Tables {
  /** Names of metadata. */
  readonly reads: readonly string[]
  readonly #exact: boolean
  readonly #fields: readonly { readonly numBytes: number }[]
  readonly #rules = new Map<string, Exact | Wild>()
  /** Patterns of masks; one that has lost its rules goes by a second delete alone, as in the real one. */
  readonly #patterns = new Set<string>()
  #defaultGate = dropGate

  private constructor(exact: boolean, fields: readonly { readonly numBytes: number; readonly attrName?: string }[]) {
    this.#exact = exact
    this.#fields = fields
    this.reads = fields.flatMap(({ attrName }) => attrName ?? [])
  }

  static of(mclass: string, arg: Any | undefined): Tables | undefined {
    if (mclass === 'ExactMatch') return new Tables(true, unpack(args.ExactMatchArg, arg)?.fields ?? [])
    return mclass === 'WildcardMatch' ? new Tables(false, unpack(args.WildcardMatchArg, arg)?.fields ?? []) : undefined
  }

  command(cmd: string, arg: Any | undefined): object | undefined {
    if (cmd === 'get_runtime_config') return { data: this.#state() }
    if (cmd === 'set_default_gate') return this.#setDefault(arg)
    if (cmd === 'add') return this.#exact ? this.#addExact(arg) : this.#addWild(arg)
    return cmd === 'delete' ? (this.#exact ? this.#deleteExact(arg) : this.#deleteWild(arg)) : undefined
  }

  #state(): Any {
    const rules = [...this.#rules.values()]
    if (this.#exact) return pack(args.ExactMatchConfig, { defaultGate: this.#defaultGate, rules: rules })
    return pack(args.WildcardMatchConfig, { defaultGate: this.#defaultGate, rules: rules })
  }

  #setDefault(arg: Any | undefined): object {
    const given = unpack(this.#exact ? args.ExactMatchCommandSetDefaultGateArg : args.WildcardMatchCommandSetDefaultGateArg, arg)
    this.#defaultGate = given?.gate ?? 0
    return {}
  }

  #fits(data: readonly Data[]): boolean {
    return data.length === this.#fields.length && data.every(({ valueBin }, i) => valueBin?.length === this.#fields[i]!.numBytes)
  }

  #addExact(arg: Any | undefined): object {
    const rule = unpack(args.ExactMatchCommandAddArg, arg)
    if (rule === undefined || !this.#fits(rule.fields)) return no(22, 'rule has other fields')
    if (rule.gate > dropGate) return no(22, 'Invalid gate')
    this.#rules.set(hex(rule.fields), rule)
    return {}
  }

  #deleteExact(arg: Any | undefined): object {
    const rule = unpack(args.ExactMatchCommandDeleteArg, arg)
    return rule !== undefined && this.#rules.delete(hex(rule.fields)) ? {} : no(2, "rule doesn't exist")
  }

  #addWild(arg: Any | undefined): object {
    const rule = unpack(args.WildcardMatchCommandAddArg, arg)
    if (rule === undefined || !this.#fits(rule.values) || !this.#fits(rule.masks))
      return no(22, `must specify ${this.#fields.length} values`)
    const outside = rule.values.some(({ valueBin = new Uint8Array() }, i) =>
      valueBin.some((byte, at) => (byte & ~rule.masks[i]!.valueBin![at]!) !== 0),
    )
    if (outside) return no(22, 'invalid pair of value and mask')
    this.#patterns.add(hex(rule.masks))
    if (this.#patterns.size > patternsMax) return no(28, 'failed to add a new wildcard pattern')
    this.#rules.set(`${hex(rule.values)}/${hex(rule.masks)}`, rule)
    return {}
  }

  #deleteWild(arg: Any | undefined): object {
    const rule = unpack(args.WildcardMatchCommandDeleteArg, arg)
    const masks = hex(rule?.masks ?? [])
    if (rule === undefined || !this.#patterns.has(masks)) return no(2, 'failed to delete a rule')
    if (!this.#rules.delete(`${hex(rule.values)}/${masks}`) && ![...this.#rules.keys()].some((key) => key.endsWith(`/${masks}`)))
      this.#patterns.delete(masks)
    return {}
  }
}
