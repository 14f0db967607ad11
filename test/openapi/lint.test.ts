import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')

test('the OpenAPI document passes the linter, warnings and all', async () => {
  const cli = join(root, 'node_modules/@redocly/cli/bin/cli.js')
  const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'lint', 'openapi/openapi.yaml', '--config', 'redocly.yaml', '--format', 'json'],
    { cwd: root, env, maxBuffer: 16 * 1024 * 1024 },
  ).catch((failed: { readonly stdout: string }) => failed)
  const { totals, problems } = JSON.parse(stdout) as {
    readonly totals: { readonly errors: number; readonly warnings: number }
    readonly problems: readonly { readonly ruleId: string; readonly message: string }[]
  }
  assert.deepEqual([totals.errors, totals.warnings], [0, 0], problems.map(({ ruleId, message }) => `${ruleId}: ${message}`).join('\n'))
})
