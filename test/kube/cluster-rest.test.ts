// REST of a cluster: callers come with tokens of somebody else's issuer, and what they make stands in the API server.
import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { after, before, describe, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Agent, fetch } from 'undici'
import { kubectl, kubeSkip } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { network, openHouse, served, type House } from './cluster-house.ts'

const issuer = 'https://issuer.example.org'
const audience = 'megrez'

describe('REST of a cluster', { skip: kubeSkip }, () => {
  let house: House
  let keys: Server
  let agent: Agent
  let url = ''
  let token: (claims: object, audience?: string) => Promise<string>
  before(async () => {
    const pair = await generateKeyPair('ES256')
    const set = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: '1', alg: 'ES256', use: 'sig' }] })
    keys = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(set)).listen(0, '127.0.0.1')
    await new Promise((resolve) => keys.once('listening', resolve))
    token = (claims, to = audience) => new SignJWT({ ...claims }).setProtectedHeader({ alg: 'ES256', kid: '1' }).setIssuer(issuer).setAudience(to).setSubject('ops').setIssuedAt().setExpirationTime('10m').sign(pair.privateKey)
    house = await openHouse({ tokenIssuer: issuer, tokenAudience: audience, tokenKeysUrl: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys` })
    await house.startWorkers()
    agent = new Agent({ connect: { ca: house.ca } })
    url = `https://127.0.0.1:${await house.webhooks.l4PortOf('restL4Port')}`
  }, { timeout: 240_000 })
  after(async () => {
    await house.close()
    await agent.close()
    keys.close()
  })
  const call = async (method: string, path: string, bearer: string, body?: unknown): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> => {
    const response = await fetch(url + path, { method, dispatcher: agent, headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }, ...(body !== undefined && { body: JSON.stringify(body) }) })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  test('a literal pod is made through the API server, and gets its Port', async () => {
    const space = await network('rest', '10.1.0.0/24')
    const admin = await token({ scope: 'admin' })
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { containers: [{ name: 'c', image: 'example.org/c' }], vpc: 'v', nics: [{ subnet: 's', ip: '10.1.0.9' }] } }
    const made = await call('POST', `/v1/namespaces/${space}/pods`, admin, pod)
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assert.deepEqual((await served(space, 'web')).nics[0]?.addresses, ['10.1.0.9'])
    assert.match(await kubectl(['get', 'pod', 'web', '-n', space, '-o', 'name']), /pod\/web/)
    const ports = await call('GET', `/v1/namespaces/${space}/ports`, admin)
    assert.equal((ports.body['items'] as readonly object[]).length, 1)
    const again = await call('POST', `/v1/namespaces/${space}/pods`, admin, { ...pod, metadata: { name: 'late' } })
    assert.ok(again.status >= 400 && again.status < 500, String(again.status))
    assert.match(JSON.stringify(again.body), /10\.1\.0\.9/)
  })

  test('tokens for others, of viewers and for other namespaces get no further', async () => {
    const vpc = { apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', metadata: { name: 'x' }, spec: {} }
    assert.equal((await call('GET', '/v1/vpcs', await token({ scope: 'admin' }, 'somebody-else'))).status, 401)
    assert.equal((await call('POST', '/v1/namespaces/default/vpcs', await token({ scope: 'viewer' }), vpc)).status, 403)
    assert.equal((await call('GET', '/v1/namespaces/default/vpcs', await token({ scope: 'admin', namespaces: ['other'] }))).status, 403)
  })

  test('a certificate that was replaced is shown to whoever connects after that, without a restart', async () => {
    const { fingerprint } = await house.renew()
    const l4Port = await house.webhooks.l4PortOf('admissionL4Port')
    const shown = (at: number): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port: at, ca: house.ca }, () => {
          resolve(socket.getPeerX509Certificate()?.fingerprint256)
          socket.destroy()
        })
        socket.once('error', reject)
      })
    for (const at of [l4Port, Number(new URL(url).port)]) await until(async () => (await shown(at)) === fingerprint, 'the new certificate is shown', 30_000)
  })
})
