// The receiver kit as its users get it: packed, installed in a folder of its own, and held against an independent signer.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { Webhook } from 'standardwebhooks'
import { run } from '../../cli/run.ts'
import { listener } from '../../receiver/listener.ts'
import { Order } from '../../receiver/order.ts'
import { NotVerified, verify } from '../../receiver/verify.ts'
import { until } from '../setup/until.ts'

const root = join(import.meta.dirname, '../..')
const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = JSON.stringify({ kind: 'Vpc', metadata: { namespace: 'a', name: 'blau', uid: 'u' }, text: 'Grüße' })
const exec = promisify(execFile)

function signed(by: readonly string[], text = body, at = new Date()): Record<string, string> {
  const signatures = by.map((each) => new Webhook(each).sign('msg_1', at, text))
  return { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)), 'webhook-signature': signatures.join(' '), 'megrez-sequence': '3', 'megrez-phase': 'ready' }
}

describe('the receiver kit', () => {
  test('believes what the reference library has signed, by any of the secrets on either side', () => {
    assert.deepEqual(verify(body, signed([secret]), { secrets: [secret] }), { id: 'msg_1', sequence: 3, phase: 'ready', body: JSON.parse(body) })
    verify(body, signed([other, secret]), { secrets: [secret] })
    verify(body, signed([secret]), { secrets: [other, secret] })
  })

  test('does not believe another secret, another body, id or time, what is old, or what lacks anything', () => {
    const good = signed([secret])
    const bad: readonly (readonly [string, Record<string, string>])[] = [
      [body, signed([other])], [`${body} `, good], [body, { ...good, 'webhook-id': 'msg_2' }], [body, { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) }],
      [body, signed([secret], body, new Date(Date.now() - 301_000))], [body, signed([secret], body, new Date(Date.now() + 301_000))], [body, { ...good, 'webhook-signature': 'v1,' }], [body, { ...good, 'webhook-signature': good['webhook-signature']!.replace('v1,', 'v1a,') }],
      ...Object.keys(good).map((name) => [body, Object.fromEntries(Object.entries(good).filter(([each]) => each !== name))] as const), ['nonsense', signed([secret], 'nonsense')],
    ]
    for (const [text, headers] of bad) assert.throws(() => verify(text, headers, { secrets: [secret] }), NotVerified)
  })

  test('tells repeats from news, over a restart too', () => {
    const order = new Order()
    assert.deepEqual([1, 2, 2, 1, 3].map((sequence) => order.see('u', sequence)), ['new', 'new', 'repeat', 'repeat', 'new'])
    assert.equal(Order.restored(order.entries()).see('u', 3), 'repeat')
    assert.equal(order.see('other', 1), 'new')
  })

  test('answers 204 once it has taken a notice, 401 to what it does not believe, 500 where taking it fails, and the checks of profiles', async () => {
    let fails = false
    const server = createServer(listener({ secrets: [secret], origins: ['megrez.io'], take: () => (fails ? Promise.reject(new Error('full')) : undefined) })).listen(0, '127.0.0.1')
    await until(() => server.listening, 'it listens')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const status = async (method: string, headers: Record<string, string>, text?: string): Promise<number> => (await fetch(url, { method, headers, ...(text === undefined ? {} : { body: text }) })).status
    assert.deepEqual([await status('POST', signed([secret]), body), await status('POST', signed([other]), body), await status('GET', {}), await status('PUT', {}, body)], [204, 401, 204, 405])
    assert.deepEqual([await status('OPTIONS', { 'webhook-request-origin': 'megrez.io' }), await status('OPTIONS', { 'webhook-request-origin': 'other' })], [200, 403])
    fails = true
    assert.equal(await status('POST', signed([secret]), body), 500)
    server.closeAllConnections()
    server.close()
  })

  test('works as a package: emitted, packed, installed, imported, and its types are seen', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-receiver-'))
    after(() => rm(folder, { recursive: true, force: true }))
    const emitted = join(folder, 'emitted')
    await mkdir(emitted)
    await exec(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'receiver'), '--outDir', emitted])
    for (const name of ['package.json', 'README.md']) await copyFile(join(root, 'receiver', name), join(emitted, name))
    await exec('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: emitted })
    const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'))
    const user = join(folder, 'user')
    await mkdir(user)
    await writeFile(join(user, 'package.json'), '{ "type": "module", "private": true }')
    await exec('npm', ['install', '--offline', '--no-audit', '--no-fund', join(folder, packed ?? '')], { cwd: user })
    await writeFile(join(user, 'use.ts'), `import { verify, Order } from '@megrez/receiver'\nconst { id } = verify(${JSON.stringify(body)}, ${JSON.stringify(signed([secret]))}, { secrets: [${JSON.stringify(secret)}] })\nconst seen: 'new' | 'repeat' = new Order().see('u', 1)\nconsole.log(id, seen)\n`)
    assert.equal((await exec(process.execPath, ['--disable-warning=ExperimentalWarning', 'use.ts'], { cwd: user })).stdout, 'msg_1 new\n')
    await mkdir(join(user, 'node_modules/@types'), { recursive: true })
    await symlink(join(root, 'node_modules/@types/node'), join(user, 'node_modules/@types/node'))
    await symlink(join(root, 'node_modules/undici-types'), join(user, 'node_modules/undici-types')).catch(() => undefined)
    await exec(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--types', 'node', '--skipLibCheck', 'use.ts'], { cwd: user })
  })
})

test('megrez listen prints what it is told, marks what comes again, and prints nothing of what is not signed', async () => {
  const stop = new AbortController()
  let out = ''
  let err = ''
  const ended = run(['listen', '--secret', secret], { env: {}, out: (text) => (out += text), err: (text) => (err += text), stdin: process.stdin, now: Date.now, signal: stop.signal })
  await until(() => err.includes('http://'), 'it listens')
  const url = /http:\S+/.exec(err)![0]
  for (const headers of [signed([secret]), signed([secret]), signed([other])]) await fetch(url, { method: 'POST', headers, body })
  stop.abort()
  assert.equal(await ended, 0)
  assert.equal(out, '  3 ready       Vpc a/blau\n  3 ready       Vpc a/blau  (again)\n')
})
