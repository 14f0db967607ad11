import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import {
  Server,
  ServerCredentials,
  status,
  type ServerDuplexStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
} from '@grpc/grpc-js'
import { retryOf } from '../../core/errors.ts'
import { define, string, uint32, type ReadOf } from '../../core/wire/protobuf/protobuf.ts'
import { openChannel, type Channel, type Peer } from '../../platform/grpc/channel.ts'
import { method } from '../../platform/grpc/method.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'

const Ask = define('t.Ask', { say: string(1), times: uint32(2) })
const Answer = define('t.Answer', { said: string(1) })
type Ask = ReadOf<typeof Ask>
type Answer = ReadOf<typeof Answer>
const say = method('t.Echo', 'Say', Ask, Answer)
const many = method('t.Echo', 'Many', Ask, Answer)
const talk = method('t.Echo', 'Talk', Ask, Answer)
const nowhere = method('t.Echo', 'Nowhere', Ask, Answer)

const definition = (path: string, { requestStream = false, responseStream = false } = {}) => ({
  path,
  requestStream,
  responseStream,
  requestSerialize: (value: Ask) => Buffer.from(Ask.encode(value)),
  requestDeserialize: (from: Buffer) => Ask.decode(from),
  responseSerialize: (value: Answer) => Buffer.from(Answer.encode(value)),
  responseDeserialize: (from: Buffer) => Answer.decode(from),
})
const service = {
  Say: definition(say.path),
  Many: definition(many.path, { responseStream: true }),
  Talk: definition(talk.path, { requestStream: true, responseStream: true }),
}

/** `fail N` is refused with status N, `silence` never answered, `who` answered by the name that was logged in with. */
const implementation = {
  Say(call: ServerUnaryCall<Ask, Answer>, done: sendUnaryData<Answer>) {
    const { say: text } = call.request
    if (text === 'silence') return
    if (text === 'who') return done(null, { said: call.metadata.get('username').concat(call.metadata.get('password')).join(':') })
    const code = Number(/^fail (\d+)/.exec(text)?.[1])
    if (code > 0) return done({ code, details: 'as asked' })
    done(null, { said: text })
  },
  Many(call: ServerWritableStream<Ask, Answer>) {
    for (let i = 0; i < call.request.times; i++) call.write({ said: `${call.request.say} ${i}` })
    if (call.request.say === 'broken') call.emit('error', { code: status.ABORTED, details: 'half way' })
    else if (call.request.say !== 'endless') call.end()
    else call.on('cancelled', () => cancelled.resolve())
  },
  Talk(call: ServerDuplexStream<Ask, Answer>) {
    call.on('data', (ask: Ask) => call.write({ said: `re: ${ask.say}` }))
    call.on('end', () => call.end())
  },
}
let cancelled = Promise.withResolvers<void>()

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function serve(
  address: string,
  credentials = ServerCredentials.createInsecure(),
): Promise<{ readonly l4Port: number; readonly stop: () => void }> {
  const server = new Server()
  server.addService(service, implementation)
  const l4Port = await new Promise<number>((resolve, reject) =>
    server.bindAsync(address, credentials, (err, bound) => (err === null ? resolve(bound) : reject(err))),
  )
  const stop = (): void => server.forceShutdown()
  closers.push(stop)
  return { l4Port, stop }
}

function open(peer: Peer): Channel {
  const channel = openChannel(peer)
  closers.push(() => channel.close())
  return channel
}

async function socket(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-grpc-'))
  closers.push(() => rm(folder, { recursive: true, force: true }))
  return `unix:${join(folder, 's')}`
}
const codeOf =
  (code: string) =>
  (err: unknown): boolean =>
    (err as { code?: string }).code === code

describe('a gRPC channel', () => {
  test('calls over a unix socket and over TCP', async () => {
    const target = await socket()
    await serve(target)
    const { l4Port } = await serve('127.0.0.1:0')
    for (const each of [target, `127.0.0.1:${l4Port}`])
      assert.deepEqual(await open({ target: each }).unary(say, { say: 'hello' }), { said: 'hello' })
  })

  test('tells what is worth another try from what is not', async () => {
    const target = await socket()
    await serve(target)
    const channel = open({ target })
    const retries = {
      [status.UNAVAILABLE]: 'later',
      [status.RESOURCE_EXHAUSTED]: 'later',
      [status.UNKNOWN]: 'later',
      [status.INVALID_ARGUMENT]: 'never',
      [status.UNAUTHENTICATED]: 'never',
      [status.ABORTED]: 'now',
    }
    for (const [code, retry] of Object.entries(retries)) {
      await assert.rejects(
        channel.unary(say, { say: `fail ${code}` }),
        (err) => retryOf(err) === retry && /as asked/.test(String(err)),
        code,
      )
    }
    await assert.rejects(channel.unary(nowhere, {}), codeOf('peer-refused'))
    await assert.rejects(
      channel.unary(say, { say: 'silence' }, { timeoutMs: 50 }),
      (err) => retryOf(err) === 'later' && /DEADLINE_EXCEEDED/.test(String(err)),
    )
  })

  test('an answer that cannot be read is an error of its own', async () => {
    const target = await socket()
    await serve(target)
    const cut = (path: string) => ({ ...say, path, decode: (from: Uint8Array) => Answer.decode(from.subarray(0, -1)) })
    await assert.rejects(open({ target }).unary(cut(say.path), { say: 'x' }), codeOf('undecodable'))
    await assert.rejects(async () => {
      for await (const answer of open({ target }).serverStream(cut(many.path), { say: 'x', times: 1 })) assert.fail(answer.said)
    }, codeOf('undecodable'))
  })

  test("a call that is aborted throws the signal's reason", async () => {
    const target = await socket()
    await serve(target)
    const channel = open({ target })
    const stop = new AbortController()
    const call = channel.unary(say, { say: 'silence' }, { signal: stop.signal })
    stop.abort(new Error('enough'))
    await assert.rejects(call, /enough/)
    await assert.rejects(channel.unary(say, { say: 'x' }, { signal: stop.signal }), /enough/)
  })

  test('streams from the server arrive in order, and end or fail as the server says', async () => {
    const target = await socket()
    await serve(target)
    const channel = open({ target })
    const said: string[] = []
    for await (const answer of channel.serverStream(many, { say: 'n', times: 500 })) said.push(answer.said)
    assert.deepEqual(
      said,
      Array.from({ length: 500 }, (_, i) => `n ${i}`),
    )
    const half: string[] = []
    await assert.rejects(async () => {
      for await (const answer of channel.serverStream(many, { say: 'broken', times: 2 })) half.push(answer.said)
    }, codeOf('peer-conflict'))
    assert.equal(half.length, 2)
  })

  test('leaving a stream cancels it at the server', async () => {
    const target = await socket()
    await serve(target)
    cancelled = Promise.withResolvers()
    for await (const answer of open({ target }).serverStream(many, { say: 'endless', times: 1 })) {
      assert.equal(answer.said, 'endless 0')
      break
    }
    await cancelled.promise
  })

  test('both sides talk in one stream', async () => {
    const target = await socket()
    await serve(target)
    const { send, end, answers } = open({ target }).bidi(talk)
    await send({ say: 'a' })
    await send({ say: 'b' })
    end()
    const said: string[] = []
    for await (const answer of answers) said.push(answer.said)
    assert.deepEqual(said, ['re: a', 're: b'])
    await assert.rejects(send({ say: 'late' }), codeOf('peer-unavailable'))
  })

  test('comes back by itself, and says when it was lost', async () => {
    const target = await socket()
    const { stop } = await serve(target)
    const channel = open({ target, reconnectMs: 100 })
    const told: boolean[] = []
    let next = Promise.withResolvers<void>()
    closers.push(
      channel.onConnected((connected) => {
        told.push(connected)
        next.resolve()
      }),
    )
    await next.promise
    next = Promise.withResolvers()
    stop()
    await next.promise
    await assert.rejects(channel.unary(say, { say: 'x' }, { timeoutMs: 500 }), codeOf('peer-unavailable'))
    next = Promise.withResolvers()
    await serve(target)
    await next.promise
    assert.deepEqual(told, [true, false, true])
    assert.deepEqual(await channel.unary(say, { say: 'again' }), { said: 'again' })
  })

  test('trusts the authority that it is given and no other, and logs in', async () => {
    const life = { now: Date.now(), ms: 3_600_000 }
    const [ours, others] = [makeAuthority('one', life), makeAuthority('other', life)]
    const pair = issueLeaf(ours, ['switch.example.org'], life)
    const { l4Port } = await serve(
      '127.0.0.1:0',
      ServerCredentials.createSsl(null, [{ private_key: Buffer.from(pair.key), cert_chain: Buffer.from(pair.cert) }]),
    )
    const peer: Peer = { target: `127.0.0.1:${l4Port}`, login: { user: 'ann', password: 'secret' }, timeoutMs: 2000 }
    assert.deepEqual(await open({ ...peer, tls: { ca: ours.cert, serverName: 'switch.example.org' } }).unary(say, { say: 'who' }), {
      said: 'ann:secret',
    })
    await assert.rejects(
      open({ ...peer, tls: { ca: others.cert, serverName: 'switch.example.org' } }).unary(say, { say: 'who' }),
      codeOf('peer-unavailable'),
    )
    await assert.rejects(
      open({ ...peer, tls: { ca: ours.cert, serverName: 'other.example.org' } }).unary(say, { say: 'who' }),
      codeOf('peer-unavailable'),
    )
    assert.throws(() => openChannel(peer), codeOf('config-invalid'))
  })
})
