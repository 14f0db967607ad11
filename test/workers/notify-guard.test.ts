import assert from 'node:assert/strict'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import type { Delivery, Receipt } from '../../core/contracts/notifier.ts'
import { realClock } from '../../platform/clock.ts'
import type { Resolve } from '../../platform/http/guarded/guarded-lookup.ts'
import { NamespaceSecrets } from '../../platform/signing.ts'
import { HttpNotifier } from '../../workers/notify/send/http.ts'
import { Outgoing } from '../../platform/http/guarded/outgoing.ts'
import { hostileAddresses, hostileUrls } from './notify-hostile.ts'
import { openReceiver, type Receiver } from './notify-receiver.ts'

const delivery = (url: string): Delivery => ({ id: 'msg_1', url, sequence: 1, phase: 'ready', body: '{}' })
const never = new AbortController().signal

/** Every client socket that this process opens is announced here by Node.js, whoever opens it. */
const channel = 'net.client.socket'
const sockets: Socket[] = []
const sentinel = (message: unknown): void => void sockets.push((message as { socket: Socket }).socket)

async function send(url: string, options: { resolve?: Resolve; allow?: readonly string[]; http?: boolean } = {}): Promise<Receipt> {
  const settings = { callbackAllow: options.allow ?? [], callbackHttp: options.http ?? true }
  const notifier = new HttpNotifier({
    settings,
    timeoutMs: 3_000,
    secrets: new NamespaceSecrets([], false),
    clock: realClock,
    random: Math.random,
    ...(options.resolve === undefined ? {} : { resolve: options.resolve }),
  })
  try {
    return await notifier.send(delivery(url), never)
  } finally {
    await notifier.close()
  }
}

describe('callbacks reach only what is allowed', () => {
  let receiver: Receiver
  before(async () => {
    subscribe(channel, sentinel)
    receiver = await openReceiver()
  })
  after(async () => {
    unsubscribe(channel, sentinel)
    await receiver.close()
  })

  test('the sentinel sees a socket that is opened', async () => {
    sockets.length = 0
    assert.equal((await send(receiver.url, { allow: ['127.0.0.0/8'] })).kind, 'accepted')
    assert.equal(sockets.length, 1)
  })

  test(`none of ${hostileUrls.length} hostile URLs makes us open a socket`, async () => {
    assert(new Set(hostileUrls).size >= 300)
    const resolve: Resolve = (name) => Promise.reject(new Error(`${name} was resolved`))
    for (const url of hostileUrls) {
      sockets.length = 0
      const receipt = await send(url, { resolve })
      assert.deepEqual([url, receipt.kind, sockets.length], [url, 'forbidden', 0])
    }
  })

  test(`nor does a name that resolves to any of ${hostileAddresses.length} special addresses, alone or beside a good one`, async () => {
    for (const address of hostileAddresses)
      for (const answer of [[address], ['192.5.6.30', address], [address, '2001:500:2::c']]) {
        sockets.length = 0
        const receipt = await send('https://hooks.example.org/', { resolve: () => Promise.resolve(answer) })
        assert.deepEqual([answer, receipt.kind, sockets.length], [answer, 'forbidden', 0])
      }
  })

  test('http is refused unless it is allowed', async () => {
    const { kind: say } = await send(receiver.url, { allow: ['127.0.0.0/8'], http: false })
    assert.equal(say, 'forbidden')
  })

  test('a name is resolved once for a connection, and what was judged is what is connected to', async () => {
    const answers = [['127.0.0.1'], ['127.0.0.2']]
    let asked = 0
    const resolve: Resolve = () => Promise.resolve(answers[asked++] ?? ['127.0.0.2'])
    const url = receiver.url.replace('127.0.0.1', 'rebind.example.org')
    const heard = receiver.heard.length
    assert.equal((await send(url, { resolve, allow: ['127.0.0.1/32'] })).kind, 'accepted')
    assert.equal(asked, 1)
    assert.equal(receiver.heard.at(-1)?.headers.host, `rebind.example.org:${receiver.l4Port}`)
    sockets.length = 0
    assert.equal((await send(url, { resolve, allow: ['127.0.0.1/32'] })).kind, 'forbidden', 'the same name, a moment later')
    assert.deepEqual([asked, sockets.length, receiver.heard.length], [2, 0, heard + 1])
  })

  test('a name is judged again for each connection of one pool', async () => {
    let address = '127.0.0.1'
    const notifier = new HttpNotifier({
      settings: { callbackAllow: ['127.0.0.1/32'], callbackHttp: true },
      timeoutMs: 3_000,
      secrets: new NamespaceSecrets([], false),
      clock: realClock,
      random: Math.random,
      resolve: () => Promise.resolve([address]),
    })
    const url = receiver.url.replace('127.0.0.1', 'rebind.example.org')
    const said = async () => (await notifier.send(delivery(url), never)).kind
    receiver.answer = (_, response) => {
      response.setHeader('connection', 'close')
      return 204
    }
    assert.equal(await said(), 'accepted')
    address = '127.0.0.2'
    assert.equal(await said(), 'forbidden')
    await notifier.close()
  })

  test('a DNS server that gives another answer each time never gets us to what is forbidden, over 200 sendings', async () => {
    const inside = await openReceiver()
    // Nobody is at 127.0.0.2: a connection to it is refused, and no traffic leaves the machine.
    const pairs = hostileAddresses.map((address) => [['127.0.0.2'], [address], ['127.0.0.1'], ['127.0.0.2', address]])
    let asked = 0
    const resolve: Resolve = () => {
      const answers = pairs[asked % pairs.length]!
      return Promise.resolve(answers[Math.floor(asked++ / 3) % answers.length]!)
    }
    sockets.length = 0
    const outgoing = new Outgoing({
      settings: { callbackAllow: ['127.0.0.2/32'], callbackHttp: true },
      timeoutMs: 1_000,
      clock: realClock,
      resolve,
    })
    for (let i = 0; i < 200; i++)
      await outgoing.ask({ method: 'POST', url: `http://rebind-${i % 7}.example.org:${inside.l4Port}/`, headers: {}, body: '{}' }, never)
    await outgoing.close()
    assert.equal(inside.heard.length, 0)
    assert.ok(sockets.length > 0 && sockets.length < 200, 'some answers were allowed')
    assert.ok(sockets.every((socket) => ['127.0.0.2', undefined].includes(socket.remoteAddress)))
    await inside.close()
  })

  test('blocks that are allowed to one namespace are not allowed to another', async () => {
    const settings = { callbackAllow: [], callbackAllowIn: { nfvo: ['127.0.0.1/32'] }, callbackHttp: true }
    const outgoing = new Outgoing({ settings, timeoutMs: 3_000, clock: realClock })
    const said = async (namespace?: string): Promise<unknown> => {
      const answer = await outgoing.ask(
        { method: 'POST', url: receiver.url, headers: {}, body: '{}', ...(namespace === undefined ? {} : { access: { namespace } }) },
        never,
      )
      return 'kind' in answer ? answer.kind : answer.status
    }
    assert.deepEqual(
      [await said('nfvo'), await said('other'), await said(), await said('constructor'), await said('nfvo')],
      [204, 'forbidden', 'forbidden', 'forbidden', 204],
    )
    await outgoing.close()
  })

  test('a name that cannot be resolved, or that answers nothing or nonsense, is an answer', async () => {
    const cases: Resolve[] = [
      () => Promise.reject(new Error('ENOTFOUND')),
      () => Promise.resolve([]),
      () => Promise.resolve(['nonsense']),
      () => Promise.resolve(['fe80::1%lo']),
    ]
    const said = await Promise.all(cases.map((resolve) => send('https://hooks.example.org/', { resolve })))
    assert.deepEqual(
      said.map(({ kind: say }) => say),
      ['unreachable', 'unreachable', 'forbidden', 'forbidden'],
    )
  })

  test('a resolver that never answers is given up', async () => {
    assert.equal((await send('https://hooks.example.org/', { resolve: () => new Promise(() => undefined) })).kind, 'unreachable')
  })
})
