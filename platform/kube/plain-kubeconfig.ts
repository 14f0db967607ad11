// A kubeconfig read by ourselves: for processes that stand on every node, where the library's 70 MiB count. It knows servers,
// certificates and tokens; one that gets its credentials from a program or an OIDC server is refused, and the error asks for another.
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { ConfigInvalid, type MegrezError } from '../../core/errors.ts'
import { realClock, type Clock } from '../clock.ts'
import type { Tls } from '../http/client.ts'
import { fileToken, type Credentials } from './credentials.ts'

type Fields = Readonly<Record<string, unknown>>
interface Kubeconfig {
  readonly 'current-context'?: string
  readonly contexts?: readonly { readonly name: string; readonly context: { readonly cluster: string; readonly user: string } }[]
  readonly clusters?: readonly { readonly name: string; readonly cluster: Fields }[]
  readonly users?: readonly { readonly name: string; readonly user: Fields }[]
}

const programs = ['exec', 'auth-provider', 'username']
const wrong = (reason: string): MegrezError => new ConfigInvalid({ name: 'MEGREZ_KUBECONFIG', reason })

/** @throws ConfigInvalid where it names no cluster, or credentials that only a program can give */
export async function plainKubeconfigCredentials(
  path: string,
  { context, clock = realClock }: { readonly context?: string; readonly clock?: Clock } = {},
): Promise<Credentials> {
  // A pod has no kubeconfig, and nothing that reads one.
  const { parse } = await import('yaml')
  const config = parse(await readFile(path, 'utf8')) as Kubeconfig
  const { cluster, user } = chosen(config, context ?? config['current-context'] ?? '')
  const program = programs.find((field) => user[field] !== undefined)
  if (program !== undefined) throw wrong(`${path} gives credentials by ${program}; an agent takes a certificate, a token or a tokenFile`)
  const bytesOf = bytesFrom(dirname(path))
  const tls = Object.fromEntries(
    Object.entries({
      ca: await bytesOf(cluster, 'certificate-authority'),
      cert: await bytesOf(user, 'client-certificate'),
      key: await bytesOf(user, 'client-key'),
      servername: cluster['tls-server-name'],
      rejectUnauthorized: cluster['insecure-skip-tls-verify'] === true ? false : undefined,
    }).filter(([, value]) => value !== undefined),
  ) as Tls
  return { server: String(cluster['server']).replace(/\/+$/, ''), tls, authorization: authorizationOf(user, dirname(path), clock) }
}

function chosen(
  { contexts = [], clusters = [], users = [] }: Kubeconfig,
  name: string,
): { readonly cluster: Fields; readonly user: Fields } {
  const context = contexts.find((each) => each.name === name)?.context
  const cluster = clusters.find((each) => each.name === context?.cluster)?.cluster
  if (typeof cluster?.['server'] !== 'string') throw wrong(`context ${JSON.stringify(name)} names no cluster`)
  return { cluster, user: users.find((each) => each.name === context?.user)?.user ?? {} }
}

function authorizationOf(user: Fields, folder: string, clock: Clock): Credentials['authorization'] {
  const { token, tokenFile } = user
  if (typeof tokenFile === 'string') {
    const read = fileToken(resolve(folder, tokenFile), clock)
    return async (refused) => `Bearer ${await read(refused)}`
  }
  return () => Promise.resolve(typeof token === 'string' ? `Bearer ${token}` : undefined)
}

/** `field-data` in base64, else the file that `field` names. */
const bytesFrom =
  (folder: string) =>
  async (of: Fields, field: string): Promise<Buffer | undefined> => {
    const inline = of[`${field}-data`]
    if (typeof inline === 'string') return Buffer.from(inline, 'base64')
    const path = of[field]
    return typeof path === 'string' ? readFile(resolve(folder, path)) : undefined
  }
