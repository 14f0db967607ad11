// Which version this is.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

export function ourVersion(): string {
  const { version } = JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')) as { readonly version: string }
  return version
}
