// npm start as a person or a script uses it.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createInterface } from 'node:readline'
import { until } from '../setup/until.ts'
import { serve, type Line } from './server.ts'

const root = join(import.meta.dirname, '../..')
const folder = await mkdtemp(join(tmpdir(), 'megrez-start-'))
after(() => rm(folder, { recursive: true, force: true }))

const clean = (): Record<string, string> =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(MEGREZ|npm)_/.test(name))) as Record<string, string>
const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('SIGTERM to npm ends the server cleanly', async () => {
  const npm = spawn('npm', ['start', '--', '--port', '0', '--data', join(folder, 'npm'), '--json', '--no-install'], {
    cwd: root,
    env: { ...clean(), MEGREZ_LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const line = await new Promise<Line>((resolve, reject) => {
    npm.once('exit', (code) => reject(new Error(`npm ended with ${code}`)))
    createInterface({ input: npm.stdout }).on('line', (text) => {
      if (text.startsWith('{')) resolve(JSON.parse(text) as Line)
    })
  })
  assert.ok(alive(line.pid))
  npm.kill('SIGTERM')
  await until(() => !alive(line.pid), 'the server has ended with npm')
})

test('health, metrics and the contract need no token, everything else does', async () => {
  const { line, end } = await serve(join(folder, 'open'), { args: ['--no-install'] })
  try {
    for (const path of ['/livez', '/readyz', '/metrics', '/openapi.json']) assert.equal((await fetch(line.url + path)).status, 200, path)
    assert.equal((await fetch(`${line.url}/v1/vpcs`)).status, 401)
    assert.equal((await fetch(`${line.url}/v1/vpcs`, { headers: { authorization: `Bearer ${line.token}` } })).status, 200)
  } finally {
    assert.equal(await end('SIGTERM'), 0)
  }
})

test('admission answers over HTTPS with a certificate of the CA that is named', async () => {
  const { line, end } = await serve(join(folder, 'tls'), { args: ['--no-install'] })
  try {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      request(`${line.admissionUrl}/readyz`, { ca: readFileSync(line.caFile) }, (response) => resolve(response.resume().statusCode))
        .once('error', reject)
        .end()
    })
    assert.equal(status, 200)
    assert.match(line.admissionUrl, /^https:\/\/127\.0\.0\.1:/)
  } finally {
    await end('SIGTERM')
  }
})

test('a second server on the same folder is refused, and the first goes on', async () => {
  const first = await serve(join(folder, 'twice'), { args: ['--no-install'] })
  try {
    await assert.rejects(serve(join(folder, 'twice'), { args: ['--no-install'] }), /ended with 1/)
    assert.equal((await fetch(`${first.line.url}/livez`)).status, 200)
  } finally {
    await first.end('SIGTERM')
  }
})

test('flags that npm swallowed are noticed', () => {
  const run = spawnSync('npm', ['start', '--port', '0', '--json'], { cwd: root, env: clean(), encoding: 'utf8' })
  assert.notEqual(run.status, 0)
  assert.match(run.stderr, /npm start -- --port/)
})

test('an unknown flag, a wrong number and an unknown setting are refused by name', () => {
  const run = (args: string[], env: Record<string, string> = {}) =>
    spawnSync(process.execPath, ['bootstrap.mjs', 'cli/serve.ts', ...args], { cwd: root, env: { ...clean(), ...env }, encoding: 'utf8' })
  for (const [answer, text] of [
    [run(['--prot', '1']), /--prot/],
    [run(['--port', 'x']), /--port/],
    [run(['--data', join(folder, 'unset')], { MEGREZ_NOPE: '1' }), /MEGREZ_NOPE/],
    [run(['--data', join(folder, 'unset')], { MEGREZ_CONCURRENCY: 'many' }), /MEGREZ_CONCURRENCY/],
  ] as const) {
    assert.equal(answer.status, 1, answer.stderr)
    assert.match(answer.stderr, text)
  }
})

test('what is kept is readable by its owner only', async () => {
  const { end } = await serve(join(folder, 'modes'), { args: ['--no-install'] })
  await end('SIGTERM')
  assert.ok((await readdir(join(folder, 'modes'))).includes('megrez.sqlite'))
  const open = spawnSync('find', [join(folder, 'modes'), '-perm', '/077', '!', '-type', 'l'], { encoding: 'utf8' }).stdout
  // The CA's certificate is for everybody who calls admission.
  assert.deepEqual(
    open.split('\n').filter((path) => path !== '' && !path.endsWith('ca.crt')),
    [],
  )
})

test('a folder that cannot be made is said in one line at once', { skip: process.platform !== 'linux' }, async () => {
  const child = spawn(process.execPath, [join(root, 'bootstrap.mjs'), 'cli/serve.ts', '--port', '0', '--data', '/proc/x/y'], {
    cwd: root,
    env: clean(),
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let err = ''
  child.stderr.on('data', (chunk: Buffer) => (err += String(chunk)))
  const code = await new Promise((resolve) => child.once('close', resolve))
  assert.deepEqual([code, err], [1, 'megrez: setting --data: /proc/x/y cannot be made there: that file system takes no folders\n'])
})
