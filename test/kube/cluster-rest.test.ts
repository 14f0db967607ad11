// REST of a cluster: callers come with tokens of somebody else's issuer, and what they make stands in the API server.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect } from 'node:tls'
import { after, before, describe, test } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { Agent, fetch } from 'undici'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import { kubeconfigPath, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { network, openTestCluster, served, type TestCluster } from './test-cluster.ts'

const issuer = 'https://issuer.example.org'
const audience = 'megrez'

describe('REST of a cluster', { skip: kubeSkip }, () => {
  let cluster: TestCluster
  let keys: Server
  let agent: Agent
  let url = ''
  let token: (claims: object, audience?: string) => Promise<string>
  before(
    async () => {
      const pair = await generateKeyPair('ES256')
      const set = JSON.stringify({ keys: [{ ...(await exportJWK(pair.publicKey)), kid: '1', alg: 'ES256', use: 'sig' }] })
      keys = createServer((_request, response) => response.setHeader('content-type', 'application/json').end(set)).listen(0, '127.0.0.1')
      await new Promise((resolve) => keys.once('listening', resolve))
      token = (claims, to = audience) =>
        new SignJWT({ ...claims })
          .setProtectedHeader({ alg: 'ES256', kid: '1' })
          .setIssuer(issuer)
          .setAudience(to)
          .setSubject('ops')
          .setIssuedAt()
          .setExpirationTime('10m')
          .sign(pair.privateKey)
      cluster = await openTestCluster({
        tokenIssuer: issuer,
        tokenAudience: audience,
        tokenKeysUrl: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/keys`,
      })
      await cluster.startWorkers()
      agent = new Agent({ connect: { ca: cluster.ca } })
      url = `https://127.0.0.1:${await cluster.webhooks.l4PortOf('restL4Port')}`
    },
    { timeout: 240_000 },
  )
  after(async () => {
    await cluster.close()
    await agent.close()
    keys.close()
  })
  const call = async (
    method: string,
    path: string,
    bearer: string,
    body?: unknown,
  ): Promise<{ readonly status: number; readonly body: Record<string, unknown> }> => {
    const response = await fetch(url + path, {
      method,
      dispatcher: agent,
      headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }

  test('a literal pod is made through the API server, and gets its Port', async () => {
    const space = await network('rest', '10.1.0.0/24')
    const admin = await token({ scope: 'admin' })
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'c', image: 'example.org/c' }], vpc: 'v', nics: [{ subnet: 's', ip: '10.1.0.9' }] },
    }
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

  test("a client of SOL is told with what it came with, which is kept in Megrez's own namespace and goes with its subscription", async () => {
    const space = await newNamespace('rest')
    const heard: string[] = []
    const sink = createServer((request, response) => {
      heard.push(`${request.method} ${request.headers.authorization}`)
      response.writeHead(204).end()
    }).listen(0, '127.0.0.1')
    await once(sink, 'listening')
    try {
      const operator = await token({ scope: 'operator', namespaces: [space] })
      const body = {
        callbackUri: `http://127.0.0.1:${(sink.address() as AddressInfo).port}/`,
        authentication: { authType: ['BASIC'], paramsBasic: { userName: 'u', password: 'p' } },
      }
      const made = await call('POST', `/v1/namespaces/${space}/sol/subscriptions`, operator, body)
      assert.equal(made.status, 201, JSON.stringify(made.body))
      assert.deepEqual(heard, ['GET Basic dTpw'])
      const one = `/v1/namespaces/${space}/sol/subscriptions/${String(made.body['id'])}`
      assert.deepEqual((await call('GET', one, operator)).body, made.body)
      const secrets = async (): Promise<string> => kubectl(['get', 'secrets', '-A', '-o', 'name'])
      assert.match(await secrets(), /credentials-sol-/)
      assert.equal((await kubectl(['get', 'secrets', '-n', space, '-o', 'name'])).trim(), '')
      assert.equal(
        (await fetch(url + one, { method: 'DELETE', dispatcher: agent, headers: { authorization: `Bearer ${operator}` } })).status,
        204,
      )
      await until(async () => !/credentials-sol-|subscription-sol-/.test(await secrets()), 'its credentials are gone')
    } finally {
      sink.close()
    }
  })

  test('tokens for others, of viewers and for other namespaces get no further', async () => {
    const vpc = { apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', metadata: { name: 'x' }, spec: {} }
    assert.equal((await call('GET', '/v1/vpcs', await token({ scope: 'admin' }, 'somebody-else'))).status, 401)
    assert.equal((await call('POST', '/v1/namespaces/default/vpcs', await token({ scope: 'viewer' }), vpc)).status, 403)
    assert.equal((await call('GET', '/v1/namespaces/default/vpcs', await token({ scope: 'admin', namespaces: ['other'] }))).status, 403)
  })

  const vpc = (name: string, more: object = {}) => ({
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'SecurityGroup',
    metadata: { name, ...more },
    spec: {},
  })
  const stored = async (space: string, name: string) =>
    (
      JSON.parse(await kubectl(['get', 'securitygroup', name, '-n', space, '-o', 'json'])) as {
        metadata: { annotations?: Record<string, string>; managedFields?: unknown }
      }
    ).metadata

  test('what somebody of another issuer makes says for whom it was made, whatever he says himself', async () => {
    const space = await newNamespace('rest')
    const operator = await token({ scope: 'operator', namespaces: [space] })
    const made = await call(
      'POST',
      `/v1/namespaces/${space}/securitygroups`,
      operator,
      vpc('his', { annotations: { 'megrez.io/requested-by': 'somebody-else', note: 'kept' } }),
    )
    assert.equal(made.status, 201, JSON.stringify(made.body))
    assert.partialDeepStrictEqual((await stored(space, 'his')).annotations, {
      'megrez.io/requested-by': `megrez:${issuer}#ops`,
      note: 'kept',
    })
    assert.equal(
      (await call('POST', `/v1/namespaces/${space}/vpcs`, operator, { ...vpc('v'), kind: 'Vpc' })).status,
      403,
      'an operator makes no networks',
    )
  })

  test('nobody else says for whom something was made, and everybody else may change the rest of it', async () => {
    const space = await newNamespace('rest')
    const by = 'megrez.io/requested-by'
    const operator = await token({ scope: 'operator', namespaces: [space] })
    assert.equal((await call('POST', `/v1/namespaces/${space}/securitygroups`, operator, vpc('his'))).status, 201)
    const annotate = async (...changes: readonly string[]): Promise<string> =>
      (await tryKubectl(['annotate', 'securitygroup', 'his', '-n', space, '--overwrite', ...changes])).stderr
    await until(
      async () => /requested-by: is written by Megrez alone/.test(await annotate(`${by}=somebody-else`, '--dry-run=server')),
      'the policy is in force',
    )
    assert.match(await annotate(`${by}-`), /is written by Megrez alone/)
    assert.equal(await annotate('note=mine'), '')
    const forged = await tryKubectl(['create', '-n', space, '-f', '-'], {
      input: JSON.stringify(vpc('forged', { annotations: { [by]: 'somebody-else' } })),
    })
    assert.match(forged.stderr, /is written by Megrez alone/)
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: 'forged', annotations: { [by]: 'somebody-else' } },
      spec: { containers: [{ name: 'c', image: 'example.org/c' }] },
    }
    assert.match(
      (await tryKubectl(['create', '-n', space, '-f', '-'], { input: JSON.stringify(pod) })).stderr,
      /is written by Megrez alone/,
    )
    assert.partialDeepStrictEqual((await stored(space, 'his')).annotations, { [by]: `megrez:${issuer}#ops`, note: 'mine' })
  })

  test('an account of the cluster is passed through: the API server says what it may, and knows who it was', async () => {
    const [space, other] = [await newNamespace('rest'), await newNamespace('rest')]
    await kubectl(['create', 'serviceaccount', 'ecs', '-n', space])
    const account = (await kubectl(['create', 'token', 'ecs', '-n', space])).trim()
    const path = `/v1/namespaces/${space}/securitygroups`
    assert.equal((await call('GET', path, account)).status, 403)
    assert.deepEqual(
      [
        (await call('GET', `${path}?watch=true`, account)).status,
        (await call('GET', `${path}?watch=true&resourceVersion=1`, account)).status,
      ],
      [403, 403],
      'a watch is refused as a list is',
    )
    assert.equal((await call('POST', path, account, vpc('a'))).status, 403)
    await kubectl(['create', 'rolebinding', 'ecs', '-n', space, '--clusterrole=megrez-rest-write', `--serviceaccount=${space}:ecs`])
    await kubectl(['create', 'rolebinding', 'ecs-read', '-n', space, '--clusterrole=megrez-rest-read', `--serviceaccount=${space}:ecs`])
    await until(async () => (await call('POST', path, account, vpc('a'))).status === 201, 'the binding is known', 30_000)
    assert.equal((await stored(space, 'a')).annotations?.['megrez.io/requested-by'], undefined, 'it wrote under its own name')
    const listed = await call('GET', path, account)
    assert.deepEqual(
      (listed.body['items'] as { metadata: { name: string } }[]).map(({ metadata }) => metadata.name),
      ['a'],
    )
    await endsWithItsRight({ account, path, space })
    for (const refused of [
      await call('GET', `/v1/namespaces/${other}/securitygroups`, account),
      await call('GET', `/v1/namespaces/${other}/securitygroups?watch=true`, account),
      await call('GET', '/v1/securitygroups', account),
      await call('POST', `/v1/namespaces/${other}/securitygroups`, account, vpc('a')),
      await call('GET', `/v1/namespaces/${other}/securitygroups/none`, account),
    ]) {
      assert.deepEqual([refused.status, refused.body['code']], [403, 'forbidden'])
    }
  })

  /** A watch that stands is asked for anew by us now and then: who has lost the right by then is let go, and refused when he comes back. */
  async function endsWithItsRight({
    account,
    path,
    space,
  }: {
    readonly account: string
    readonly path: string
    readonly space: string
  }): Promise<void> {
    const store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    const stop = new AbortController()
    try {
      const watched = store.as(`Bearer ${account}`).watch('SecurityGroup', { namespace: space }, stop.signal)[Symbol.asyncIterator]()
      assert.equal(((await watched.next()) as { value: { type: string } }).value.type, 'all')
      await kubectl(['delete', 'rolebinding', 'ecs-read', '-n', space])
      await until(async () => (await call('GET', path, account)).status === 403, 'the right is gone', 30_000)
      const anew = store.as(`Bearer ${account}`).watch('SecurityGroup', { namespace: space }, stop.signal)[Symbol.asyncIterator]()
      await assert.rejects(async () => anew.next(), { code: 'forbidden' })
      await until(async () => (await call('GET', `${path}?watch=true`, account)).status === 403, 'the watch is refused too', 30_000)
    } finally {
      stop.abort()
      await store.close()
    }
  }

  test("an account's token for somebody else, changed, or of an account that is gone is refused", async () => {
    const space = await newNamespace('rest')
    await kubectl(['create', 'serviceaccount', 'brief', '-n', space])
    const path = `/v1/namespaces/${space}/securitygroups`
    const elsewhere = (await kubectl(['create', 'token', 'brief', '-n', space, '--audience=vault'])).trim()
    const [head, , signature] = (await kubectl(['create', 'token', 'brief', '-n', space])).trim().split('.')
    const forged = `${head}.${Buffer.from(JSON.stringify({ iss: 'x', sub: 'system:serviceaccount:kube-system:admin', exp: 9e9, iat: 1 })).toString('base64url')}.${signature}`
    const gone = (await kubectl(['create', 'token', 'brief', '-n', space])).trim()
    await kubectl(['delete', 'serviceaccount', 'brief', '-n', space])
    for (const bad of [elsewhere, forged, gone]) assert.equal((await call('GET', path, bad)).status, 401)
  })

  test('the API server is asked about everybody whom it does not know: what it no longer allows is refused', async () => {
    const space = await newNamespace('rest')
    const admin = await token({ scope: 'admin' })
    const path = `/v1/namespaces/${space}/securitygroups`
    assert.equal((await call('POST', path, admin, vpc('before'))).status, 201)
    await kubectl(['delete', 'clusterrolebinding', 'megrez-rest-write'])
    await until(async () => (await call('POST', `${path}?dryRun=true`, admin, vpc('after'))).status === 403, 'the refusal is heard', 60_000)
    assert.equal((await call('GET', path, admin)).status, 200)
  })

  test('a certificate that was replaced is shown to whoever connects after that, without a restart', async () => {
    const { fingerprint } = await cluster.renew()
    const l4Port = await cluster.webhooks.l4PortOf('admissionL4Port')
    const shown = (at: number): Promise<string | undefined> =>
      new Promise((resolve, reject) => {
        const socket = connect({ host: '127.0.0.1', port: at, ca: cluster.ca }, () => {
          resolve(socket.getPeerX509Certificate()?.fingerprint256)
          socket.destroy()
        })
        socket.once('error', reject)
      })
    for (const at of [l4Port, Number(new URL(url).port)])
      await until(async () => (await shown(at)) === fingerprint, 'the new certificate is shown', 30_000)
  })
})
