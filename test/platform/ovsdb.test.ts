// The client against a server in this process that speaks JSON-RPC and can fall silent; test/node has it on a real ovsdb-server.
import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import { JsonFrames } from '../../core/wire/ovsdb/json-frames.ts'
import { OvsdbRefused, OvsdbStale, OvsdbUnavailable } from '../../core/errors.ts'
import { parseOvsdbAddress } from '../../platform/ovsdb/address.ts'
import { Ovsdb } from '../../platform/ovsdb/database.ts'
import { silentLog } from '../../platform/log.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { until } from '../setup/until.ts'

interface RpcRequest {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

/** Answers as told; `undefined` is silence. */
async function double(
  answer: (asked: RpcRequest, socket: Socket) => unknown,
): Promise<{ address: string; asked: RpcRequest[]; server: Server; drop: () => void }> {
  const sockets = new Set<Socket>()
  const asked: RpcRequest[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    const frames = new JsonFrames()
    socket.on('error', () => undefined)
    socket.on('data', (piece) => {
      for (const message of frames.push(piece.toString()) as RpcRequest[]) {
        asked.push(message)
        const said = answer(message, socket)
        if (said !== undefined) socket.write(JSON.stringify({ id: message.id, result: null, error: null, ...(said as object) }))
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    server,
    drop: () => {
      for (const socket of sockets) socket.destroy()
    },
  }
}

const schema = { tables: { T: { columns: { name: { type: 'string' }, n: { type: 'integer' } } } } }
const usual = ({ method }: RpcRequest): unknown => {
  if (method === 'get_schema') return { result: schema }
  if (method === 'monitor_cond') return { result: { T: { a: { initial: { name: 'a' } } } } }
  return { result: [] }
}
const open = (address: string, clock = new TurnedClock()): Ovsdb =>
  new Ovsdb({ address, database: 'D', tables: { T: ['name', 'n'] }, log: silentLog(), clock, random: () => 0, probeMs: 1_000 })
const soon = (): AbortSignal => AbortSignal.timeout(5_000)

test('rows are there once it is in step, and follow updates, also one that comes in one piece with the first state', async () => {
  const { address, server } = await double((asked, socket) => {
    if (asked.method !== 'monitor_cond') return usual(asked)
    const first = { id: asked.id, error: null, result: { T: { a: { initial: { name: 'a' } } } } }
    socket.write(
      JSON.stringify(first) + JSON.stringify({ id: null, method: 'update2', params: ['megrez', { T: { a: { modify: { n: 5 } } } }] }),
    )
    return undefined
  })
  const db = open(address)
  await db.ready(soon())
  assert.deepEqual(db.rows('T').get('a'), { name: 'a', n: 5 })
  db.close()
  server.close()
})

test('a server without monitor_cond is asked for the older monitor', async () => {
  const { address, server } = await double((asked) => {
    if (asked.method === 'monitor_cond') return { error: 'unknown method' }
    return asked.method === 'monitor' ? { result: { T: { a: { new: { name: 'a', n: 1 } } } } } : usual(asked)
  })
  const db = open(address)
  await db.ready(soon())
  assert.deepEqual(db.rows('T').get('a'), { name: 'a', n: 1 })
  db.close()
  server.close()
})

test('after a cut it connects again, reads anew and says so; meanwhile it has no rows and refuses transactions', async () => {
  const { address, server, drop, asked } = await double(usual)
  const clock = new TurnedClock()
  const db = open(address, clock)
  await db.ready(soon())
  let times = 0
  db.on((change) => {
    if (change === 'all') times++
  })
  drop()
  await until(() => db.problem() !== undefined, 'the cut is seen')
  assert.equal(db.rows('T').size, 0)
  await assert.rejects(db.transact([]), OvsdbUnavailable)
  clock.advance(100)
  await db.ready(soon())
  assert.deepEqual([times, db.rows('T').size, asked.filter(({ method }) => method === 'monitor_cond').length], [1, 1, 2])
  db.close()
  server.close()
})

test('a server that is silent is asked for an echo, then given up; one that echoes is kept', async () => {
  let silent = false
  const { address, server, asked } = await double((message) => (silent ? undefined : usual(message)))
  const clock = new TurnedClock()
  const db = open(address, clock)
  await db.ready(soon())
  const echoes = (): number => asked.filter(({ method }) => method === 'echo').length
  for (let round = 1; round <= 3; round++) {
    clock.advance(1_000)
    if (echoes() < round) clock.advance(1_000)
    await until(() => echoes() >= round, 'it asks')
    // The answer is on its way: it has been heard once a transaction after it is answered.
    await db.transact([])
  }
  assert.equal(db.problem(), undefined)
  silent = true
  for (let i = 0; i < 4; i++) clock.advance(1_000)
  await until(() => db.problem() !== undefined, 'it gives up')
  db.close()
  server.close()
})

test('a request of the server for an echo is answered', async () => {
  const answers: unknown[] = []
  const { address, server } = await double((message, socket) => {
    if (message.method === 'monitor_cond') setImmediate(() => socket.write('{"id":"e","method":"echo","params":["x"]}'))
    if (message.id === 'e') answers.push(message)
    return message.id === 'e' ? undefined : usual(message)
  })
  const db = open(address)
  await until(() => answers.length === 1, 'it answers')
  assert.deepEqual(answers, [{ id: 'e', result: ['x'], error: null }])
  db.close()
  server.close()
})

test("faults of a transaction are errors with the operation and the server's words", async () => {
  let result: unknown
  const { address, server } = await double((asked) => (asked.method === 'transact' ? { result } : usual(asked)))
  const db = open(address)
  await db.ready(soon())
  const remove = { op: 'delete', table: 'T', where: [] } as const
  result = [{ error: 'constraint violation', details: 'no' }]
  await assert.rejects(
    db.transact([remove]),
    (err: Error) => err instanceof OvsdbRefused && /delete of T: constraint violation: no/.test(err.message),
  )
  result = [{ count: 1 }, { error: 'referential integrity violation' }]
  await assert.rejects(db.transact([remove]), /the commit: referential integrity/)
  result = [{ error: 'timed out' }]
  await assert.rejects(db.transact([remove]), OvsdbStale)
  db.close()
  server.close()
})

test('waiting for a row ends with the row, or with the signal and what was missing', async () => {
  const { address, server } = await double(usual)
  const db = open(address)
  assert.equal(await db.until(() => db.rows('T').get('a')?.name, 'no a', soon()), 'a')
  await assert.rejects(
    db.until(() => db.rows('T').get('b'), 'no row b', AbortSignal.timeout(20)),
    /no row b/,
  )
  db.close()
  server.close()
})

test('something that is no OVSDB server is given up', async () => {
  const { address, server } = await double((_, socket) => void socket.write('HTTP/1.1 400 Bad Request\r\n'))
  const db = open(address)
  await until(() => /object was expected/.test(db.problem() ?? ''), 'it says so')
  db.close()
  server.close()
})

test('addresses are those of Open vSwitch', () => {
  assert.deepEqual(parseOvsdbAddress('unix:/run/db.sock'), { kind: 'unix', path: '/run/db.sock' })
  assert.deepEqual(parseOvsdbAddress('ssl:[2001:db8::1]:6640'), { kind: 'ssl', host: '2001:db8::1', l4Port: 6640 })
  assert.deepEqual(parseOvsdbAddress('tcp:switch.example.org:6640'), { kind: 'tcp', host: 'switch.example.org', l4Port: 6640 })
  for (const bad of ['', 'unix:', 'tcp:a', 'tcp:a:0', 'tcp:a:70000', 'http://a', 'tcp:::1:6640'])
    assert.equal(parseOvsdbAddress(bad), undefined, bad)
})
