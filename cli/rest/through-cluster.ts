// The server of a cluster, through its API server: kubectl stands between, so that whatever a kubeconfig signs in by is good. It serves on
// loopback, for that one Service alone, as long as the command runs.
import { execFile, spawn } from 'node:child_process'
import { promisify } from 'node:util'
import { CliError, type Context } from '../context.ts'

const startMs = 20_000
const usualService = 'megrez-system/megrez-webhooks'

export interface ClusterWanted {
  /** Of who asks; absent: as the kubeconfig has it. */
  readonly token: string | undefined
  /** Of the kubeconfig; absent: the current one. */
  readonly context: string | undefined
}

export interface ThroughCluster {
  readonly url: string
  readonly token: string
  /** That the token is in. */
  readonly header: string
}

/** @throws CliError 3 where kubectl does not lead there, or there is no token that REST could know its caller by */
export async function throughCluster({ token, context: named }: ClusterWanted, { env, signal }: Context): Promise<ThroughCluster> {
  const flags = named === undefined ? [] : ['--context', named]
  const [namespace = '', service = ''] = (env['MEGREZ_SERVICE'] ?? usualService).split('/')
  const path = `/api/v1/namespaces/${namespace}/services/https:${service}:rest/proxy`
  const bearer = token ?? (await tokenOf(flags, env))
  return { url: `${await proxied(path, flags, { env, signal })}${path}`, token: bearer, header: 'megrez-authorization' }
}

type Running = Pick<Context, 'env' | 'signal'>

/** A certificate says to the API server who one is, and to nobody behind it. */
async function tokenOf(flags: readonly string[], env: Context['env']): Promise<string> {
  const args = [...flags, 'config', 'view', '--minify', '--raw', '-o', 'jsonpath={.users[0].user.token}']
  const { stdout } = await promisify(execFile)('kubectl', args, { env: { ...env } }).catch((err: Error) => {
    throw new CliError(3, whyNot(err))
  })
  if (stdout !== '') return stdout
  const hint = '--token "$(kubectl create token NAME)" names an account of the cluster'
  throw new CliError(3, `the kubeconfig has no token, and by a certificate the server behind the API server cannot know you: ${hint}`)
}

function whyNot(err: Error & { readonly stderr?: string; readonly code?: unknown }): string {
  if (err.code === 'ENOENT') return 'there is no kubectl on PATH, which leads to the cluster; --url names a server without it'
  return `kubectl: ${(err.stderr ?? err.message).trim().split('\n')[0]}`
}

/** @returns where kubectl serves */
function proxied(path: string, flags: readonly string[], { env, signal }: Running): Promise<string> {
  const args = [...flags, 'proxy', '--port=0', `--accept-paths=^${path}/`]
  const child = spawn('kubectl', args, { stdio: ['ignore', 'pipe', 'pipe'], env: { ...env }, signal })
  const end = (): void => void child.kill()
  process.once('exit', end)
  child.once('exit', () => process.removeListener('exit', end))
  let complaint = ''
  child.stderr.on('data', (text: Buffer) => (complaint += text.toString()))
  return new Promise((resolve, reject) => {
    const fail = (err: Error): void => reject(new CliError(3, whyNot(err)))
    const late = setTimeout(() => fail(new Error(`it has not begun to serve within ${startMs / 1_000} s`)), startMs)
    child.once('error', (err) => (clearTimeout(late), fail(err)))
    child.once('exit', () => (clearTimeout(late), fail(new Error(complaint))))
    child.stdout.on('data', (text: Buffer) => {
      const address = /serve on (\S+:\d+)/.exec(text.toString())?.[1]
      if (address === undefined) return
      clearTimeout(late)
      // The command ends when it has its answer, not when kubectl does.
      for (const stream of [child.stdout, child.stderr]) (stream as unknown as { unref(): void }).unref()
      child.unref()
      resolve(`http://${address}`)
    })
  })
}
