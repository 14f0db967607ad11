// REST over the store of a cluster: the same routes, objects in the Kubernetes API.
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { FastifyInstance } from 'fastify'
import { realUids } from '../../platform/chance.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import { networkViewOf } from '../../platform/cache/network-view.ts'
import { catchUpOf } from '../../webhooks/admission/catch-up.ts'
import { Tokens } from '../../webhooks/plugins/auth.ts'
import { openLocalIssuer } from '../../webhooks/plugins/issuer.ts'
import { openSigner } from '../../webhooks/plugins/signer.ts'
import { buildRest } from '../../webhooks/rest/server.ts'
import { installCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { ask, type Answer } from '../webhooks/rest-harness.ts'

interface Meta {
  readonly name: string
  readonly uid: string
  readonly resourceVersion: string
  readonly continue?: string
}

describe('REST in a cluster', { skip: kubeSkip }, () => {
  let app: FastifyInstance
  let store: KubeStore
  let token = ''
  let folder = ''
  let namespace = ''
  const following = new AbortController()
  before(async () => {
    await installCrds()
    namespace = await newNamespace('rest')
    folder = await mkdtemp(join(tmpdir(), 'megrez-rest-'))
    store = await openKubeStore({ kubeconfig: String(kubeconfigPath) })
    const caches = openCaches(store)
    await caches.start(following.signal)
    const clock = realClock
    const log = silentLog()
    const issuer = await openLocalIssuer(folder, clock)
    token = await issuer.issue({ subject: 'test', scope: 'admin' }, 3600)
    const admission = { store, world: networkViewOf(caches), settings: readConfig({}), clock, log, news: catchUpOf(caches, clock, 500) }
    app = buildRest({
      store,
      admission,
      tokens: new Tokens(issuer.trust, clock),
      seal: await openSigner(store, namespace, randomBytes),
      clock,
      random: Math.random,
      uids: realUids,
      log,
      document: await readFile(join(import.meta.dirname, '../../openapi/openapi.yaml'), 'utf8'),
    })
  })
  after(async () => {
    await app.close()
    following.abort()
    await store.close()
    await rm(folder, { recursive: true })
  })
  const rest = (line: string, more: Parameters<typeof ask>[3] = {}): Promise<Answer> => ask(app, token, line.replace('NS', namespace), more)
  const metaOf = (answer: Answer): Meta => answer.body['metadata'] as Meta
  const group = (name: string, labels: object = {}) => ({
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'SecurityGroup',
    metadata: { name, labels },
    spec: {},
  })

  test('makes what kubectl shows, with the finalizers of birth, and reads what kubectl makes', async () => {
    const made = await rest('POST /v1/namespaces/NS/vpcs', { body: { metadata: { name: 'blue' }, spec: { mtu: 1400 } } })
    assert.equal(made.status, 201, made.text)
    const shown = JSON.parse(await kubectl(['get', 'vpc', 'blue', '-n', namespace, '-o', 'json'])) as {
      metadata: { uid: string; finalizers: string[] }
      spec: object
    }
    assert.deepEqual(
      [shown.metadata.uid, shown.metadata.finalizers, shown.spec],
      [metaOf(made).uid, ['megrez.io/vpc'], { mtu: 1400, provider: 'builtin' }],
    )
    await kubectl(['create', '-n', namespace, '-f', '-'], { input: JSON.stringify(group('theirs')) })
    assert.equal((await rest('GET /v1/namespaces/NS/securitygroups/theirs')).status, 200)
  })

  test('changes only the state that was read', async () => {
    const made = await rest('POST /v1/namespaces/NS/securitygroups', { body: group('changed') })
    const tag = String(made.headers['etag'])
    await kubectl(['label', 'securitygroup', 'changed', '-n', namespace, 'by=kubectl'])
    const path = '/v1/namespaces/NS/securitygroups/changed'
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      assert.equal((await rest(`${method} ${path}`, { body: group('changed'), headers: { 'if-match': tag } })).status, 412, method)
      assert.equal((await rest(`${method} ${path}`, { body: group('changed') })).status, 428, method)
    }
    const now = String((await rest(`GET ${path}`)).headers['etag'])
    const patched = await rest(`PATCH ${path}`, { body: { metadata: { labels: { by: 'rest' } } }, headers: { 'if-match': now } })
    assert.equal(patched.status, 200, patched.text)
    assert.equal(await kubectl(['get', 'securitygroup', 'changed', '-n', namespace, '-o', 'jsonpath={.metadata.labels.by}']), 'rest')
    const gone = await rest(`DELETE ${path}`, { headers: { 'if-match': String(patched.headers['etag']) } })
    // Nobody works here: its finalizer stays.
    assert.equal(gone.status, 202, gone.text)
    assert.match((await rest(`GET ${path}`)).text, /"deletionTimestamp":/)
  })

  test('of many writers at once from one state lets one win', async () => {
    const made = await rest('POST /v1/namespaces/NS/securitygroups', { body: group('raced') })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        rest('PATCH /v1/namespaces/NS/securitygroups/raced', {
          body: { metadata: { labels: { i: String(i) } } },
          headers: { 'if-match': String(made.headers['etag']) },
        }),
      ),
    )
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array.from({ length: 9 }, () => 412)])
  })

  test('says what the API server says: taken, absent, in no namespace', async () => {
    await rest('POST /v1/namespaces/NS/securitygroups', { body: group('twice') })
    const again = await rest('POST /v1/namespaces/NS/securitygroups', { body: group('twice') })
    assert.deepEqual([again.status, again.problem.code], [409, 'already-exists'])
    assert.equal((await rest('POST /v1/namespaces/there-is-none/securitygroups', { body: group('a') })).status, 404)
    assert.equal((await rest('GET /v1/namespaces/there-is-none/securitygroups/a')).status, 404)
    const immutable = await rest('PATCH /v1/namespaces/NS/vpcs/blue', { body: { spec: { vni: 77 } }, headers: { 'if-match': '*' } })
    assert.deepEqual([immutable.status, immutable.problem.errors?.map(({ pointer }) => pointer)], [422, ['/spec/vni']])
  })

  test('lists in pages that join, by labels and fields', async () => {
    for (const name of ['p1', 'p2', 'p3', 'p4', 'p5']) {
      const made = await rest('POST /v1/namespaces/NS/securitygroups', { body: group(name, { page: 'yes' }) })
      assert.equal(made.status, 201, made.text)
    }
    const names: string[] = []
    let next: string | undefined = `/v1/namespaces/${namespace}/securitygroups?labelSelector=page%3Dyes&limit=2`
    while (next !== undefined) {
      // As it was given: in a cursor NS may stand by chance (the base64 of a version that ends in 5).
      const page = await ask(app, token, `GET ${next}`)
      assert.equal(page.status, 200, page.text)
      names.push(...(page.body['items'] as { metadata: Meta }[]).map(({ metadata }) => metadata.name))
      next = /^<([^>]+)>; rel="next"$/.exec(page.headers['link'] ?? '')?.[1]
    }
    assert.deepEqual(names, ['p1', 'p2', 'p3', 'p4', 'p5'])
    const rubbish = await rest('GET /v1/namespaces/NS/securitygroups?continue=rubbish&limit=2')
    assert.equal(rubbish.status, 400, rubbish.text)
    const one = await rest('GET /v1/securitygroups?labelSelector=page&fieldSelector=metadata.name%3Dp3,metadata.namespace%3DNS')
    assert.equal(one.status, 200, one.text)
    assert.equal((one.body['items'] as unknown[]).length, 1)
  })

  test('watches, and goes on where it was', async () => {
    const address = await app.listen({ host: '127.0.0.1', port: 0 })
    const { resourceVersion } = metaOf(await rest('GET /v1/namespaces/NS/securitygroups'))
    await rest('POST /v1/namespaces/NS/securitygroups', { body: group('watched') })
    const stop = new AbortController()
    const answer = await fetch(`${address}/v1/namespaces/${namespace}/securitygroups?watch=true`, {
      headers: { authorization: `Bearer ${token}`, 'last-event-id': resourceVersion },
      signal: stop.signal,
    })
    let told = ''
    const read = (async () => {
      for await (const piece of answer.body as ReadableStream<Uint8Array>) told += Buffer.from(piece).toString()
    })().catch(() => undefined)
    await until(() => told.includes('"name":"watched"'), 'what came after the list is told')
    assert.match(told, /^retry: 1000\n\nevent: put\nid: \d+\n/, 'and not everything anew')
    // Nobody works here who would take its finalizer away.
    await kubectl(['delete', 'securitygroup', 'watched', '-n', namespace, '--wait=false'])
    await kubectl(['patch', 'securitygroup', 'watched', '-n', namespace, '--type', 'merge', '--patch', '{"metadata":{"finalizers":null}}'])
    await until(() => told.includes('event: gone'), 'its end is told')
    stop.abort()
    await read
  })

  test('rewrites a literal pod and leaves the rest to the API server', async () => {
    const body = {
      metadata: { name: 'nginx' },
      spec: {
        VMs: [{ name: 'nginx', image: 'www.foo.com/vmimages/nginx', flavor: 'm1.large', ports: [{ VMPort: 443 }] }],
        vpc: 'blue',
        nics: [{ subnet: 's' }],
      },
    }
    const made = await rest('POST /v1/namespaces/NS/pods', { body })
    assert.equal(made.status, 201, made.text)
    assert.equal(
      await kubectl(['get', 'pod', 'nginx', '-n', namespace, '-o', 'jsonpath={.metadata.annotations.megrez\\.io/nics}']),
      '[{"subnet":"s"}]',
    )
    const wrong = await rest('POST /v1/namespaces/NS/pods', {
      body: { ...body, metadata: { name: 'wrong' }, spec: { ...body.spec, VMs: [{ name: 'Upper', image: 'i' }] } },
    })
    assert.deepEqual([wrong.status, wrong.problem.errors?.map(({ pointer }) => pointer)], [422, ['/spec/VMs/0/name']], wrong.text)
    assert.equal((await rest('DELETE /v1/namespaces/NS/pods/nginx', { headers: { 'if-match': String(made.headers['etag']) } })).status, 204)
  })

  test("only reads what is Kubernetes' own", async () => {
    assert.equal((await rest(`GET /v1/namespaces/${namespace}`)).status, 200)
    assert.equal((await rest('GET /v1/nodes')).status, 200)
    for (const line of ['POST /v1/namespaces', 'POST /v1/nodes', 'PATCH /v1/namespaces/NS/pods/x', 'PATCH /v1/namespaces/NS/pods/x/status'])
      assert.ok([404, 405].includes((await rest(line, { body: {}, headers: { 'if-match': '*' } })).status), line)
  })
})
