// What was found once, as the few things that had to happen for it: it stays mended.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { happeningKinds } from './events/index.ts'
import type { Case } from './happening.ts'
import { reportOf } from './report.ts'
import { runCase } from './run.ts'

const folder = join(import.meta.dirname, 'regressions')

for (const file of readdirSync(folder).filter((name) => name.endsWith('.json'))) {
  test(`stays mended: ${file.replaceAll('-', ' ').replace('.json', '')}`, async () => {
    const given = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Case
    for (const { name } of given.happenings)
      assert.ok(happeningKinds.has(name), `${name} is nothing that happens any more: write the case anew`)
    const result = await runCase(given)
    assert.equal(result.failure, undefined, reportOf(given, result))
  })
}
