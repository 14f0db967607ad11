// The receiver kit, held against an independent signer. test/process has it packed and installed.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { run } from '../../cli/run.ts'
import { listener } from '../../receiver/listener.ts'
import { Order } from '../../receiver/order.ts'
import { NotVerified, verify } from '../../receiver/verify.ts'
import { until } from '../setup/until.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const other = `whsec_${Buffer.alloc(32, 8).toString('base64')}`
const body = JSON.stringify({ kind: 'Vpc', metadata: { namespace: 'a', name: 'blau', uid: 'u' }, text: 'Grüße' })

function signed(by: readonly string[], text = body, at = new Date()): Record<string, string> {
  const signatures = by.map((each) => new Webhook(each).sign('msg_1', at, text))
  return {
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': signatures.join(' '),
    'megrez-sequence': '3',
    'megrez-phase': 'ready',
  }
}

describe('the receiver kit', () => {
  test('believes what the reference library has signed, by any of the secrets on either side', () => {
    assert.deepEqual(verify(body, signed([secret]), { secrets: [secret] }), {
      id: 'msg_1',
      sequence: 3,
      phase: 'ready',
      body: JSON.parse(body),
    })
    verify(body, signed([other, secret]), { secrets: [secret] })
    verify(body, signed([secret]), { secrets: [other, secret] })
  })

  test('does not believe another secret, another body, id or time, what is old, or what lacks anything', () => {
    const good = signed([secret])
    const bad: readonly (readonly [string, Record<string, string>])[] = [
      [body, signed([other])],
      [`${body} `, good],
      [body, { ...good, 'webhook-id': 'msg_2' }],
      [body, { ...good, 'webhook-timestamp': String(Number(good['webhook-timestamp']) + 1) }],
      [body, signed([secret], body, new Date(Date.now() - 301_000))],
      [body, signed([secret], body, new Date(Date.now() + 301_000))],
      [body, { ...good, 'webhook-signature': 'v1,' }],
      [body, { ...good, 'webhook-signature': good['webhook-signature']!.replace('v1,', 'v1a,') }],
      ...Object.keys(good).map((name) => [body, Object.fromEntries(Object.entries(good).filter(([each]) => each !== name))] as const),
      ['nonsense', signed([secret], 'nonsense')],
    ]
    for (const [text, headers] of bad) assert.throws(() => verify(text, headers, { secrets: [secret] }), NotVerified)
  })

  test('tells repeats from news, over a restart too', () => {
    const order = new Order()
    assert.deepEqual(
      [1, 2, 2, 1, 3].map((sequence) => order.see('u', sequence)),
      ['new', 'new', 'repeat', 'repeat', 'new'],
    )
    assert.equal(Order.restored(order.entries()).see('u', 3), 'repeat')
    assert.equal(order.see('other', 1), 'new')
  })

  test('answers 204 once it has taken a notice, 401 to what it does not believe, 500 where taking it fails, and the checks of profiles', async () => {
    let fails = false
    const server = createServer(
      listener({ secrets: [secret], origins: ['megrez.io'], take: () => (fails ? Promise.reject(new Error('full')) : undefined) }),
    ).listen(0, '127.0.0.1')
    await until(() => server.listening, 'it listens')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
    const status = async (method: string, headers: Record<string, string>, text?: string): Promise<number> =>
      (await fetch(url, { method, headers, ...(text === undefined ? {} : { body: text }) })).status
    assert.deepEqual(
      [
        await status('POST', signed([secret]), body),
        await status('POST', signed([other]), body),
        await status('GET', {}),
        await status('PUT', {}, body),
      ],
      [204, 401, 204, 405],
    )
    assert.deepEqual(
      [await status('OPTIONS', { 'webhook-request-origin': 'megrez.io' }), await status('OPTIONS', { 'webhook-request-origin': 'other' })],
      [200, 403],
    )
    fails = true
    assert.equal(await status('POST', signed([secret]), body), 500)
    server.closeAllConnections()
    server.close()
  })
})

test('megrez listen prints what it is told, marks what comes again, and prints nothing of what is not signed', async () => {
  const stop = new AbortController()
  let out = ''
  let err = ''
  const ended = run(['listen', '--secret', secret], {
    env: {},
    out: (text) => (out += text),
    err: (text) => (err += text),
    stdin: process.stdin,
    now: Date.now,
    signal: stop.signal,
  })
  await until(() => err.includes('http://'), 'it listens')
  const url = /http:\S+/.exec(err)![0]
  for (const headers of [signed([secret]), signed([secret]), signed([other])]) await fetch(url, { method: 'POST', headers, body })
  stop.abort()
  assert.equal(await ended, 0)
  assert.equal(out, '  3 ready       Vpc a/blau\n  3 ready       Vpc a/blau  (again)\n')
})
