import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runTests } from './node-test.ts'

const source = `import { describe, test } from 'node:test'
describe('a suite', () => {
  test('passes', () => undefined)
  test('fails', () => { throw new Error('of a reason\\nand more') })
})`

test('the tests that failed are named with their file and reason, and their suites are not', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'megrez-failures-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'one.test.mjs')
  writeFileSync(file, source)
  // A process of its own: inside a test Node.js would report to the outer runner.
  const program = `import { runTests } from '${join(import.meta.dirname, 'node-test.ts')}'
    const options = { root: '${folder}', env: {}, concurrency: 1, shared: [], timeoutMs: 10_000, flags: [], signal: new AbortController().signal }
    console.log(JSON.stringify(await runTests(['${file}'], options)))`
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const done = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { env, encoding: 'utf8' })
  const outcome = JSON.parse(done.stdout.trim().split('\n').at(-1) ?? '') as Awaited<ReturnType<typeof runTests>>
  assert.deepEqual(outcome, { code: 1, failed: [`${file}: fails: of a reason and more`] })
})
