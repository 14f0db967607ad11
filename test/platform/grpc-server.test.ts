import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { connect as connectSocket, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, test } from 'node:test'
import { Client, credentials, Metadata, type ServiceError } from '@grpc/grpc-js'
import { ChainRefused, Invalid } from '../../core/errors.ts'
import { define, string, uint32 } from '../../core/wire/protobuf/protobuf.ts'
import { realClock } from '../../platform/clock.ts'
import { certificateOf, type ServedCall } from '../../platform/grpc/caller.ts'
import { openChannel, type Channel, type Peer } from '../../platform/grpc/channel.ts'
import { serverStream, unary, type ServedHandler } from '../../platform/grpc/handlers.ts'
import { listenGrpc, placeOf, type GrpcListen, type GrpcListening } from '../../platform/grpc/listen-grpc.ts'
import { method } from '../../platform/grpc/method.ts'
import { silentLog } from '../../platform/log.ts'
import { issueLeaf, makeAuthority, type Issued } from '../../platform/tls/authority.ts'
import { Certificates } from '../../platform/tls.ts'
import { until } from '../setup/until.ts'

const Ask = define('t.Ask', { say: string(1), times: uint32(2) })
const Answer = define('t.Answer', { said: string(1) })
const say = method('t.Echo', 'Say', Ask, Answer)
const many = method('t.Echo', 'Many', Ask, Answer)
const check = method(
  'grpc.health.v1.Health',
  'Check',
  define('grpc.health.v1.HealthCheckRequest', { service: string(1) }),
  define('grpc.health.v1.HealthCheckResponse', { status: uint32(1) }),
)

/** What the handlers saw. */
let calls: ServedCall[] = []
let left = 0
const handlers: readonly ServedHandler[] = [
  unary(say, async ({ say: text }, call) => {
    calls.push(call)
    call.header('path', `of ${text}`)
    if (text === 'silence') await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()))
    if (text === 'chain') throw new ChainRefused({ reason: 'no candidates found' })
    if (text === 'invalid') throw new Invalid({ reason: 'not so' })
    if (text === 'fault') throw new TypeError('a secret')
    return { said: `${text} ${call.metadata('x').join()}` }
  }),
  serverStream(many, async function* ({ say: text, times }, call) {
    calls.push(call)
    try {
      for (let i = 0; i < times; i++) yield { said: `${text} ${i}` }
      if (text === 'broken') throw new ChainRefused({ reason: 'half way' })
      if (text === 'endless') await new Promise<void>((resolve) => call.signal.addEventListener('abort', () => resolve()))
    } finally {
      left++
    }
  }),
]

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
  calls = []
  left = 0
})

async function serve(more: Partial<GrpcListen> = {}): Promise<GrpcListening> {
  const server = await listenGrpc({ address: 'tcp://127.0.0.1:0', handlers, clock: realClock, log: silentLog(), ...more })
  closers.push(() => server.stop(0))
  return server
}
function open(address: string, peer: Partial<Peer> = {}): Channel {
  const channel = openChannel({ target: address.replace('tcp://', '').replace('unix://', 'unix:'), ...peer })
  closers.push(() => channel.close())
  return channel
}
async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'megrez-grpc-'))
  closers.push(() => rm(made, { recursive: true, force: true }))
  return made
}
const life = { now: Date.now(), ms: 3_600_000 }
const authority = makeAuthority('nsm.test', life)
const leaf = (...names: readonly string[]): Issued => issueLeaf(authority, names, life, 'serverAuth', 'clientAuth')
const collected = async <T>(stream: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const each of stream) all.push(each)
  return all
}
const statusOf = async (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'OK',
    (err: { cause?: ServiceError }) => `${err.cause?.code} ${err.cause?.details}`,
  )

describe('a gRPC server', () => {
  test('answers calls and streams, over TCP and a unix socket that only its owner and group may use', async () => {
    const path = join(await folder(), 's')
    for (const address of ['tcp://127.0.0.1:0', `unix://${path}`]) {
      const channel = open((await serve({ address })).address)
      assert.deepEqual(await channel.unary(say, { say: 'hello' }, { headers: { x: 'there' } }), { said: 'hello there' })
      assert.deepEqual(await collected(channel.serverStream(many, { say: 'a', times: 3 })), [
        { said: 'a 0' },
        { said: 'a 1' },
        { said: 'a 2' },
      ])
    }
    assert.equal((await stat(path)).mode & 0o777, 0o660)
    assert.deepEqual(
      calls.map(({ caller }) => caller.address.replace(/:\d+$/, '')),
      ['127.0.0.1', '127.0.0.1', 'unix', 'unix'],
    )
  })

  test('takes the place of a socket that nobody listens on, and of no other', async () => {
    const path = join(await folder(), 's')
    const stale = createServer().listen(path)
    await until(() => stale.listening, 'the other listens')
    await assert.rejects(serve({ address: `unix://${path}` }), /another process listens on/)
    await new Promise((resolve) => stale.close(resolve))
    const first = await serve({ address: `unix://${path}` })
    await assert.rejects(serve({ address: `unix://${path}` }), /another process listens on/)
    await first.stop()
    assert.deepEqual(await open((await serve({ address: `unix://${path}` })).address).unary(say, { say: 'b' }), { said: 'b ' })
  })

  test('knows an address from what is none', () => {
    assert.deepEqual(placeOf('tcp://192.0.2.7:5001'), { host: '192.0.2.7', l4Port: 5001 })
    assert.deepEqual(placeOf(':5001'), { host: undefined, l4Port: 5001 })
    assert.deepEqual(placeOf('tcp://[2001:db8::7]:0'), { host: '2001:db8::7', l4Port: 0 })
    assert.deepEqual(placeOf('unix:///run/x.sock'), { path: '/run/x.sock' })
    for (const none of ['', '5001', 'tcp://a:70000', 'http://a:1', 'unix://x', 'a:b:1', `unix:///${'x'.repeat(120)}`])
      assert.equal(placeOf(none), undefined, none)
  })

  test('says headers with an answer, and errors of ours as statuses; what is a fault stays in the log', async () => {
    const faults: unknown[] = []
    const log = { ...silentLog(), error: (values: { err: unknown }) => void faults.push(values.err) } as ReturnType<typeof silentLog>
    const ended: string[] = []
    const { address } = await serve({ log, ended: (path, code) => void ended.push(`${path} ${code}`) })
    const channel = open(address)
    assert.equal(await statusOf(channel.unary(say, { say: 'chain' })), '2 no candidates found')
    assert.equal(await statusOf(channel.unary(say, { say: 'invalid' })), '3 not so')
    assert.equal(await statusOf(channel.unary(say, { say: 'fault' })), '2 an unexpected fault of Megrez; its log has it')
    assert.deepEqual(faults.map(String), ['TypeError: a secret'])
    assert.equal(await statusOf(collected(channel.serverStream(many, { say: 'broken', times: 1 }))), '2 half way')
    assert.equal(await headerOf(address), 'of h')
    assert.deepEqual(ended, [
      ...['UNKNOWN', 'INVALID_ARGUMENT', 'UNKNOWN'].map((code) => `${say.path} ${code}`),
      `${many.path} UNKNOWN`,
      `${say.path} OK`,
    ])
  })

  test('bytes that are no message are an error of the call', async () => {
    const { address } = await serve()
    const client = new Client(address.replace('tcp://', ''), credentials.createInsecure())
    closers.push(() => client.close())
    const err = await new Promise<ServiceError | null>((resolve) =>
      client.makeUnaryRequest(
        say.path,
        (bytes: Buffer) => bytes,
        (bytes) => bytes,
        Buffer.from([0x0a, 0x7f]),
        (failed) => resolve(failed),
      ),
    )
    assert.equal(err?.code, 3)
    assert.match(err?.details ?? '', /t\.Ask/)
  })

  test('tells a handler the deadline, and that its caller has gone', async () => {
    const channel = open((await serve()).address)
    assert.match(await statusOf(channel.unary(say, { say: 'silence' }, { timeoutMs: 200 })), /^4 /)
    await until(() => calls[0]!.signal.aborted, 'the handler hears of it')
    const left200 = calls[0]!.deadline! - Date.now()
    assert.ok(left200 <= 200, String(left200))
    for await (const { said } of channel.serverStream(many, { say: 'endless', times: 1 })) {
      assert.equal(said, 'endless 0')
      break
    }
    await until(() => left === 1, 'the handler is left')
    assert.equal(calls[1]!.deadline, undefined)
  })

  test('ends streams with OK when it stops, and answers what is under way', async () => {
    const server = await serve()
    const channel = open(server.address)
    const stream = channel.serverStream(many, { say: 'endless', times: 1 })[Symbol.asyncIterator]()
    assert.deepEqual(await stream.next(), { value: { said: 'endless 0' }, done: false })
    await server.stop()
    assert.deepEqual(await stream.next(), { value: undefined, done: true })
    await assert.rejects(channel.unary(say, { say: 'x' }, { timeoutMs: 500 }))
  })

  test('says that it is healthy, of itself and of what it serves', async () => {
    const channel = open((await serve()).address)
    for (const service of ['', 't.Echo']) assert.deepEqual(await channel.unary(check, { service }), { status: 1 })
    assert.match(await statusOf(channel.unary(check, { service: 't.Other' })), /^5 /)
  })

  test('refuses a request that is too large, more streams than it takes, and more connections', async () => {
    const { address } = await serve({ limits: { messageBytes: 10_000, streams: 2 }, connections: 1 })
    const channel = open(address)
    assert.match(await statusOf(channel.unary(say, { say: 'x'.repeat(20_000) })), /^8 /)
    const streams = [1, 2].map(() => channel.serverStream(many, { say: 'endless', times: 1 })[Symbol.asyncIterator]())
    for (const each of streams) await each.next()
    await assert.rejects(channel.unary(say, { say: 'third' }, { timeoutMs: 300 }), /DEADLINE_EXCEEDED/)
    await streams[0]!.return?.(undefined)
    await until(async () => (await statusOf(channel.unary(say, { say: 'third' }))) === 'OK', 'there is room')
    const second = await connected(address)
    await until(() => second.destroyed, 'the second connection is closed')
  })

  test('reads no faster than its caller', async () => {
    const { address } = await serve()
    const channel = open(address)
    const stream = channel.serverStream(many, { say: 'x'.repeat(10_000), times: 20_000 })[Symbol.asyncIterator]()
    await stream.next()
    await stream.return?.(undefined)
    await until(() => left === 1, 'the handler is left')
  })
})

describe('a gRPC server with certificates', () => {
  const server = 'spiffe://nsm.test/registry'
  const tls = { ca: authority.cert, serverName: 'localhost' }

  test('knows a caller by the SPIFFE id of its certificate, and hears nobody without one', async () => {
    const certificate = new Certificates({ ...leaf('localhost', server), clientCa: authority.cert })
    const { address } = await serve({ certificate })
    const own = leaf('spiffe://nsm.test/client')
    await open(address, { tls: { ...tls, pair: own } }).unary(say, { say: 'a' })
    assert.equal(calls[0]!.caller.certificate?.spiffeId, 'spiffe://nsm.test/client')
    assert.equal(calls[0]!.caller.certificate?.until, own.until)
    await assert.rejects(open(address, { tls }).unary(say, { say: 'b' }, { timeoutMs: 500 }))
    const stranger = issueLeaf(makeAuthority('other', life), ['spiffe://nsm.test/client'], life, 'clientAuth')
    await assert.rejects(open(address, { tls: { ...tls, pair: stranger } }).unary(say, { say: 'c' }, { timeoutMs: 500 }))
    await assert.rejects(open(address).unary(say, { say: 'd' }, { timeoutMs: 500 }))
    assert.equal(calls.length, 1)
  })

  test('shows the next certificate to who comes next, and judges by the next authority', async () => {
    const first = leaf('localhost', server)
    const certificate = new Certificates({ ...first, clientCa: authority.cert })
    const { address } = await serve({ certificate })
    const connected = open(address, { tls: { ...tls, pair: leaf('spiffe://nsm.test/client') } })
    await connected.unary(say, { say: 'a' })
    const next = makeAuthority('next', life)
    certificate.set({ ...issueLeaf(next, ['localhost'], life), clientCa: next.cert })
    await connected.unary(say, { say: 'b' })
    const pair = issueLeaf(next, ['spiffe://nsm.test/next'], life, 'clientAuth')
    await open(address, { tls: { ca: next.cert, serverName: 'localhost', pair } }).unary(say, { say: 'c' })
    assert.equal(calls[2]!.caller.certificate?.spiffeId, 'spiffe://nsm.test/next')
    await assert.rejects(
      open(address, { tls: { ...tls, pair: leaf('spiffe://nsm.test/client') } }).unary(say, { say: 'd' }, { timeoutMs: 500 }),
    )
  })

  test('takes one SPIFFE id from a certificate, and none where there are two or what it names is no id', () => {
    const idOf = (...names: readonly string[]): string | undefined => certificateOf(new X509Certificate(leaf(...names).cert)).spiffeId
    assert.equal(idOf('localhost', '127.0.0.1', 'spiffe://nsm.test/a/b.c'), 'spiffe://nsm.test/a/b.c')
    assert.equal(idOf('localhost'), undefined)
    assert.equal(idOf('spiffe://nsm.test/a', 'spiffe://nsm.test/b'), undefined)
    for (const none of [
      'spiffe://nsm.test/a, URI:spiffe://nsm.test/b',
      'spiffe://Nsm.test/a',
      'spiffe://nsm.test/../b',
      'spiffe://nsm.test/a/',
    ])
      assert.equal(idOf(none), undefined, none)
  })
})

function headerOf(address: string): Promise<string> {
  const client = new Client(address.replace('tcp://', ''), credentials.createInsecure())
  closers.push(() => client.close())
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      say.path,
      (text: string) => Buffer.from(Ask.encode({ say: text })),
      (bytes) => bytes,
      'h',
      new Metadata(),
      (err) => void (err && reject(err)),
    )
    call.on('metadata', (metadata: Metadata) => resolve(metadata.get('path').join()))
  })
}

function connected(address: string): Promise<Socket> {
  const { hostname, port } = new URL(address.replace('tcp:', 'http:'))
  return new Promise((resolve) => {
    const socket = connectSocket(Number(port), hostname, () => resolve(socket))
    socket.on('error', () => undefined)
    socket.resume()
  })
}
