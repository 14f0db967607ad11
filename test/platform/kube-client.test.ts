import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ConfigInvalid, StoreUnavailable } from '../../core/errors.ts'
import { TurnedClock, type Clock } from '../../platform/clock.ts'
import { until } from '../setup/until.ts'
import { KubeClient } from '../../platform/kube/client.ts'
import { inClusterCredentials, kubeconfigCredentials } from '../../platform/kube/credentials.ts'

const ask = { verb: 'get', resource: 'ports', path: '/x' } as const

describe('the REST client', () => {
  const seen: { readonly url: string | undefined; readonly headers: IncomingHttpHeaders; readonly body: string }[] = []
  let answer: (response: ServerResponse) => void = (response) => void response.end('{}')
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (piece: Buffer) => void (body += piece.toString()))
    request.on('end', () => {
      seen.push({ url: request.url, headers: request.headers, body })
      answer(response)
    })
  })
  let url = ''
  before(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  after(() => {
    server.closeAllConnections()
    server.close()
  })

  test('asks for credentials again when they are refused, once, and counts both requests', async () => {
    let refusals = 0
    const client = new KubeClient({
      server: `${url}/behind/a/proxy`,
      tls: {},
      authorization: async (refused) => `Bearer ${refused ? ++refusals : 0}`,
    })
    seen.length = 0
    answer = (response) => void response.writeHead(401).end('{}')
    assert.equal((await client.ask(ask)).status, 401)
    assert.deepEqual(
      seen.map(({ headers }) => headers.authorization),
      ['Bearer 0', 'Bearer 1'],
    )
    assert.equal(seen[0]?.url, '/behind/a/proxy/x')
    assert.deepEqual(client.counts, { 'get ports': 2 })
    await client.close()
  })

  /** A clock that stands, and what is waited for by it. */
  function fakeClock(): { readonly clock: Clock; readonly waits: readonly number[]; readonly advance: (ms: number) => void } {
    const turned = new TurnedClock()
    const waits: number[] = []
    const after: Clock['after'] = (ms, call) => {
      waits.push(ms)
      return turned.after(ms, call)
    }
    return {
      clock: { now: () => turned.now(), elapsed: () => turned.elapsed(), after, soon: (call) => turned.soon(call) },
      waits,
      advance: (ms) => turned.advance(ms),
    }
  }

  test('what the server is too busy for is sent again when it says, with its body, until it is taken', async () => {
    const { clock, waits, advance: turn } = fakeClock()
    const client = new KubeClient({ server: url, tls: {}, authorization: async () => undefined }, { clock, random: () => 1 })
    let busy = 2
    answer = (response) => void (busy-- > 0 ? response.writeHead(429, { 'retry-after': '1' }).end('{}') : response.writeHead(201).end('{}'))
    seen.length = 0
    const asked = client.ask({ ...ask, verb: 'create', body: { a: 1 } })
    for (const tries of [1, 2]) {
      await until(() => waits.length === tries, 'it waits')
      turn(1_249)
      assert.equal(seen.length, tries, 'not before, and with a spread')
      turn(1)
    }
    assert.equal((await asked).status, 201)
    assert.deepEqual(
      seen.map(({ body }) => body),
      Array(3).fill('{"a":1}'),
    )
    assert.deepEqual([client.counts, waits], [{ 'create ports': 3 }, [1_250, 1_250]])
    await client.close()
  })

  test('the refusal of a server that stays busy, asks for more than some seconds, or does not say for how many, is the answer', async () => {
    const { clock, waits, advance: turn } = fakeClock()
    const client = new KubeClient({ server: url, tls: {}, authorization: async () => undefined }, { clock, random: () => 0 })
    for (const [status, headers] of [
      [429, {}],
      [429, { 'retry-after': '60' }],
      [503, { 'retry-after': '1' }],
    ] as const) {
      seen.length = 0
      answer = (response) => void response.writeHead(status, headers).end('{}')
      assert.equal((await client.ask(ask)).status, status)
      assert.equal(seen.length, 1)
    }
    seen.length = 0
    answer = (response) => void response.writeHead(429, { 'retry-after': '1' }).end('{}')
    const asked = client.ask(ask)
    for (let tries = 1; tries <= 8; tries++) {
      await until(() => waits.length === tries, `wait ${tries}`)
      turn(1_000)
    }
    assert.deepEqual([(await asked).status, seen.length], [429, 9])
    await client.close()
  })

  test('who waits for a busy server and is told to stop, stops', async () => {
    const client = new KubeClient({ server: url, tls: {}, authorization: async () => undefined }, { clock: new TurnedClock() })
    answer = (response) => void response.writeHead(429, { 'retry-after': '1' }).end('{}')
    const stop = new AbortController()
    seen.length = 0
    const asked = client.ask(ask, stop.signal)
    const ended = assert.rejects(asked, StoreUnavailable)
    await until(() => seen.length === 1, 'it has asked')
    stop.abort()
    await ended
    await client.close()
  })

  test('a connection over which nothing comes is given up', async () => {
    const client = new KubeClient({ server: url, tls: {}, authorization: async () => undefined }, { timeoutMs: 100 })
    answer = () => undefined
    await assert.rejects(client.ask(ask), StoreUnavailable)
    answer = (response) => void response.writeHead(200).write('{')
    await assert.rejects(client.ask(ask), StoreUnavailable)
    await client.close()
  })

  test('a server that answers nothing, half, or is not there, is the store that does not answer', async () => {
    const client = new KubeClient({ server: url, tls: {}, authorization: async () => undefined })
    answer = (response) => void response.writeHead(200, { 'content-length': '100' }).write('{', () => response.destroy())
    await assert.rejects(client.ask(ask), StoreUnavailable)
    answer = (response) => void response.destroy()
    await assert.rejects(client.ask(ask), StoreUnavailable)
    await client.close()
    const nobody = new KubeClient({ server: 'http://127.0.0.1:1', tls: {}, authorization: async () => undefined })
    await assert.rejects(nobody.ask(ask), /the store does not answer: get ports: /)
    await nobody.close()
  })
})

describe('credentials', () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-account-'))
    await writeFile(join(folder, 'ca.crt'), 'the CA')
    await writeFile(join(folder, 'token'), 'first\n')
  })
  after(() => rm(folder, { recursive: true }))

  test('of the pod we run in: a token that was replaced is read again after ten seconds, or when it was refused', async () => {
    const clock = new TurnedClock()
    const replace = async (text: string): Promise<void> => {
      await writeFile(join(folder, 'next'), text)
      await rename(join(folder, 'next'), join(folder, 'token'))
    }
    const credentials = await inClusterCredentials(
      { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '6443' },
      { folder, clock },
    )
    assert.equal(credentials.server, 'https://[fd00::1]:6443')
    assert.equal(String(credentials.tls.ca), 'the CA')
    assert.equal(await credentials.authorization(false), 'Bearer first')
    await replace('second')
    assert.equal(await credentials.authorization(false), 'Bearer first')
    clock.advance(10_000)
    assert.equal(await credentials.authorization(false), 'Bearer second')
    await replace('third')
    assert.equal(await credentials.authorization(true), 'Bearer third')
  })

  test('of a kubeconfig: its current context, or the one that is named', async () => {
    const path = join(folder, 'config')
    const user = (name: string) => ({ name, user: { token: `token-of-${name}` } })
    await writeFile(
      path,
      JSON.stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'one',
        clusters: [
          {
            name: 'c',
            cluster: { server: 'https://192.0.2.1:6443/', 'certificate-authority-data': Buffer.from('the CA').toString('base64') },
          },
        ],
        users: [user('a'), user('b')],
        contexts: [
          { name: 'one', context: { cluster: 'c', user: 'a' } },
          { name: 'two', context: { cluster: 'c', user: 'b' } },
        ],
      }),
    )
    const one = await kubeconfigCredentials(path)
    assert.equal(one.server, 'https://192.0.2.1:6443')
    assert.equal(String(one.tls.ca), 'the CA')
    assert.equal(await one.authorization(false), 'Bearer token-of-a')
    assert.equal(await (await kubeconfigCredentials(path, { context: 'two' })).authorization(false), 'Bearer token-of-b')
    await assert.rejects(kubeconfigCredentials(path, { context: 'three' }), ConfigInvalid)
  })

  test('outside of a pod and without a kubeconfig: the missing variable is named', async () => {
    await assert.rejects(inClusterCredentials({}), /KUBERNETES_SERVICE_HOST/)
  })
})
