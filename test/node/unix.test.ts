// The addon of unix sockets under AddressSanitizer and UndefinedBehaviorSanitizer, inside Node.js: a report ends the process with an exit
// code of its own.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildNative } from '../../agent/native/build.ts'
import { run } from '../../platform/programs/run.ts'
import { trials } from '../setup/trials.ts'
import { libasan, sanitizing } from './sanitized.ts'

test(
  'wrong arguments, and sockets and files that are closed at any time, leave no report of the sanitizers and no file open',
  { skip: libasan() === undefined && 'libasan is missing: it comes with gcc' },
  async () => {
    const built = await buildNative('unix', { sanitize: true })
    assert.ok('path' in built, JSON.stringify(built))
    const rounds = trials(200_000)
    const { code, stdout, stderr } = await run(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', '--expose-gc', join(import.meta.dirname, 'unix-attack.ts'), built.path, String(rounds)],
      { env: sanitizing() },
    )
    assert.equal(code, 0, stderr)
    assert.deepEqual(JSON.parse(stdout), { misused: 27_040, moved: rounds, left: 0, wereTold: true })
    assert.doesNotMatch(stderr, /runtime error|Sanitizer/)
  },
)
