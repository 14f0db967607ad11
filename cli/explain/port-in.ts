import type { Kind } from '../../core/kinds/index.ts'
import { refuseExcess } from '../args.ts'
import { CliError } from '../context.ts'
import { kindNamed } from '../kinds/names.ts'

/** `KIND/NAME` or `KIND NAME`. @param help where neither is there. @throws CliError 2 */
export function objectIn([first = '', ...more]: readonly string[], help: string): { readonly kind: Kind; readonly name: string } {
  const [kindWord, name, excess] = [...first.split('/'), ...more]
  refuseExcess(excess)
  if (!kindWord || !name) throw new CliError(2, help)
  return { kind: kindNamed(kindWord), name }
}

const words = {
  explain: { which: 'explain what?', only: 'only a Port can be explained' },
  inspect: { which: 'inspect what?', only: 'only a Port can be inspected' },
  flows: { which: 'flows of what?', only: 'only a Port has flows' },
} as const

/** `port/NAME` or `port NAME`. @throws CliError 2 */
export function portIn(given: readonly string[], command: keyof typeof words): string {
  const { which, only } = words[command]
  const { kind, name } = objectIn(given, `${which} megrez ${command} port/NAME`)
  if (kind === 'Port') return name
  throw new CliError(
    2,
    `${only}, not a ${kind}: megrez ${command} port/NAME${kind === 'Pod' ? `; megrez get pod ${name} -o yaml names those of its Nics` : ''}`,
  )
}
