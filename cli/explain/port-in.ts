import { refuseExcess } from '../args.ts'
import { CliError } from '../context.ts'
import { kindNamed } from '../kinds/names.ts'

/** `port/NAME` or `port NAME`. @throws CliError 2 */
export function portIn([first = '', ...more]: readonly string[], command: 'explain' | 'inspect'): string {
  const [kindWord, name, excess] = [...first.split('/'), ...more]
  const done = { explain: 'explained', inspect: 'inspected' }[command]
  refuseExcess(excess)
  if (!kindWord || !name) throw new CliError(2, `${command} what? megrez ${command} port/NAME`)
  const kind = kindNamed(kindWord)
  if (kind === 'Port') return name
  throw new CliError(
    2,
    `only a Port can be ${done}, not a ${kind}: megrez ${command} port/NAME${kind === 'Pod' ? `; megrez get pod ${name} -o yaml names those of its Nics` : ''}`,
  )
}
