import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Summary } from '../../cli/load/print.ts'
import { run } from '../setup/run.ts'

const program = join(import.meta.dirname, '../../cli/load.ts')

test('a run creates what it was asked for, follows each until it is ready, and leaves nothing', async () => {
  const args = [
    '--num-attachments',
    '60',
    '--num-nets',
    '3',
    '--top-net-size',
    '12',
    '--rate',
    '200',
    '--threads',
    '4',
    '--ops-distribution',
    'poisson',
    '--seed',
    '5',
    '--json',
  ]
  const { code, stdout, stderr } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', program, ...args], {
    env: { NODE_TEST_CONTEXT: undefined },
  })
  assert.equal(code, 0, stderr)
  const { counts, stages, operations, wrong } = JSON.parse(stdout) as Summary
  assert.deepEqual([operations, counts['successful_creates'], counts['successful_deletes'], wrong], [120, 60, 60, []])
  for (const stage of ['create', 'create_to_addressed', 'create_to_ready', 'delete']) assert.equal(stages[stage]?.count, 60, stage)
})

test('a server that is not there is told, with the exit code for it', async () => {
  const { code, stderr } = await run(process.execPath, ['--disable-warning=ExperimentalWarning', program, '--url', 'http://127.0.0.1:1'])
  assert.equal(code, 3)
  assert.match(stderr, /does not answer/)
})
