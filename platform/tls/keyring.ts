// A server's own certificate, its authorities and their renewal, kept in a folder.
import { open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigInvalid } from '../../core/errors.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { Certificates, type CertificateSource } from '../tls.ts'
import { bundleOf, pairOf, tended } from './ring.ts'
import { usualLives, type Lives, type Ring } from './rotation.ts'

export interface Keyring extends CertificateSource {
  /** PEM of every authority whose leaves may still be met. */
  bundle(): string
  /** A file that always holds the bundle. */
  readonly caFile: string
  /** Milliseconds since 1970. */
  readonly leafUntil: () => number
  close(): void
}
export interface KeyringOptions {
  /** DNS names and addresses that clients call the server by. */
  readonly names: readonly string[]
  readonly clock: Clock
  readonly random: () => number
  readonly log: Log
  readonly lives?: Lives
}

/** Renewals are spread over so much of a leaf's life. */
const jitterPart = 0.05
const readAtMostMs = 3_600_000

/** The keyring of a folder; made at the first start. @throws ConfigInvalid where the folder holds something else */
export async function openKeyring(folder: string, options: KeyringOptions): Promise<Keyring> {
  const lives = options.lives ?? usualLives
  const files = { ring: join(folder, 'tls.json'), caFile: join(folder, 'ca.crt') }
  const jitterMs = options.random() * lives.leafMs * jitterPart
  let ring = await readRing(files.ring)
  let cancel = (): void => undefined
  let closed = false

  const tend = async (): Promise<number> => {
    const { ring: next, steps, restMs } = tended(ring, options.names, { now: options.clock.now(), lives, jitterMs })
    if (steps.length > 0) {
      // The bundle before the leaf: who reads both finds the judge before the judged.
      await writeWhole(files.caFile, bundleOf(next), 0o644)
      await writeWhole(files.ring, JSON.stringify(next), 0o600)
      ring = next
      options.log.info({ steps, authorities: ring.authorities.length }, 'certificates turned')
    }
    return restMs
  }
  const first = await tend()
  const source = new Certificates(pairOf(ring))
  const readLater = (ms: number): void => {
    if (!closed) cancel = options.clock.after(Math.min(Math.max(ms, 1), readAtMostMs), () => void read())
  }
  const read = async (): Promise<void> => {
    try {
      const rest = await tend()
      source.set(pairOf(ring))
      readLater(rest)
    } catch (err) {
      options.log.error({ err }, 'certificates could not be turned: the ones before stay')
      readLater(60_000)
    }
  }
  readLater(first)
  await writeWhole(files.caFile, bundleOf(ring), 0o644)
  return {
    current: () => source.current(),
    on: (listener) => source.on(listener),
    bundle: () => bundleOf(ring),
    caFile: files.caFile,
    leafUntil: () => ring.leaf?.until ?? 0,
    close() {
      closed = true
      cancel()
    },
  }
}

async function readRing(file: string): Promise<Ring> {
  const text = await readFile(file, 'utf8').catch((err: NodeJS.ErrnoException) => {
    if (err.code === 'ENOENT') return undefined
    throw err
  })
  if (text === undefined) return { authorities: [] }
  try {
    const ring = JSON.parse(text) as Ring
    if (Array.isArray(ring.authorities)) return ring
  } catch {
    // told below
  }
  throw new ConfigInvalid({ name: file, reason: 'holds no certificates of ours; remove it and new ones are made' })
}

/** There whole or not at all. */
async function writeWhole(file: string, text: string, mode: number): Promise<void> {
  const aside = `${file}.${process.pid}`
  const handle = await open(aside, 'w', mode)
  try {
    // Whatever the umask.
    await handle.chmod(mode)
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await rename(aside, file)
}
