// What was read elsewhere: printed, judged, or made.
import { stringify } from 'yaml'
import { applyPlaced } from '../commands/apply.ts'
import type { Context, Exit } from '../context.ts'
import { addressOf } from '../manifests/placed.ts'
import type { Api } from '../rest/api.ts'
import type { Imported } from './eno.ts'

interface Way {
  readonly context: Context
  readonly api: () => Promise<Api>
}

/** @param from whose it is said to be, where something is wrong */
export async function made(
  { objects, notes }: Imported,
  from: string,
  how: 'print' | 'judge' | 'make',
  { context, api }: Way,
): Promise<Exit> {
  for (const note of notes) context.err(`note: ${note}\n`)
  if (how === 'print') {
    context.out(objects.map((each) => stringify(each)).join('---\n'))
    return 0
  }
  const placed = objects.map((body) => addressOf({ from, body }, undefined))
  return applyPlaced(await api(), placed, how === 'judge', context)
}
