// A real gNMI target that plays a switch with OpenConfig VLANs, as often as wanted: its configuration is in memory, and gone at its end.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { until } from '../../platform/programs/until.ts'
import { keep } from '../../platform/redis-server/keep.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { peerProgram, type BuildOptions, type PeerProgram } from './peer.ts'

/** The target, built where it is not (a minute, once), or why it is not there. */
export const gnmiProgram = (to: BuildOptions): Promise<PeerProgram> => peerProgram('gnmi-target', to)

export interface GnmiTarget {
  /** `127.0.0.1:4711` */
  readonly address: string
  /** PEM of the authority of its certificate. */
  readonly ca: string
  readonly username: string
  readonly password: string
  readonly pid: number
  /** Ends it, as a switch that is switched off; twice is once. */
  stop(): Promise<void>
}
export interface GnmiTargetOptions {
  readonly program: string
  /** Made, and removed by `stop`. */
  readonly folder: string
  /** Where it listens; a free TCP port when absent. */
  readonly l4Port?: number
  /** What it starts with, as JSON of the root. */
  readonly config: object
  readonly password?: string
  /** PEM: the authority of clients' certificates; absent: they need show none. */
  readonly clientCa?: string
}

/** With TLS, a certificate of an authority of its own, and a password. */
export async function startGnmiTarget({
  program,
  folder,
  config,
  l4Port = 0,
  password = 'secret',
  clientCa,
}: GnmiTargetOptions): Promise<GnmiTarget> {
  await mkdir(folder, { recursive: true })
  const life = { now: Date.now(), ms: 86_400_000 }
  const authority = makeAuthority('gnmi-target', life)
  const leaf = issueLeaf(authority, ['127.0.0.1'], life)
  const files = {
    'tls.crt': leaf.cert,
    'tls.key': leaf.key,
    'config.json': JSON.stringify(config),
    ...(clientCa !== undefined && { 'client-ca.crt': clientCa }),
  }
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text, { mode: 0o600 })
  const log = join(folder, 'log')
  const username = 'megrez'
  const clients = clientCa === undefined ? [] : ['-ca', join(folder, 'client-ca.crt')]
  const kept = await keep(
    program,
    [
      '-bind_address',
      `127.0.0.1:${l4Port}`,
      '-config',
      join(folder, 'config.json'),
      '-cert',
      join(folder, 'tls.crt'),
      '-key',
      join(folder, 'tls.key'),
      '-username',
      username,
      '-password',
      password,
      ...clients,
    ],
    { log },
  )
  let address = ''
  await until(async () => {
    address = /listening on (\S+)/.exec(await readFile(log, 'utf8').catch(() => ''))?.[1] ?? ''
    return address !== ''
  }, 'gnmi-target listens')
  return {
    address,
    ca: authority.cert,
    username,
    password,
    pid: kept.pid,
    async stop() {
      await kept.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
