// What `npm start -- …` was asked, and what npm swallowed because the two dashes were missing.
import { parseArgs } from 'node:util'
import { ourVersion } from '../our-version.ts'

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
  version: { type: 'boolean' },
} as const
const defaultL4Port = '7080'

export const usage = `npm start -- [--port N] [--data DIR] [--json] [--no-install]
  --port N      REST on N, admission on N+1; 0: both on free ports (${defaultL4Port})
  --data DIR    everything that is kept: the store, the certificate, the token's key, Redis' file (.data)
  --json        one line when ready: {"url","admissionUrl","token","caFile","signInUrl","pid"}
  --no-install  install nothing; without a redis-server the queues are in this process`

/**
 * @param env npm's own variables in it tell of flags that npm took for its own
 * @returns what to do, or a text to show: the usage or version that was asked for, or what is wrong
 */
export function readOptions(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): ServeOptions | { readonly show: string; readonly wrong: boolean } {
  const swallowed = swallowedBy(env)
  if (swallowed.length > 0)
    return {
      wrong: true,
      show: `npm took ${swallowed.map((flag) => `--${flag}`).join(', ')} for its own: write two dashes first, as in: npm start -- --${swallowed[0]} …`,
    }
  let values
  try {
    values = parseArgs({ args: [...args], options: flags, allowPositionals: false }).values
  } catch (err) {
    return { wrong: true, show: `${(err as Error).message}\n${usage}` }
  }
  const printed = printedOf(values)
  if (printed !== undefined) return { wrong: false, show: printed }
  const { port: given = defaultL4Port, data: folder = '.data' } = values
  const wrong =
    !/^\d+$/.test(given) || Number(given) > 65534
      ? `--port must be a number from 0 to 65534, not ${given}`
      : folder === ''
        ? '--data must name a folder'
        : undefined
  if (wrong !== undefined) return { wrong: true, show: wrong }
  return { l4Port: Number(given), folder, json: values.json === true, install: values['no-install'] !== true }
}

/** What is asked for instead of a server. */
function printedOf({ help, version }: { readonly help?: boolean | undefined; readonly version?: boolean | undefined }): string | undefined {
  if (help === true) return usage
  return version === true ? `megrez ${ourVersion()}` : undefined
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

const refusals: Readonly<Record<string, string>> = {
  EADDRINUSE: 'in use: another server runs there',
  EACCES: "not yours to open, as those below 1024 are root's",
}

/**
 * REST is at the port that was named, admission at the next.
 * @param code the kernel's word
 * @returns nothing for what is no matter of the port
 */
export function whyNotOpen(code: string | undefined, l4Port: number, scheme: 'http' | 'https'): string | undefined {
  const why = refusals[code ?? '']
  const which = scheme === 'http' ? `TCP port ${l4Port} is` : `${l4Port - 1} leaves TCP port ${l4Port} to admission, which is`
  return why === undefined ? undefined : `${which} ${why}; choose another, or 0 for free ones`
}
