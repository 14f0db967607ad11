// Credentials of a switch or a cloud: a folder of files, in a cluster a mounted Secret. Read when a line to it is made, which is made
// anew when they are others: whoever replaces them restarts nothing.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { ConfigInvalid } from '../../core/errors.ts'
import type { Clock } from '../../platform/clock.ts'

export interface Credentials {
  readonly username?: string
  readonly password?: string
  /** Of OpenStack: what is asked for is in this project, and project and user are of this domain. */
  readonly project?: string
  readonly domain?: string
  readonly applicationCredentialID?: string
  readonly applicationCredentialSecret?: string
  readonly token?: string
  /** PEM. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}
/** By which a server is told from another, and we by it; undefined: nothing but Node.js's own authorities. */
export function tlsOf({ ca, cert, key }: Credentials): Pick<Credentials, 'ca' | 'cert' | 'key'> | undefined {
  const tls = { ...(ca !== undefined && { ca }), ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) }
  return Object.keys(tls).length === 0 ? undefined : tls
}

const words = {
  username: 'username',
  password: 'password',
  project: 'project',
  domain: 'domain',
  applicationCredentialID: 'application-credential-id',
  applicationCredentialSecret: 'application-credential-secret',
  token: 'token',
} as const
const files = { ...words, ca: 'ca.crt', cert: 'tls.crt', key: 'tls.key' } as const

/**
 * @param folder where all credentials are
 * @param name   the folder in it; absent: none are needed
 * @param setting that names the folder
 * @throws ConfigInvalid where it is named and not there
 */
export function readCredentials(folder: string | undefined, name: string | undefined, setting = 'MEGREZ_FABRIC_CREDENTIALS'): Credentials {
  if (name === undefined) return {}
  if (folder === undefined) throw new ConfigInvalid({ name: setting, reason: `is not set, and credentials ${name} are needed` })
  const read = Object.entries(files).flatMap(([field, file]) => {
    const text = textOf(join(folder, name, file))
    return text === undefined ? [] : [[field, Object.hasOwn(words, field) ? text.trim() : text] as const]
  })
  if (read.length === 0)
    throw new ConfigInvalid({
      name: setting,
      reason: `${join(folder, name)} holds none of ${Object.values(files).join(', ')}`,
    })
  return Object.fromEntries(read)
}

// Looked at now and then, not watched: a mounted Secret changes by a link two folders up, which a watch of the file never tells of.
const pollMs = 5_000

/** Which credentials stand in the folder at the moment, of each name. */
export class CredentialsWatch {
  readonly #folder: string | undefined
  readonly #clock: Clock
  readonly #seen = new Map<string, { readonly mark: string | undefined; readonly at: number }>()

  constructor(folder: string | undefined, clock: Clock) {
    this.#folder = folder
    this.#clock = clock
  }

  /** Other credentials have another mark. Undefined: there are none that could be used, as in the middle of a replacement. */
  mark(name: string | undefined): string | undefined {
    if (name === undefined) return ''
    const now = this.#clock.elapsed()
    const there = this.#seen.get(name)
    if (there !== undefined && now - there.at < pollMs) return there.mark
    const mark = this.#read(name)
    this.#seen.set(name, { mark, at: now })
    return mark
  }

  #read(name: string): string | undefined {
    try {
      const found = readCredentials(this.#folder, name)
      // Halves that do not belong together are refused here.
      createSecureContext({ ca: found.ca, cert: found.cert, key: found.key })
      return JSON.stringify(found)
    } catch {
      return undefined
    }
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (err) {
    if ((err as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw err
  }
}
