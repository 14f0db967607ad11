// Credentials of a switch: a folder of files, in a cluster a mounted Secret. Read when a line to the switch is made.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigInvalid } from '../../../core/errors.ts'

export interface SwitchCredentials {
  readonly username?: string
  readonly password?: string
  /** PEM. */
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}
const files = { username: 'username', password: 'password', ca: 'ca.crt', cert: 'tls.crt', key: 'tls.key' } as const

/**
 * @param folder where all credentials are
 * @param name   the folder in it; absent: none are needed
 * @throws ConfigInvalid where it is named and not there
 */
export function readCredentials(folder: string | undefined, name: string | undefined): SwitchCredentials {
  if (name === undefined) return {}
  if (folder === undefined) throw new ConfigInvalid({ name: 'MEGREZ_FABRIC_CREDENTIALS', reason: `is not set, and a switch needs credentials ${name}` })
  const read = Object.entries(files).flatMap(([field, file]) => {
    const text = textOf(join(folder, name, file))
    return text === undefined ? [] : [[field, field === 'username' || field === 'password' ? text.trim() : text] as const]
  })
  if (read.length === 0) throw new ConfigInvalid({ name: 'MEGREZ_FABRIC_CREDENTIALS', reason: `${join(folder, name)} holds none of ${Object.values(files).join(', ')}` })
  return Object.fromEntries(read)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw problem
  }
}
