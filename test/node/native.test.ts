// The addon under AddressSanitizer and UndefinedBehaviorSanitizer, inside Node.js: a report ends the process with an exit code of its own.
import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { buildNative } from '../../agent/native/build.ts'
import { run } from '../../platform/programs/run.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { trials } from '../setup/trials.ts'
import { builtAddon, withSpaces } from './kernel.ts'
import { libasan, sanitizing } from './sanitized.ts'

const sanitized = async (netns: string, ...args: readonly string[]) => {
  const built = await buildNative('addon', { sanitize: true })
  assert.ok('path' in built, JSON.stringify(built))
  const script = join(import.meta.dirname, 'native-attack.ts')
  return run(process.execPath, ['--disable-warning=ExperimentalWarning', '--expose-gc', script, built.path, netns, ...args], {
    env: sanitizing(),
  })
}

test(
  'wrong arguments, malformed messages and sockets closed at any time leave no report of the sanitizers',
  { skip: ovsSkip || (libasan() === undefined && 'libasan is missing: it comes with gcc') },
  () =>
    withSpaces(async (spaces) => {
      const { path } = await spaces.make()
      const messages = trials(1_000_000)
      const { code, stdout, stderr } = await sanitized(path, String(messages), '42')
      assert.equal(code, 0, stderr)
      assert.deepEqual(JSON.parse(stdout), { misused: 3_600, sent: messages, lived: true })
      assert.doesNotMatch(stderr, /runtime error|Sanitizer/)
    }),
)

test('ten thousand exchanges in another namespace leave no descriptor and no thread behind', { skip: ovsSkip }, () =>
  withSpaces(async (spaces) => {
    const { path } = await spaces.make()
    const addon = await builtAddon()
    const count = (of: 'fd' | 'task'): number => readdirSync(`/proc/self/${of}`).length
    const nothing = new Uint8Array(16)
    nothing[0] = 16
    const once = (): Promise<unknown> => Promise.all(Array.from({ length: 10 }, () => addon.once(path, 0, nothing, undefined)))
    await once()
    const [fds, tasks] = [count('fd'), count('task')]
    for (let n = 0; n < trials(1_000); n++) await once()
    assert.deepEqual([count('fd'), count('task')], [fds, tasks])
  }),
)
