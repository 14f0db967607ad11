// The two kinds of tables as one: their rules are hex by field, and a gate.
import type { RuleElement } from '../../../core/graph/elements.ts'
import * as wire from '../../../core/wire/bess/modules.ts'
import { pack } from '../../../core/wire/protobuf/protobuf.ts'
import type { Daemon } from './daemon.ts'

/** core/gate.h: what is sent to it is dropped. */
export const dropGate = 8192

export type Match = Pick<RuleElement, 'values' | 'masks'>
export interface TableRule extends Match {
  readonly gate: number
  readonly priority?: number
}
export interface TableState {
  readonly defaultGate: number
  readonly rules: readonly TableRule[]
}

export const isTable = (mclass: string): boolean => mclass === 'ExactMatch' || mclass === 'WildcardMatch'

const binary = (hex: string): { readonly valueBin: Uint8Array } => ({ valueBin: Buffer.from(hex, 'hex') })
const hexOf = ({ valueBin }: { readonly valueBin?: Uint8Array }): string => Buffer.from(valueBin ?? []).toString('hex')

/** Undefined: it is gone. */
export async function readTable(daemon: Daemon, name: string, mclass: string): Promise<TableState | undefined> {
  if (mclass === 'ExactMatch') {
    const state = await daemon.query(name, 'get_runtime_config', wire.ExactMatchConfig)
    return state && { defaultGate: state.defaultGate, rules: state.rules.map(({ gate, fields }) => ({ gate, values: fields.map(hexOf) })) }
  }
  const state = await daemon.query(name, 'get_runtime_config', wire.WildcardMatchConfig)
  return (
    state && {
      defaultGate: state.defaultGate,
      rules: state.rules.map(({ gate, priority, values, masks }) => ({
        gate,
        priority: Number(priority),
        values: values.map(hexOf),
        masks: masks.map(hexOf),
      })),
    }
  )
}

export async function addRule(daemon: Daemon, name: string, { values, masks, gate, priority = 0 }: TableRule): Promise<void> {
  if (masks === undefined) await daemon.command(name, 'add', pack(wire.ExactMatchCommandAddArg, { gate, fields: values.map(binary) }))
  else
    await daemon.command(
      name,
      'add',
      pack(wire.WildcardMatchCommandAddArg, { gate, priority: BigInt(priority), values: values.map(binary), masks: masks.map(binary) }),
    )
}

export async function deleteRule(daemon: Daemon, name: string, { values, masks }: Match): Promise<void> {
  if (masks === undefined)
    await daemon.command(name, 'delete', pack(wire.ExactMatchCommandDeleteArg, { fields: values.map(binary) }), { gone: true })
  else {
    // The first time it leaves an empty pattern behind, of which a table has eight; the second takes that away (DelEntry in
    // core/modules/wildcard_match.cc).
    const arg = pack(wire.WildcardMatchCommandDeleteArg, { values: values.map(binary), masks: masks.map(binary) })
    for (let time = 0; time < 2; time++) await daemon.command(name, 'delete', arg, { gone: true })
  }
}

export async function setDefaultGate(
  daemon: Daemon,
  name: string,
  { mclass, gate }: { readonly mclass: string; readonly gate: number },
): Promise<void> {
  const arg = { gate }
  await daemon.command(
    name,
    'set_default_gate',
    mclass === 'ExactMatch' ? pack(wire.ExactMatchCommandSetDefaultGateArg, arg) : pack(wire.WildcardMatchCommandSetDefaultGateArg, arg),
  )
}
