// The client of systems elsewhere, against real servers.
import assert from 'node:assert/strict'
import { createServer, type RequestListener, type Server } from 'node:http'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { TurnedClock } from '../../platform/clock.ts'
import { HttpClient, retryOfStatus, type HttpClientOptions, type HttpRequest } from '../../platform/http/client.ts'
import { until } from '../setup/until.ts'

interface Site {
  readonly server: Server
  readonly clock: TurnedClock
  readonly client: HttpClient
  /** A GET of a path. */
  readonly get: (path: string) => HttpRequest
}

async function on(answer: RequestListener, options: Partial<HttpClientOptions>, run: (site: Site) => Promise<void>): Promise<void> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => server.listen(options.socketPath ?? 0, resolve))
  const clock = new TurnedClock()
  const client = new HttpClient({ clock, ...options })
  const place = server.address()
  const origin = typeof place === 'string' ? 'http://localhost' : `http://127.0.0.1:${(place as AddressInfo).port}`
  try {
    await run({ server, clock, client, get: (path) => ({ method: 'GET', url: origin + path }) })
  } finally {
    await client.close()
    server.closeAllConnections()
    server.close()
  }
}

test('an answer is its JSON, or its text where it is none, whatever its status; a redirect is an answer', () =>
  on(
    ({ url = '' }, response) => {
      if (url === '/json?a=1') response.end('{"a":1}')
      else if (url === '/text') response.writeHead(500).end('broken')
      else if (url === '/moved') response.writeHead(302, { location: '/json?a=1' }).end()
    },
    { timeoutMs: 1_000 },
    async ({ client, get }) => {
      const seen: number[] = []
      const answers = [
        await client.ask({ ...get('/json?a=1'), onStatus: (status) => seen.push(status) }),
        await client.ask(get('/text')),
        await client.ask(get('/moved')),
      ]
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body]),
        [
          [200, { a: 1 }],
          [500, 'broken'],
          [302, ''],
        ],
      )
      assert.deepEqual(seen, [200])
    },
  ))

test('requests one after the other use connections that are kept', async () => {
  const ports = new Set<number | undefined>()
  await on(
    ({ socket }, response) => (ports.add(socket.remotePort), response.end('{}')),
    {},
    async ({ client, get }) => {
      for (let i = 0; i < 20; i++) await client.ask(get('/'))
      assert.ok(ports.size <= 2, `${ports.size} of 20`)
    },
  )
})

test('an answer that is not whole within its time is given up, also when some of it has come', async () => {
  let asked = 0
  await on(
    ({ url }, response) => {
      asked++
      if (url === '/half') response.write('{')
    },
    { timeoutMs: 5_000 },
    async ({ client, clock, get }) => {
      for (const [number, path] of ['/none', '/half'].entries()) {
        const refused = assert.rejects(client.ask(get(path)), { name: 'TimeoutError' })
        await until(() => asked === number + 1, 'it is asked')
        clock.advance(5_000)
        await refused
      }
    },
  )
})

test('no more of an answer is read than its size allows', () =>
  on(
    ({ url }, response) => void response.end('x'.repeat(url === '/large' ? 1_025 : 1_024)),
    { answerMaxBytes: 1_024 },
    async ({ client, get }) => {
      assert.equal(String((await client.ask(get('/fits'))).body).length, 1_024)
      await assert.rejects(client.ask(get('/large')), { code: 'UND_ERR_RES_EXCEEDED_MAX_SIZE' })
    },
  ))

test('a stream is read as it comes over a unix socket, has no time of its own, and what is refused instead is an answer', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mz-http-'))
  let ended = false
  try {
    await on(
      (request, response) => {
        if (request.url === '/refused') return void response.writeHead(410).end('{}')
        request.on('close', () => (ended = true))
        response.write('one')
      },
      { socketPath: join(folder, 'socket'), timeoutMs: 1_000 },
      async ({ client, clock, get }) => {
        const stop = new AbortController()
        const stream = await client.open(get('/'), stop.signal)
        assert.ok('chunks' in stream)
        assert.equal(String((await stream.chunks.next()).value), 'one')
        clock.advance(60_000)
        assert.equal(ended, false)
        stream.close()
        await until(() => ended, 'the connection ends')
        const refused = await client.open(get('/refused'), stop.signal)
        assert.ok('status' in refused)
        assert.equal(refused.status, 410)
      },
    )
  } finally {
    await rm(folder, { recursive: true })
  }
})

test('a peer that was late, busy or broken may answer otherwise, and one that refuses will not', () => {
  assert.deepEqual([408, 425, 429, 500, 503].map(retryOfStatus), Array(5).fill('later'))
  assert.deepEqual([400, 401, 403, 404, 409, 422].map(retryOfStatus), Array(6).fill('never'))
})
