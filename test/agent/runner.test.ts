// Starting programs by the addon, and by fork where it is missing: what a CNI plugin's caller relies on holds for both.
import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { buildNative, type Built } from '../../agent/native/build.ts'
import { loadRunner, runProgram, type Ran } from '../../agent/native/runner.ts'
import { until } from '../setup/until.ts'

const soon = (): AbortSignal => AbortSignal.timeout(30_000)
const missing: Built = { missing: 'left out for this test' }
const built = await buildNative('runner')

for (const [name, from] of [
  ['the addon', built],
  ['fork', missing],
] as const) {
  describe(`a program that is started by ${name}`, { skip: from !== missing && 'missing' in built && built.missing }, () => {
    let folder: string
    before(async () => (folder = await mkdtemp(join(tmpdir(), 'megrez-runner-'))))
    after(() => rm(folder, { recursive: true, force: true }))
    const runner = loadRunner(from)
    let scripts = 0
    const script = async (text: string, stdin = '', signal = soon()): Promise<Ran> => {
      const path = join(folder, `script${scripts++}`)
      await writeFile(path, `#!/bin/sh\n${text}\n`, { mode: 0o755 })
      return runProgram(path, { env: { PATH: process.env['PATH'] ?? '', WHO: 'me' }, stdin, signal }, runner)
    }

    test('is given its standard input and its environment, and nothing else of ours', async () => {
      const { code, stdout, stderr } = await script('cat; echo "$WHO $HOME"; echo oh >&2; exit 3', 'said ')
      assert.deepEqual([code, stdout.toString(), stderr.toString()], [3, 'said me \n', 'oh\n'])
      // The last is the folder that is being read. What others have opened without care goes through a fork.
      if (from !== missing) assert.equal((await script('exec ls /proc/self/fd')).stdout.toString(), '0\n1\n2\n3\n')
    })

    test('begins with every signal as it is by default', async () => {
      const { stdout } = await script('grep -E "^Sig(Blk|Ign)" /proc/self/status')
      // 32 and 33 are the C library's own.
      const bits = [...stdout.toString().matchAll(/\t(\w+)/g)].map(([, hex]) => BigInt(`0x${hex}`) & ~(3n << 31n))
      assert.deepEqual(bits, [0n, 0n])
    })

    test('may leave a great input unread, or read all of it', async () => {
      const much = 'x'.repeat(3_000_000)
      assert.equal((await script('exit 0', much)).code, 0)
      assert.equal((await script('wc -c', much)).stdout.toString().trim(), '3000000')
    })

    test('ends with its signal', async () => {
      const stop = new AbortController()
      const pid = join(folder, 'pid')
      const running = script(`echo $$ >${pid}.new && mv ${pid}.new ${pid}; exec sleep 600`, '', stop.signal)
      await until(
        () =>
          readFile(pid, 'utf8').then(
            () => true,
            () => false,
          ),
        'it runs',
      )
      stop.abort(new Error('no more'))
      await assert.rejects(running, /no more/)
      const shell = (await readFile(pid, 'utf8')).trim()
      await until(async () => !(await readdir('/proc')).includes(shell), 'it is gone')
    })

    test('that is not there, cannot be run or says too much is refused with a reason', async () => {
      await assert.rejects(runProgram(join(folder, 'none'), { env: {}, stdin: '', signal: soon() }, runner), /ENOENT|No such file/)
      await writeFile(join(folder, 'text'), 'no program', { mode: 0o644 })
      await assert.rejects(runProgram(join(folder, 'text'), { env: {}, stdin: '', signal: soon() }, runner), /EACCES|Permission denied/)
      await assert.rejects(script('head -c 20000000 /dev/zero'), /more than|too long/)
      const { stdout, stderr } = await script('head -c 2000000 /dev/zero >&2; echo fine')
      assert.equal(stdout.toString(), 'fine\n')
      assert.ok(stderr.length < 2_000_000)
    })

    test('that is killed by another has no exit code of its own', async () => {
      assert.equal((await script('kill -9 $$')).code, -1)
    })
  })
}

test(
  "the addon kills a plugin's whole process group, and waits for no stray that holds its output",
  { skip: 'missing' in built && built.missing },
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-runner-'))
    const path = join(folder, 'parent')
    const run = (signal: AbortSignal): Promise<Ran> =>
      runProgram(path, { env: { PATH: process.env['PATH'] ?? '' }, stdin: '', signal }, loadRunner(built))
    const gone = async (pid: string): Promise<boolean> =>
      !(await readdir('/proc')).includes(pid) || /State:\tZ/.test(await readFile(`/proc/${pid}/status`, 'utf8').catch(() => ''))
    await writeFile(path, `#!/bin/sh\nsleep 600 &\necho $! >${folder}/pid.new && mv ${folder}/pid.new ${folder}/pid\nwait\n`, {
      mode: 0o755,
    })
    const stop = new AbortController()
    const running = run(stop.signal)
    await until(
      () =>
        readFile(join(folder, 'pid'), 'utf8').then(
          () => true,
          () => false,
        ),
      'its child runs',
    )
    stop.abort(new Error('no more'))
    await assert.rejects(running, /no more/)
    const child = (await readFile(join(folder, 'pid'), 'utf8')).trim()
    await until(() => gone(child), 'its child is gone')
    await writeFile(path, '#!/bin/sh\nsleep 600 &\necho $!\n', { mode: 0o755 })
    const orphan = (await run(soon())).stdout.toString().trim()
    assert.equal(await gone(orphan), false)
    process.kill(Number(orphan), 'SIGKILL')
    await rm(folder, { recursive: true, force: true })
  },
)

test('many at once leave no descriptor and no thread behind', { skip: 'missing' in built && built.missing }, async () => {
  const runner = loadRunner(built)
  const count = async (of: 'fd' | 'task'): Promise<number> => (await readdir(`/proc/self/${of}`)).length
  const many = (): Promise<unknown> =>
    Promise.all(Array.from({ length: 40 }, () => runProgram('/bin/true', { env: {}, stdin: 'x', signal: soon() }, runner)))
  await many()
  const settled = async (): Promise<readonly number[]> => Promise.all([count('fd'), count('task')])
  const before = await settled()
  for (let round = 0; round < 5; round++) await many()
  await until(async () => (await settled()).every((each, i) => each <= before[i]!), 'all of it is closed')
})
