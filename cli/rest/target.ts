// Which server is meant: flags, then environment, then the one that runs on this machine.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { GivenArguments } from '../args.ts'
import { CliError, type Context } from '../context.ts'
import { throughCluster } from './through-cluster.ts'
import { whyUnreadable } from '../manifests/unreadable.ts'

export interface Target {
  readonly url: string
  readonly token: string | undefined
  /** Where the API server stands between, which keeps Authorization to itself: the header that the token is in. */
  readonly header?: string
}

/** @throws CliError 3 where there is none */
export async function targetOf(given: GivenArguments, context: Context): Promise<Target> {
  const { env } = context
  const url = given.text('url') ?? env['MEGREZ_URL']
  const token = given.text('token') ?? env['MEGREZ_TOKEN']
  if (url !== undefined && given.text('data') === undefined) return { url: checked(url), token }
  if (isThroughCluster(given, context)) return throughCluster({ token, context: given.text('context') }, context)
  const folder = given.text('data') ?? '.data'
  const ready = await readReady(join(folder, 'ready.json'))
  if (ready === undefined)
    throw new CliError(3, `no server runs from the folder ${folder}: start one with npm start, or name one with --url and --token`)
  return { url: checked(url ?? ready.url), token: token ?? ready.token }
}

/** kubectl means its cluster, unless a folder of this machine is named. */
const isThroughCluster = (given: GivenArguments, { env }: Context): boolean =>
  given.text('context') !== undefined || (env['MEGREZ_CALLED_AS'] === 'kubectl megrez' && given.text('data') === undefined)

const forbidden = new Set(['EACCES', 'EPERM'])

async function readReady(file: string): Promise<{ readonly url: string; readonly token: string } | undefined> {
  const text = await readFile(file, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return undefined
    throw new CliError(
      3,
      `${file} cannot be read: ${whyUnreadable(err)}${forbidden.has(err.code ?? '') ? ", so it is another user's server; name one with --url and --token" : ''}`,
    )
  })
  if (text === undefined) return undefined
  try {
    const { url, token } = JSON.parse(text) as { readonly url?: unknown; readonly token?: unknown }
    if (typeof url === 'string' && typeof token === 'string') return { url, token }
  } catch {
    // told below
  }
  throw new CliError(3, `${file} is not what a server writes there`)
}

function checked(url: string): string {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new CliError(2, `${JSON.stringify(url)} is no address of a server: http://127.0.0.1:7080 would be one`)
  return url.replace(/\/+$/, '')
}
