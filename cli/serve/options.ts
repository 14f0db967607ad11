// What `npm start -- …` was asked, and what npm swallowed because the two dashes were missing.
import { parseArgs } from 'node:util'

export interface ServeOptions {
  /** REST listens here and admission one above; 0: both on free ones. */
  readonly l4Port: number
  readonly folder: string
  readonly json: boolean
  readonly install: boolean
}

const flags = {
  port: { type: 'string' },
  data: { type: 'string' },
  json: { type: 'boolean' },
  'no-install': { type: 'boolean' },
  help: { type: 'boolean' },
} as const
const defaultL4Port = '7080'

export const usage = `npm start -- [--port N] [--data DIR] [--json] [--no-install]
  --port N      REST on N, admission on N+1; 0: both on free ports (${defaultL4Port})
  --data DIR    everything that is kept: the store, the certificate, the token's key, Redis' file (.data)
  --json        one line when ready: {"url","admissionUrl","token","caFile","pid"}
  --no-install  install nothing; without a redis-server the queues are in this process`

/**
 * @param env npm's own variables in it tell of flags that npm took for its own
 * @returns what to do, or a text to show: `usage` asked for, or what is wrong
 */
export function readOptions(args: readonly string[], env: Readonly<Record<string, string | undefined>>): ServeOptions | { readonly show: string; readonly wrong: boolean } {
  const swallowed = swallowedBy(env)
  if (swallowed.length > 0) return { wrong: true, show: `npm took ${swallowed.map((flag) => `--${flag}`).join(', ')} for its own: write two dashes first, as in: npm start -- --${swallowed[0]} …` }
  let values
  try {
    values = parseArgs({ args: [...args], options: flags, allowPositionals: false }).values
  } catch (problem) {
    return { wrong: true, show: `${(problem as Error).message}\n${usage}` }
  }
  if (values.help === true) return { wrong: false, show: usage }
  const { port: given = defaultL4Port, data: folder = '.data' } = values
  const wrong = !/^\d+$/.test(given) || Number(given) > 65534 ? `--port must be a number from 0 to 65534, not ${given}` : folder === '' ? '--data must name a folder' : undefined
  if (wrong !== undefined) return { wrong: true, show: wrong }
  return { l4Port: Number(given), folder, json: values.json === true, install: values['no-install'] !== true }
}

// npm turns flags that it does not know into npm_config_<name>; `--no-install` becomes npm_config_install, empty.
function swallowedBy(env: Readonly<Record<string, string | undefined>>): string[] {
  const found: string[] = []
  if (env['npm_config_port'] !== undefined) found.push('port')
  if (env['npm_config_data'] !== undefined) found.push('data')
  if (env['npm_config_json'] === 'true') found.push('json')
  if (env['npm_config_install'] === '') found.push('no-install')
  return found
}
