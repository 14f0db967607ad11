import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { allKinds, pluralOf, scopeOf } from '../../core/kinds/index.ts'
import { verbsOf } from '../../webhooks/rest/verbs.ts'
import { operations } from './rest-contract.ts'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
before(async () => (rest = await openHarness()))
after(() => rest.close())

const vpc = (name: string, spec: object = {}, more: object = {}) => ({
  apiVersion: 'megrez.io/v1alpha1',
  kind: 'Vpc',
  metadata: { name, ...more },
  spec,
})
const pointers = (answer: Answer) => answer.problem.errors?.map((each) => each.pointer)

describe('listing', () => {
  before(async () => {
    for (const [namespace, name, tier] of [
      ['l1', 'a', 'web'],
      ['l1', 'b', 'db'],
      ['l1', 'c', 'web'],
      ['l2', 'a', 'web'],
      ['l2', 'b', 'db'],
    ] as const) {
      await rest.ask(`POST /v1/namespaces/${namespace}/vpcs`, { body: vpc(name, {}, { labels: { tier, list: 'yes' } }) })
    }
  })
  const names = (answer: Answer) =>
    (answer.body['items'] as { metadata: { namespace: string; name: string } }[]).map(
      ({ metadata }) => `${metadata.namespace}/${metadata.name}`,
    )

  test('gives one namespace, or all of them', async () => {
    const one = await rest.ask('GET /v1/namespaces/l1/vpcs')
    assert.deepEqual([one.body['kind'], one.body['apiVersion'], names(one)], ['VpcList', 'megrez.io/v1alpha1', ['l1/a', 'l1/b', 'l1/c']])
    assert.deepEqual(names(await rest.ask('GET /v1/vpcs?labelSelector=list%3Dyes')), ['l1/a', 'l1/b', 'l1/c', 'l2/a', 'l2/b'])
    assert.deepEqual(names(await rest.ask('GET /v1/namespaces/nobody/vpcs')), [])
  })

  test('selects by labels and fields', async () => {
    assert.deepEqual(names(await rest.ask('GET /v1/vpcs?labelSelector=list,tier%20in%20(db,x)')), ['l1/b', 'l2/b'])
    assert.deepEqual(names(await rest.ask('GET /v1/vpcs?labelSelector=list&fieldSelector=metadata.name%3Da,metadata.namespace%3D%3Dl2')), [
      'l2/a',
    ])
  })

  test('comes in pages that join without gap or double', async () => {
    const seen: string[] = []
    let next: string | undefined = '/v1/vpcs?labelSelector=list%3Dyes&limit=2'
    let pages = 0
    while (next !== undefined) {
      const page = await rest.ask(`GET ${next}`)
      seen.push(...names(page))
      next = /^<([^>]+)>; rel="next"$/.exec(page.headers['link'] ?? '')?.[1]
      assert.equal(next === undefined, (page.body['metadata'] as { continue?: string }).continue === undefined)
      pages++
    }
    assert.deepEqual([pages, seen], [3, ['l1/a', 'l1/b', 'l1/c', 'l2/a', 'l2/b']])
  })

  const bad: readonly (readonly [string, string])[] = [
    ['limit=0', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1000000', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['continue=rubbish', 'continue'],
    ['labelSelector=a%3D%3D%3Db', 'labelSelector'],
    ['fieldSelector=spec.mtu%3D4', 'fieldSelector'],
    ['fieldSelector=metadata.name!%3Da', 'fieldSelector'],
    ['fieldSelector=metadata.name%3Da,metadata.name%3Db', 'fieldSelector'],
    ['labelselector=a', 'labelselector'],
    ['watch=perhaps', 'watch'],
    ['__proto__=1', '__proto__'],
    ['watch=true&limit=4', 'limit'],
    ['watch=true&resourceVersion=x', 'resourceVersion'],
  ]
  for (const [query, parameter] of bad) {
    test(`refuses ?${query}`, async () => {
      const answer = await rest.ask(`GET /v1/namespaces/l1/vpcs?${query}`)
      assert.equal(answer.status, 400, answer.text)
      assert.equal(answer.problem.errors?.[0]?.parameter, parameter)
    })
  }

  test('suggests the parameter that was meant', async () => {
    assert.match((await rest.ask('GET /v1/vpcs?labelselector=a')).problem.detail, /did you mean labelSelector\?/)
  })
})

describe('what is not offered', () => {
  test('unknown addresses and kinds are not found, and the kinds there are are named', async () => {
    for (const path of [
      '/v2',
      '/v1',
      '/v1/',
      '/v1/widgets',
      '/v1/namespaces/a/widgets',
      '/v1/namespaces/a/vpcs/b/c',
      '/v1/segmentlocks/a/b/c',
      '/v1/namespaces/a/ports/b/status',
    ]) {
      const answer = await rest.ask(`GET ${path}`)
      assert.deepEqual([answer.status, answer.headers['content-type']], [404, 'application/problem+json'], path)
    }
    assert.match((await rest.ask('GET /v1/namespaces/a/vpc')).problem.detail, /kinds are vpcs, subnets/)
  })

  test('names that can be none reach no store', async () => {
    for (const name of ['%2E%2E%2Fsecrets', 'a%2Fb', 'a%00b', 'x'.repeat(300), 'x'.repeat(3000)]) {
      const answer = await rest.ask(`GET /v1/namespaces/one/vpcs/${name}`)
      assert.deepEqual([answer.status, answer.problem.errors?.[0]?.parameter], [400, 'name'], name)
    }
    assert.equal((await rest.ask('GET /v1/namespaces/one/vpcs/%ZZ')).status, 400)
  })

  test('other methods are refused with those there are', async () => {
    const cases = {
      'POST /v1/namespaces/one/vpcs/blue': 'GET, HEAD, PUT, PATCH, DELETE',
      'PUT /v1/namespaces/one/vpcs': 'GET, HEAD, POST',
      'POST /v1/vpcs': 'GET, HEAD',
      'DELETE /v1/namespaces/one/iplocks/x': 'GET, HEAD',
      'POST /v1/segmentlocks': 'GET, HEAD',
      'OPTIONS /v1/namespaces/one/vpcs': 'GET, HEAD, POST',
    }
    for (const [line, allow] of Object.entries(cases)) {
      const answer = await rest.ask(line, line.startsWith('POST') ? { body: '<xml/>', headers: { 'content-type': 'text/xml' } } : {})
      assert.deepEqual([answer.status, answer.headers['allow'], answer.problem.code], [405, allow, 'method-not-allowed'], line)
    }
  })

  test('internal kinds and Events can only be read', async () => {
    for (const kind of ['IPLock', 'SegmentLock', 'Notice', 'Event'] as const) {
      const all = scopeOf(kind) === 'Namespaced' ? `/v1/namespaces/a/${pluralOf(kind)}` : `/v1/${pluralOf(kind)}`
      assert.equal((await rest.ask(`GET ${all}`)).status, 200)
      assert.equal((await rest.ask(`POST ${all}`, { body: {} })).status, 405)
      for (const method of ['PUT', 'PATCH', 'DELETE'])
        assert.equal((await rest.ask(`${method} ${all}/x`, { headers: { 'if-match': '*' } })).status, 405)
    }
  })

  test('every kind of the table can be listed', async () => {
    for (const kind of allKinds) assert.equal((await rest.ask(`GET /v1/${pluralOf(kind)}`)).body['kind'], `${kind}List`)
  })

  test('bodies that are nested without end are refused, whatever reads them', async () => {
    const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000)
    const bodies = [`{"spec":${deep('[', ']')}}`, `{"\\u0061":${deep('[', ']')}}`, `{"spec":${'{"a":'.repeat(65)}1${'}'.repeat(65)}}`]
    for (const body of bodies)
      for (const type of ['application/json', 'application/yaml']) {
        const answer = await rest.ask('POST /v1/namespaces/one/vpcs', { body, headers: { 'content-type': type } })
        assert.equal(answer.status, 400, `${type} ${answer.text}`)
      }
  })

  test('bodies of other types, too large, or that are not JSON are refused', async () => {
    const post = (body: string, type: string) => rest.ask('POST /v1/namespaces/one/vpcs', { body, headers: { 'content-type': type } })
    await rest.ask('POST /v1/namespaces/one/vpcs', { body: vpc('blue') })
    assert.equal((await post('<a/>', 'application/xml')).status, 415)
    assert.equal(
      (await rest.ask('PATCH /v1/namespaces/one/vpcs/blue', { body: {}, headers: { 'content-type': 'application/json', 'if-match': '*' } }))
        .status,
      415,
    )
    const large = await post(JSON.stringify(vpc('large', {}, { annotations: { a: 'x'.repeat(1024 * 1024) } })), 'application/json')
    assert.deepEqual([large.status, large.problem.code], [413, 'too-large'])
    const broken = await post('{"metadata":{"name":"x",}}', 'application/json')
    assert.deepEqual([broken.status, broken.problem.code, pointers(broken)], [400, 'malformed', ['/metadata']])
    for (const body of ['{"__proto__":{"x":1}}', '{"spec":{"\\u005f_proto__":{"x":1}}}', '{"metadata":{"labels":{"__proto__":"x"}}}'])
      assert.equal((await post(body, 'application/json')).status, 400, body)
    for (const body of ['', 'null', '3', '"a"', '[]']) assert.ok([400, 422].includes((await post(body, 'application/json')).status), body)
  })
})

describe('the contract', () => {
  /** Of the health plugin, which is another's. */
  /** By listeners of their own, or only where an OpenID provider is set (page-openid.test.ts). */
  const servedElsewhere = ['/livez', '/readyz', '/metrics', '/sign-in/callback']

  test('promises nothing that is not served', async () => {
    for (const line of operations.filter((each) => !servedElsewhere.includes(each.split(' ')[1] ?? ''))) {
      const kind = line.includes('{namespace}') ? 'Vpc' : 'Fabric'
      const answer = await rest.ask(
        line.replace('{kind}', kind).replace('{namespace}', 'contract').replace('{name}', 'nobody'),
        line.startsWith('GET') ? {} : { body: {}, headers: { 'if-match': '*' } },
      )
      assert.ok(answer.status !== 405 && answer.problem.code !== 'unknown-path', `${line} → ${answer.text}`)
    }
  })

  test('leaves nothing out that is served', () => {
    const http = { list: 'GET', create: 'POST', get: 'GET', replace: 'PUT', patch: 'PATCH', delete: 'DELETE', patchStatus: 'PATCH' }
    const after = {
      list: '',
      create: '',
      get: '/{name}',
      replace: '/{name}',
      patch: '/{name}',
      delete: '/{name}',
      patchStatus: '/{name}/status',
    }
    for (const kind of allKinds) {
      const all = scopeOf(kind) === 'Namespaced' ? `/v1/namespaces/{namespace}/${pluralOf(kind)}` : `/v1/${pluralOf(kind)}`
      for (const verb of verbsOf(kind, true)) assert.ok(operations.includes(`${http[verb]} ${all}${after[verb]}`), `${verb} ${kind}`)
      assert.ok(operations.includes(`GET /v1/${pluralOf(kind)}`), `all of ${kind}`)
    }
  })
})

describe('who may', () => {
  test('without a token nothing below /v1 is shown, not even what is there', async () => {
    for (const path of ['/v1/vpcs', '/v1/widgets', '/v1/namespaces/one/vpcs/blue']) {
      const answer = await rest.ask(`GET ${path}`, { headers: { authorization: '' } })
      assert.deepEqual([answer.status, answer.problem.code], [401, 'unauthorized'], path)
      assert.match(String(answer.headers['www-authenticate']), /^Bearer realm="megrez"/)
    }
  })

  test('a viewer reads and does not write', async () => {
    const headers = { authorization: `Bearer ${await rest.issuer.issue({ subject: 'v', scope: 'viewer' }, 60)}` }
    assert.equal((await rest.ask('GET /v1/vpcs', { headers })).status, 200)
    for (const [line, body] of [
      ['POST /v1/namespaces/one/vpcs', vpc('x')],
      ['PATCH /v1/namespaces/one/vpcs/blue', {}],
      ['POST /v1/namespaces/one/pods', {}],
    ] as const)
      assert.equal((await rest.ask(line, { body, headers: { ...headers, 'if-match': '*' } })).status, 403, line)
    for (const method of ['PUT', 'DELETE'])
      assert.equal(
        (await rest.ask(`${method} /v1/namespaces/one/vpcs/blue`, { body: vpc('blue'), headers: { ...headers, 'if-match': '*' } })).status,
        403,
      )
  })

  test('a token of some namespaces sees nothing of others', async () => {
    const headers = { authorization: `Bearer ${await rest.issuer.issue({ subject: 'n', scope: 'admin', namespaces: ['l1'] }, 60)}` }
    assert.equal((await rest.ask('GET /v1/namespaces/l1/vpcs/a', { headers })).status, 200)
    assert.equal((await rest.ask('GET /v1/namespaces/l1', { headers })).status, 404, 'its own Namespace may be asked for')
    for (const path of [
      '/v1/namespaces/l2/vpcs',
      '/v1/namespaces/l2/vpcs/a',
      '/v1/namespaces/l2/vpcs/not-there',
      '/v1/vpcs',
      '/v1/vpcs?watch=true',
      '/v1/segmentlocks',
      '/v1/namespaces',
      '/v1/namespaces/l2',
      '/v1/nodes',
    ])
      assert.equal((await rest.ask(`GET ${path}`, { headers })).status, 403, path)
  })

  test('the contract is served without a token', async () => {
    const answer = await rest.ask('GET /openapi.json', { headers: { authorization: '' } })
    assert.deepEqual([answer.status, String(answer.body['openapi']).slice(0, 3)], [200, '3.1'])
  })
})
