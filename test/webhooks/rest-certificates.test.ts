// Callers who are known by the certificate of their connection. Their certificates are made by openssl: not by code of ours.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import type { FastifyInstance } from 'fastify'
import { request } from 'node:https'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { openHarness, type Harness } from './rest-harness.ts'

const exec = promisify(execFile)
const life = { now: Date.now(), ms: 3_600_000 }

interface Pair {
  readonly cert: string
  readonly key: string
}

describe('a certificate of a client', () => {
  let folder: string
  let rest: Harness
  let app: FastifyInstance
  let ca: string
  let replaced: () => void = () => undefined
  const server = makeAuthority('server', life)
  const make = async (name: string, subject: string, { by = 'ca', days = '1', extensions = '' } = {}): Promise<Pair> => {
    const at = (file: string): string => join(folder, file)
    await exec('openssl', [
      'req',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-keyout',
      at(`${name}.key`),
      '-out',
      at(`${name}.csr`),
      '-subj',
      subject,
    ])
    await writeFile(at(`${name}.ext`), `extendedKeyUsage=clientAuth\n${extensions}`)
    await exec('openssl', [
      'x509',
      '-req',
      '-in',
      at(`${name}.csr`),
      '-CA',
      at(`${by}.crt`),
      '-CAkey',
      at(`${by}.key`),
      '-CAcreateserial',
      '-days',
      days,
      '-out',
      at(`${name}.crt`),
      '-extfile',
      at(`${name}.ext`),
    ])
    return { cert: await readFile(at(`${name}.crt`), 'utf8'), key: await readFile(at(`${name}.key`), 'utf8') }
  }
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-mtls-'))
    for (const name of ['ca', 'other'])
      await exec('openssl', [
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-keyout',
        join(folder, `${name}.key`),
        '-out',
        join(folder, `${name}.crt`),
        '-subj',
        `/CN=${name}`,
        '-days',
        '2',
      ])
    ca = await readFile(join(folder, 'ca.crt'), 'utf8')
    rest = await openHarness()
    const pair = issueLeaf(server, ['127.0.0.1'], life)
    const certificate = {
      current: () => pair,
      on: (told: (now: typeof pair) => void) => ((replaced = () => told(issueLeaf(server, ['127.0.0.1'], life))), () => undefined),
    }
    app = rest.another({ certificate, clientCa: ca })
    await app.listen({ host: '127.0.0.1', port: 0 })
  })
  after(async () => {
    await app.close()
    await rest.close()
    await rm(folder, { recursive: true })
  })
  const ask = (method: string, path: string, pair?: Pair, headers: Record<string, string> = {}): Promise<number> =>
    new Promise((done, failed) => {
      const sent = request(
        {
          method,
          path,
          host: '127.0.0.1',
          port: (app.server.address() as AddressInfo).port,
          ca: server.cert,
          agent: false,
          headers: { 'content-type': 'application/json', ...headers },
          ...pair,
        },
        (answer) => {
          answer.resume().once('end', () => done(answer.statusCode ?? 0))
        },
      )
      sent.once('error', failed)
      sent.end(method === 'POST' ? JSON.stringify({ metadata: { generateName: 'g-' }, spec: {} }) : undefined)
    })

  test('says who calls, and in O what he may', async () => {
    const viewer = await make('viewer', '/CN=nfvo/O=megrez:viewer')
    assert.equal(await ask('GET', '/v1/vpcs', viewer), 200)
    assert.equal(await ask('POST', '/v1/namespaces/blue/securitygroups', viewer), 403)
    const operator = await make('operator', '/CN=ecs/O=others/O=megrez:operator:blue')
    assert.equal(await ask('POST', '/v1/namespaces/blue/securitygroups', operator), 201)
    assert.equal(await ask('POST', '/v1/namespaces/red/securitygroups', operator), 403)
    const workload = await make('workload', '/O=megrez:viewer', { extensions: 'subjectAltName=URI:spiffe://example.org/nfvo\n' })
    assert.equal(await ask('GET', '/v1/vpcs', workload), 200)
  })

  test("of nobody we trust, without a role, an agent's, or none at all, is not enough", async () => {
    const bad = {
      'of another authority': await make('stranger', '/CN=nfvo/O=megrez:admin', { by: 'other' }),
      'without a role': await make('plain', '/CN=nfvo/O=system:masters'),
      'of an agent, who must say which node is his': await make('agent', '/CN=agent/O=megrez:agent'),
      'without a name': await make('nameless', '/O=megrez:admin'),
      'for servers': issueLeaf(server, ['127.0.0.1'], life),
      none: undefined,
    }
    for (const [what, pair] of Object.entries(bad)) assert.equal(await ask('GET', '/v1/vpcs', pair), 401, what)
  })

  test("counts for less than a token, and still counts after the server's own was replaced", async () => {
    const viewer = await make('second', '/CN=nfvo/O=megrez:viewer')
    assert.equal(await ask('GET', '/v1/vpcs', viewer, { authorization: 'Bearer not.a.token' }), 401)
    assert.equal(await ask('POST', '/v1/namespaces/blue/securitygroups', viewer, { authorization: `Bearer ${rest.token}` }), 201)
    replaced()
    assert.equal(await ask('GET', '/v1/vpcs', viewer), 200)
    assert.equal(await ask('GET', '/v1/vpcs'), 401)
  })
})
