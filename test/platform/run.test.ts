// A process in which something is rejected that nobody hears.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { makeMetrics } from '../../platform/metrics.ts'
import { unhandledErrors } from '../../platform/unhandled-errors.ts'

const run = new URL('../../platform/run.ts', import.meta.url).href

async function ended(inside: string): Promise<{ readonly code: number; readonly out: string; readonly err: string }> {
  const program = `import { runProcess } from '${run}'
    await runProcess(async (stops) => {
      const alive = setInterval(() => undefined, 60_000)
      stops.add(() => { clearInterval(alive); console.log('stopped') })
      ${inside}
    })`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], { stdio: ['ignore', 'pipe', 'pipe'] })
  const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit') as Promise<[number]>])
  return { code, out, err }
}

test('what is rejected or thrown and heard by nobody is told, what runs is stopped, and the process ends with 1, to be started anew', async () => {
  for (const inside of ["void Promise.reject(new Error('on its own'))", "setTimeout(() => { throw new Error('on its own') }, 1)"]) {
    const { code, out, err } = await ended(inside)
    assert.deepEqual([code, out], [1, 'stopped\n'], err)
    assert.match(err, /^megrez: nobody hears of this, and the process ends: Error: on its own\n\s+at /)
  }
})

test('a process that cannot stop what it has started ends all the same', async () => {
  const { code, err } = await ended("stops.add(() => Promise.reject(new Error('stuck'))); void Promise.reject(new Error('on its own'))")
  assert.equal(code, 1)
  assert.match(err, /on its own[\s\S]*megrez: stopping: Error: stuck/)
})

test('what it has compiled is left to the next also by a process that is killed', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-compiled-'))
  t.after(() => rm(folder, { recursive: true }))
  const program = `import { runProcess } from '${run}'
    await runProcess(async () => void setInterval(() => undefined, 60_000))
    console.log('runs')`
  const child = spawn(process.execPath, ['--input-type=module-typescript', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: folder },
  })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'exit')
  const [version = ''] = await readdir(folder)
  assert.ok((await readdir(join(folder, version))).length > 0)
})

test('they are counted, for whoever asks before it has ended', async () => {
  const { registry } = makeMetrics()
  const told = async (): Promise<string> =>
    (await registry.metrics()).split('\n').find((line) => line.startsWith('megrez_unheard_errors_total ')) ?? ''
  assert.equal(await told(), 'megrez_unheard_errors_total 0')
  unhandledErrors.count++
  assert.equal(await told(), 'megrez_unheard_errors_total 1')
  unhandledErrors.count--
})
