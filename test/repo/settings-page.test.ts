import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { settings } from '../../platform/config.ts'
import { settingsPage, settingsPath } from './settings-page.ts'

test('the page of settings is as npm run gen writes it', async () => {
  assert.equal(await readFile(join(resolve(import.meta.dirname, '../..'), settingsPath), 'utf8'), settingsPage())
})

test('each setting has one row of four cells', () => {
  const rows = settingsPage()
    .split('\n')
    .filter((line) => line.startsWith('| `MEGREZ_'))
  assert.deepEqual(
    rows.map((row) => row.split('`')[1]),
    Object.values(settings).map(({ env }) => env),
  )
  for (const row of rows) assert.equal(row.split(/(?<!\\)\|/).length, 6, row)
})
