// A certificate in two files that somebody replaces: cert-manager, a mounted Secret, a person.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { ConfigInvalid, messageOf } from '../../core/errors.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { Certificates, type CertificatePair, type CertificateSource } from '../tls.ts'

export interface PairOfFiles {
  /** PEM, the leaf first. */
  readonly cert: string
  /** PEM. */
  readonly key: string
  /** PEM: the authorities of clients' certificates. */
  readonly clientCa?: string | undefined
}

// Looked at now and then, not watched: a mounted Secret changes by a link two folders up, which a watch of the file never tells of.
const pollMs = 10_000

/**
 * The pair in two files, read again every ten seconds. Halves that do not belong together, as in the middle of a replacement, are
 * not taken: the pair before them stays.
 *
 * @throws ConfigInvalid where there is no pair to begin with
 */
export async function followFiles(
  files: PairOfFiles,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<CertificateSource & { close(): void }> {
  const first = await readPair(files).catch((cause: unknown) => {
    throw new ConfigInvalid({ name: `${files.cert} and ${files.key}`, reason: messageOf(cause), cause })
  })
  const source = new Certificates(first)
  let warned = ''
  let cancel: (() => void) | undefined
  let closed = false
  const read = async (): Promise<void> => {
    try {
      source.set(await readPair(files))
      warned = ''
    } catch (err) {
      // Once for each complaint, not every ten seconds.
      if (String(err) !== warned) log.warn({ ...files, err: err }, 'certificate not read anew: the one before it stays')
      warned = String(err)
    }
    readLater()
  }
  const readLater = (): void => {
    if (!closed) cancel = clock.after(pollMs, () => void read())
  }
  readLater()
  source.on(() => log.info(files, 'certificate replaced'))
  return {
    current: () => source.current(),
    on: (listener) => source.on(listener),
    close() {
      closed = true
      cancel?.()
    },
  }
}

/** @throws what reading throws, or OpenSSL: no PEM, a key of another certificate */
async function readPair({ cert, key, clientCa }: PairOfFiles): Promise<CertificatePair> {
  const pair = { cert: await readFile(cert, 'utf8'), key: await readFile(key, 'utf8') }
  createSecureContext(pair)
  // It takes an empty text for none at all, and who has no certificate ends every handshake.
  if (!new X509Certificate(pair.cert).checkPrivateKey(createPrivateKey(pair.key))) throw new Error(`${key} is not the key of ${cert}`)
  if (clientCa === undefined) return pair
  const authorities = await readFile(clientCa, 'utf8')
  // OpenSSL takes a text without a certificate for none at all, and would then know no client.
  for (const each of authorities.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? ['']) void new X509Certificate(each)
  return { ...pair, clientCa: authorities }
}
