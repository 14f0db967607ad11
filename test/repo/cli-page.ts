// docs/cli.md's table of commands, from the table that the command line itself goes by.
import { commands } from '../../cli/run.ts'
import { read } from './sources.ts'

export const cliPath = 'docs/cli.md'

const [begin, end] = ['<!-- Generated from cli/run.ts by npm run gen. -->', '<!-- End of what is generated. -->'] as const

export function cliPage(): string {
  const [before = '', rest = ''] = read(cliPath).split(`${begin}\n`)
  const [, behind = ''] = rest.split(end)
  const rows = Object.entries(commands).map(([name, { summary }]) => `| \`${name}\` | ${summary.replaceAll('|', '\\|')} |\n`)
  return `${before}${begin}\n\n| command | does |\n|---|---|\n${rows.join('')}\n${end}${behind}`
}
