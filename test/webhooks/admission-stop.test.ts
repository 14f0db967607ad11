import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { Certificates } from '../../platform/tls.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { openKeyring, type Keyring } from '../../platform/tls/keyring.ts'
import { furnish, openAdmission, podWith, reviewOf, type AdmissionTestServer } from './admission-test-server.ts'

let cluster: AdmissionTestServer
let folder: string
let keyring: Keyring
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-stop-'))
  cluster = await openAdmission({ clock: realClock })
  await furnish(cluster)
  keyring = await openKeyring(folder, { names: ['127.0.0.1'], clock: realClock, random: Math.random, log: silentLog() })
})
after(async () => {
  keyring.close()
  await cluster.close()
  await rm(folder, { recursive: true })
})

const body = JSON.stringify(reviewOf(podWith(undefined)))
interface HttpAnswer {
  readonly status: number
  readonly connection: string | undefined
  readonly text: string
}
function post(agent: Agent, l4Port: number, path = '/mutate-pods'): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        agent,
        host: '127.0.0.1',
        port: l4Port,
        path,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': body.length },
      },
      (answer) => {
        let text = ''
        answer.on('data', (piece) => (text += String(piece)))
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, connection: answer.headers.connection, text }))
        answer.on('error', reject)
      },
    )
    sent.on('error', reject)
    sent.end(body)
  })
}
const listening = async (server: ReturnType<AdmissionTestServer['server']>): Promise<number> => {
  await server.listen({ host: '127.0.0.1', port: 0 })
  return (server.server.address() as AddressInfo).port
}

/** Clients that keep their connections and send one review after another, until told to stop; an old one is used until it says goodbye. */
function load(
  l4Port: number,
  ca: () => string,
  clients: number,
): { readonly stop: () => Promise<{ answered: number; failures: unknown[] }> } {
  let going = true
  const failures: unknown[] = []
  let answered = 0
  const client = async (): Promise<void> => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1, ca: ca() })
    while (going) {
      try {
        const { status, connection } = await post(agent, l4Port)
        if (status !== 200) failures.push(status)
        answered++
        // The server said goodbye: a real client goes to another server, as the endpoint has gone by then.
        if (connection === 'close') break
      } catch (err) {
        failures.push(err)
      }
    }
    agent.destroy()
  }
  const all = Promise.all(Array.from({ length: clients }, client))
  return {
    async stop() {
      going = false
      await all
      return { answered, failures }
    },
  }
}

test('stopping under load loses no review: not ready at once, every connection told, then closed', async () => {
  const server = cluster.server({ certificate: keyring })
  const l4Port = await listening(server)
  const clients = load(l4Port, keyring.bundle, 16)
  // Idle too long to hear goodbye: the hard case, served until the end.
  const idle = new Agent({ keepAlive: true, maxSockets: 1, ca: keyring.bundle() })
  await post(idle, l4Port)
  const stopped = server.gently.stop()
  assert.equal((await server.inject('/readyz')).statusCode, 503)
  const late = await post(idle, l4Port)
  assert.deepEqual([late.status, late.connection], [200, 'close'])
  const { answered, failures: faults } = await clients.stop()
  await stopped
  assert.deepEqual(faults, [])
  assert.ok(answered >= 16)
  assert.equal(server.server.listening, false)
  idle.destroy()
})

test('a review that is being judged when the server closes is answered', async () => {
  let release = (): void => undefined
  const held = new Promise<void>((resolve) => (release = resolve))
  let asked = (): void => undefined
  const reached = new Promise<void>((resolve) => (asked = resolve))
  const store = {
    ...cluster.store,
    async get() {
      asked()
      await held
      return undefined
    },
    create: cluster.store.create.bind(cluster.store),
  } as unknown as typeof cluster.store
  const server = cluster.server({ certificate: keyring, store, lingerMs: 1 })
  const l4Port = await listening(server)
  const agent = new Agent({ keepAlive: true, ca: keyring.bundle() })
  const fixed = JSON.stringify(reviewOf(podWith([{ ip: '10.0.0.71' }])))
  const answer = new Promise<number>((resolve, reject) => {
    const sent = request(
      { agent, host: '127.0.0.1', port: l4Port, path: '/validate-pods', method: 'POST', headers: { 'content-type': 'application/json' } },
      (got) => {
        got.resume()
        got.on('end', () => resolve(got.statusCode ?? 0))
      },
    )
    sent.on('error', reject)
    sent.end(fixed)
  })
  await reached
  const stopped = server.gently.stop()
  await once(server.server, 'close', { signal: AbortSignal.timeout(50) }).catch(() => undefined)
  release()
  assert.equal(await answer, 200)
  await stopped
  agent.destroy()
})

test('a hundred certificates and two authorities under load: no handshake fails, no connection breaks', async () => {
  const hour = 3_600_000
  const now = Date.now()
  const [one, two] = [makeAuthority('one', { now, ms: hour }), makeAuthority('two', { now, ms: hour })]
  const leaf = (by: typeof one): ReturnType<typeof issueLeaf> => issueLeaf(by, ['127.0.0.1'], { now, ms: hour })
  const source = new Certificates(leaf(one))
  const server = cluster.server({ certificate: source, lingerMs: 1 })
  const l4Port = await listening(server)
  // Both authorities are published before the second signs.
  const bundle = one.cert + two.cert
  const clients = load(l4Port, () => bundle, 4)
  for (let i = 0; i < 100; i++) {
    source.set(leaf(i < 50 ? one : two))
    const agent = new Agent({ keepAlive: false, ca: bundle })
    assert.equal((await post(agent, l4Port)).status, 200)
    agent.destroy()
  }
  const fresh = new Agent({ keepAlive: false, ca: one.cert })
  await assert.rejects(post(fresh, l4Port), /certificate|issuer/, 'the last certificate is not the one that is shown')
  const { failures: faults } = await clients.stop()
  assert.deepEqual(faults, [])
  await server.gently.stop()
})
