// What a client keeps open without asking holds up no stop: in the clear and over TLS, before and after its handshake.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import type { FastifyInstance } from 'fastify'
import { realClock, TurnedClock } from '../../platform/clock.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { Certificates } from '../../platform/tls.ts'
import { until } from '../setup/until.ts'
import { openAdmission, type AdmissionTestServer } from './admission-test-server.ts'
import { openHarness, type Harness } from './rest-harness.ts'

const life = { now: Date.now(), ms: 3_600_000 }
const authority = makeAuthority('spare', life)
const certificate = new Certificates(issueLeaf(authority, ['127.0.0.1'], life))
const hello = 'GET /openapi.json HTTP/1.1\r\nhost: x\r\n\r\n'

let cluster: AdmissionTestServer
let rest: Harness
before(async () => {
  cluster = await openAdmission({ clock: realClock })
  rest = await openHarness()
})
after(async () => {
  await cluster.close()
  await rest.close()
})

const l4PortOf = async (app: FastifyInstance): Promise<number> => {
  await app.listen({ host: '127.0.0.1', port: 0 })
  return (app.server.address() as AddressInfo).port
}
/** Ends as a client's socket does that the server has closed. */
const ended = async (socket: Socket): Promise<void> => {
  socket.resume()
  if (!socket.closed) await once(socket, 'close')
}
const opened = async (socket: Socket, event: string): Promise<Socket> => {
  await once(
    socket.on('error', () => undefined),
    event,
  )
  return socket
}
const bare = (l4Port: number): Promise<Socket> => opened(connect(l4Port, '127.0.0.1'), 'connect')
const secured = (l4Port: number): Promise<Socket> =>
  opened(connectTls({ host: '127.0.0.1', port: l4Port, ca: authority.cert }), 'secureConnect')
/** Asked once, then kept. */
const kept = async (socket: Socket): Promise<Socket> => {
  socket.write(hello)
  await once(socket, 'data')
  return socket
}

describe('a stop is held up', { timeout: 40_000 }, () => {
  const servers = {
    'of REST in the clear': { app: () => rest.another(), ways: [bare] },
    'of REST with a certificate': { app: () => rest.another({ certificate }), ways: [bare, secured] },
    'of admission': { app: () => cluster.server({ certificate, lingerMs: 1 }), ways: [bare, secured] },
  }
  for (const [name, { app, ways }] of Object.entries(servers)) {
    test(`${name}: by no connection on which nothing was asked, or nothing more`, async () => {
      const server = app()
      const l4Port = await l4PortOf(server)
      const spare = await Promise.all(ways.map((way) => way(l4Port)))
      spare.push(await kept(await ways.at(-1)!(l4Port)))
      await Promise.all([server.close(), ...spare.map(ended)])
      assert.equal(server.server.listening, false)
    })
  }
  test('by what is half asked no longer than an answer takes', async () => {
    const clock = new TurnedClock(Date.now())
    const server = rest.another({ clock })
    const at = once(server.server, 'connection') as Promise<[Socket]>
    const socket = await kept(await bare(await l4PortOf(server)))
    const [there] = await at
    socket.write(hello.slice(0, 20))
    await until(() => there.bytesRead === hello.length + 20, 'half a request is there')
    let closed = false
    const stopped = server.close().then(() => (closed = true))
    await until(() => !server.server.listening, 'the server stops listening')
    clock.advance(19_000)
    await new Promise((resolve) => setImmediate(resolve))
    assert.equal(closed, false)
    await until(() => {
      clock.advance(1_000)
      return closed
    }, 'the stop ends')
    await Promise.all([stopped, ended(socket)])
  })
})

test('who has just connected when a server stops is still answered', async () => {
  const clock = new TurnedClock(Date.now())
  const server = rest.another({ certificate, clock })
  const l4Port = await l4PortOf(server)
  const [late, spare] = [await secured(l4Port), await secured(l4Port)]
  const stopped = server.close()
  await until(() => !server.server.listening, 'the server stops listening')
  clock.advance(500)
  late.write(hello)
  const [answer] = (await once(late, 'data')) as [Buffer]
  assert.match(String(answer), /^HTTP\/1\.1 200 /)
  clock.advance(1_000)
  await Promise.all([stopped, ended(spare), ended(late)])
})
