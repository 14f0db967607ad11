// What an address offers, and how everything else is refused there: methods, names, parameters, patches, all held to the document.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { withDefaults } from '../../core/admit/object/schema.ts'
import { allKinds, apiVersionOf, definitionOf, isOwnKind, pluralOf, scopeOf, type Kind } from '../../core/kinds/index.ts'
import { document } from '../../openapi/document.ts'
import { pretending } from './rest-cluster.ts'
import { openHarness, type Harness } from './rest-harness.ts'

type Node = Readonly<Record<string, unknown>>
const whole = document() as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>>
  readonly components: { readonly parameters: Readonly<Record<string, Node>>; readonly schemas: Readonly<Record<string, Node>> }
}
const methods = ['get', 'post', 'put', 'patch', 'delete']
const probes = ['/livez', '/readyz', '/metrics']
let rest: Harness
let address = ''
before(async () => {
  rest = await openHarness()
  address = await rest.app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => rest.close())

interface OfferAnswer {
  readonly status: number | undefined
  readonly allow: string | undefined
  readonly type: string | undefined
}
/** Over a socket: what a client's library would not send is sent too. */
async function send(method: string, path: string, to = address, headers: Readonly<Record<string, string>> = {}): Promise<OfferAnswer> {
  const [answer] = (await once(
    request(`${to}${path}`, { method, headers: { authorization: `Bearer ${rest.token}`, ...headers } }).end(),
    'response',
  )) as [IncomingMessage]
  answer.resume()
  await once(answer, 'end')
  return { status: answer.statusCode, allow: answer.headers.allow, type: answer.headers['content-type'] }
}

describe('a method that an address does not have', () => {
  const all = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'QUERY', 'PROPFIND', 'SEARCH', 'LOCK', 'M-SEARCH']
  const promised = (item: Node): string[] =>
    methods
      .filter((method) => item[method] !== undefined)
      .flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))

  test('is 405 with those that it has, on every address of the document', async () => {
    for (const [path, item] of Object.entries(whole.paths).filter(([each]) => !probes.includes(each))) {
      const offered = promised(item)
      const at = path
        .replace('{kind}', path.includes('{namespace}') ? 'ports' : 'nodes')
        .replace('{namespace}', 'a')
        .replace('{name}', 'b')
      for (const method of all.filter((each) => !offered.includes(each))) {
        const { status, allow, type } = await send(method, at, address, { 'content-type': 'text/xml' })
        assert.deepEqual(
          [status, new Set(allow?.split(', ')), type],
          [405, new Set(offered), method === 'HEAD' ? type : 'application/problem+json'],
          `${method} ${at}`,
        )
      }
    }
  })

  test('is 401 before that, where nobody is known, and 404 where nothing is served', async () => {
    for (const method of ['TRACE', 'QUERY', 'POST']) {
      assert.equal((await send(method, '/v1/vpcs', address, { authorization: 'Bearer x.y.z' })).status, 401, method)
      assert.equal((await send(method, '/v1/widgets')).status, 404, method)
      assert.equal((await send(method, '/nowhere')).status, 404, method)
    }
  })

  test('is told of a watch that has no HEAD, and of what an API server keeps for itself, where there is one', async () => {
    assert.deepEqual([(await send('HEAD', '/v1/vpcs?watch=true')).status, (await send('HEAD', '/v1/vpcs?watch=true')).allow], [405, 'GET'])
    const app = pretending(rest)
    try {
      const cluster = await app.listen({ host: '127.0.0.1', port: 0 })
      const cases = [
        ['PATCH', '/v1/namespaces/a/pods/b/status', ''],
        ['PUT', '/v1/namespaces/a/secrets/b', ''],
        ['POST', '/v1/nodes', 'GET, HEAD'],
        ['PATCH', '/v1/namespaces/a/pods/b', 'GET, HEAD, DELETE'],
      ] as const
      for (const [method, path, allow] of cases) {
        const told = await send(method, path, cluster)
        assert.deepEqual([told.status, told.allow], [405, allow], path)
      }
    } finally {
      await app.close()
    }
  })
})

describe('what is no request that can be read', () => {
  interface HttpAnswer {
    readonly status: number
    readonly head: string
    readonly body: { readonly code?: string; readonly status?: number; readonly detail?: string }
  }
  async function said(bytes: string | Buffer): Promise<HttpAnswer> {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    socket.write(bytes)
    const pieces: Buffer[] = []
    for await (const piece of socket as AsyncIterable<Buffer>) pieces.push(piece)
    const [head = '', body = ''] = Buffer.concat(pieces).toString().split('\r\n\r\n')
    return { status: Number(head.split(' ')[1]), head, body: JSON.parse(body) as object }
  }
  const cases: Readonly<Record<string, readonly [string | Buffer, number, string, RegExp]>> = {
    'a method that nobody has': ['FLY /v1/vpcs HTTP/1.1\r\nhost: a\r\n\r\n', 400, 'malformed', /it is no HTTP\/1\.1/],
    'no HTTP at all': ['SSH-2.0-OpenSSH_9.9\r\n', 400, 'malformed', /it is no HTTP/],
    TLS: [Buffer.from('16030100050100000100', 'hex'), 400, 'malformed', /it is TLS, and http is spoken here/],
    'headers without end': [
      `GET /v1/vpcs HTTP/1.1\r\nhost: a\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers-too-large',
      /larger than the limit of 16 KiB/,
    ],
    'two lengths': [
      'POST /v1/vpcs HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n{}',
      400,
      'malformed',
      /it is no HTTP/,
    ],
  }
  for (const [what, [bytes, status, code, detail]] of Object.entries(cases))
    test(`is refused as every other error is: ${what}`, async () => {
      const answer = await said(bytes)
      assert.deepEqual([answer.status, answer.body.status, answer.body.code], [status, status, code])
      assert.match(answer.body.detail ?? '', detail)
      assert.match(answer.head, /content-type: application\/problem\+json/)
      assert.match(answer.head, /x-request-id: \S+/)
    })
})

describe('a name that can be none', () => {
  const bad = {
    namespace: ['A', 'BAD%20NS', 'a.b', 'a_b', '-a', 'x'.repeat(64), '%00', '%F0%9F%98%80', '..%2Fb'],
    name: ['A', 'a%20b', 'a_b', '-a', 'a..b', 'x'.repeat(254), '%00', 'a%2Fb'],
  }
  const opaque = (path: string): boolean => /\/(operations|sol\/subscriptions)\/\{name\}$/.test(path)

  const of = (path: string, parameter: keyof typeof bad): readonly string[] => {
    if (!path.includes(`{${parameter}}`) || (parameter === 'name' && opaque(path))) return []
    return [...bad[parameter], ...(path.endsWith('/namespaces/{name}') ? ['a.b'] : [])].map((given) =>
      path.replace('{kind}', 'ports').replace(`{${parameter}}`, given).replace('{namespace}', 'a').replace('{name}', 'b'),
    )
  }

  for (const parameter of ['namespace', 'name'] as const) {
    test(`is 400 on every route that has a ${parameter}, with the parameter that it is`, async () => {
      const lines = Object.entries(whole.paths).flatMap(([path, item]) =>
        of(path, parameter).flatMap((at) =>
          methods.filter((method) => item[method] !== undefined).map((method) => `${method.toUpperCase()} ${at}`),
        ),
      )
      assert.ok(lines.length > 300)
      for (const line of lines) {
        const answer = await rest.ask(line, { headers: { 'if-match': '*' }, ...(/^(GET|DELETE) /.test(line) ? {} : { body: {} }) })
        assert.deepEqual([answer.status, answer.problem.errors?.[0]?.parameter], [400, parameter], line)
      }
    })
  }

  test('is none to the document either, and what is one to both is one', () => {
    const formOf = (name: string): RegExp => new RegExp(String((whole.components.parameters[name]?.['schema'] as Node)['pattern']))
    const lengthOf = (name: string): number => Number((whole.components.parameters[name]?.['schema'] as Node)['maxLength'])
    for (const [name, given] of Object.entries(bad))
      for (const each of given) assert.ok(!formOf(name).test(decodeURIComponent(each)) || each.length > lengthOf(name), `${name} ${each}`)
    for (const [name, given] of Object.entries({ namespace: ['a', 'a-1', 'x'.repeat(63)], name: ['a', 'a.b-c.1', 'x'.repeat(253)] }))
      for (const each of given) assert.match(each, formOf(name))
  })
})

describe('parameters that exclude each other', () => {
  const values: Readonly<Record<string, string>> = {
    limit: '1',
    continue: '',
    labelSelector: 'a',
    fieldSelector: 'metadata.name=a',
    watch: 'true',
    resourceVersion: '0',
  }
  const excludes = (name: string): readonly string[] => (whole.components.parameters[name]?.['x-excludes'] ?? []) as readonly string[]

  test('are said in the document, and refused as it says', async () => {
    const names = Object.keys(values)
    assert.deepEqual(
      names.filter((name) => excludes(name).length > 0),
      ['limit', 'continue', 'resourceVersion'],
    )
    for (const [name, other] of names.flatMap((each) =>
      names.filter((another) => another !== each).map((another) => [each, another] as const),
    )) {
      const apart = excludes(name).includes(other) || excludes(other).includes(name)
      // A watch has no end: it has tests of its own.
      if (!apart && [name, other].some((each) => each === 'watch' || each === 'resourceVersion')) continue
      const text = `${name}=${values[name]}&${other}=${values[other]}`
      const answer = await rest.ask(`GET /v1/vpcs?${text}`)
      assert.equal(answer.status, apart ? 400 : 200, text)
      if (apart) assert.match(answer.problem.detail, /stands? /, text)
    }
    assert.match(
      (await rest.ask('GET /v1/vpcs?resourceVersion=0')).problem.detail,
      /resourceVersion is of a watch: it stands only beside watch=true/,
    )
    for (const name of ['limit', 'continue', 'resourceVersion'])
      assert.match(String(whole.components.parameters[name]?.['description']), /beside `watch=true`/)
  })
})

describe('a patch', () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats.default(ajv)
  ajv.addSchema(whole, 'megrez')
  const takes = (schema: string): ((patch: unknown) => boolean) =>
    ajv.compile({ $ref: `megrez#/components/schemas/${schema}` }) as (patch: unknown) => boolean
  const patched = allKinds.filter((kind) => whole.components.schemas[`${kind}Patch`] !== undefined)

  test('that the server refuses, whatever the kind, the schema refuses too', async () => {
    assert.equal(patched.length, allKinds.filter((kind) => (isOwnKind(kind) ? !definitionOf(kind).internal : kind !== 'Event')).length)
    for (const kind of patched) {
      const one = `/v1/${scopeOf(kind) === 'Namespaced' ? 'namespaces/p/' : ''}${pluralOf(kind)}/x`
      const made = {
        apiVersion: apiVersionOf(kind),
        kind,
        metadata: { name: 'x', ...(scopeOf(kind) === 'Namespaced' && { namespace: 'p' }) },
        spec: specs[kind] ?? {},
      }
      await rest.store.create(isOwnKind(kind) ? withDefaults(kind, made) : made)
      await held(one, takes(`${kind}Patch`), wrongFor(kind), rightFor(kind))
    }
  })

  const wrongFor = (kind: Kind): readonly object[] => [
    { status: {} },
    { status: null },
    { stray: 1 },
    { kind: 'Other' },
    { apiVersion: 'v0' },
    { spec: 'text' },
    { spec: [] },
    { metadata: { stray: 1 } },
    { metadata: { labels: { a: 1 } } },
    { metadata: { labels: { a: 'b c' } } },
    { metadata: { labels: { 'a b': 'c' } } },
    { metadata: { annotations: { a: {} } } },
    { metadata: { labels: [] } },
    { metadata: 'x' },
    ...(isOwnKind(kind) || kind === 'Pod' ? [{ spec: null }] : []),
    ...(kind === 'Node' || kind === 'Namespace' ? [] : [{ spec: { stray: 1 } }]),
    ...(isOwnKind(kind)
      ? definitionOf(kind)
          .immutable.filter((path) => !path.includes('.'))
          .map((field) => ({ spec: { [field]: 'another' } }))
      : []),
  ]
  const rightFor = (kind: Kind): readonly object[] => [
    {},
    { metadata: { labels: { a: 'b' } } },
    { metadata: { labels: { a: null } } },
    { metadata: { annotations: { 'example.org/a': 'b c' } } },
    { metadata: { labels: null } },
    { kind, apiVersion: null },
    { spec: {} },
  ]

  /** Server and schema say the same of each. */
  async function held(one: string, valid: (patch: unknown) => boolean, wrong: readonly object[], right: readonly object[]): Promise<void> {
    for (const patch of [...wrong, ...right]) {
      const good = right.includes(patch)
      const answer = await rest.ask(`PATCH ${one}?dryRun=true`, { body: patch, headers: { 'if-match': '*' } })
      assert.deepEqual([answer.status, valid(patch)], [good ? 200 : 422, good], `${one} ${JSON.stringify(patch)} ${answer.text}`)
    }
  }

  test('of a status is what the schema says, of a pod and of a Node', async () => {
    for (const kind of ['Pod', 'Node'] as const) {
      const one = `/v1/${kind === 'Pod' ? 'namespaces/p/' : ''}${pluralOf(kind)}/x/status`
      const phase = kind === 'Pod' ? { phase: 'Running' } : {}
      const right = [
        { status: phase },
        { kind, status: { ...phase, conditions: [{ type: 'Ready', status: 'True' }] } },
        { status: { ...phase, conditions: null, more: 1 } },
      ]
      const wrong = [
        {},
        { status: null },
        { status: 'x' },
        { metadata: {}, status: phase },
        { kind: 'Other', status: phase },
        { status: { ...phase, conditions: [{}] } },
        { status: { ...phase, conditions: {} } },
        ...(kind === 'Pod' ? [{ status: { phase: 'Gone' } }, { status: { phase: null } }] : []),
      ]
      await held(one, takes(`${kind}StatusPatch`), wrong, right)
    }
  })

  test('of a required field takes it away nowhere, and of an optional one everywhere', () => {
    assert.deepEqual(
      [
        takes('L2ServicePatch')({ spec: { segmentationID: null } }),
        takes('VpcPatch')({ spec: { mtu: null } }),
        takes('VpcPatch')({ spec: { mtu: 'x' } }),
      ],
      [false, true, false],
    )
  })
})

/** The least that each kind can be. */
const specs: Readonly<Record<string, object>> = {
  VpcPeering: { vpc: 'v', peer: 'b/w' },
  EndpointScaler: { scaleTargetRef: { name: 'd' } },
  Inquiry: { about: 'wiring', port: 'x' },
  Subnet: { vpc: 'v', ipv4: { cidr: '192.0.2.0/24' } },
  Port: { subnet: 's' },
  Pod: { containers: [{ name: 'c', image: 'i' }] },
  L2Service: { segmentationID: 7 },
  L2ServiceAttachment: { l2Services: ['l'], connectionPoint: 'c', vlanType: 'access' },
  NodePool: { interfaces: [{ name: 'eth1', connectionPoint: 'c' }] },
  ConnectionPoint: { supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br' }] },
  Fabric: { switches: [] },
  BGPSessionGroup: { as: 64512 },
  EgressClass: { vpcs: ['a/v'] },
  Audit: {},
  Cloud: { provider: 'memory', endpoint: 'm' },
  UnifiedNetworkPolicy: { podSelector: {} },
  AdminNetworkPolicy: { priority: 1, subject: { namespaces: {} } },
  BaselineAdminNetworkPolicy: { subject: { namespaces: {} } },
  ClusterNetworkPolicy: { tier: 'Admin', priority: 1, subject: { namespaces: {} } },
}
