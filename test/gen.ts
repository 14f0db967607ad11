// `npm run gen`: everything that is generated from tables, written where it differs.
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import '../openapi/generate.ts'
import { settingsPage, settingsPath } from './repo/settings-page.ts'

const target = join(resolve(import.meta.dirname, '..'), settingsPath)
if ((await readFile(target, 'utf8').catch(() => undefined)) !== settingsPage()) {
  await writeFile(target, settingsPage())
  console.log(`wrote ${settingsPath}`)
}
