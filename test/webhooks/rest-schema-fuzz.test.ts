// Requests made from the contract itself, right ones and broken ones, for every operation, many at once: each is answered as the
// contract says, and none by a fault of ours.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { document } from '../../openapi/document.ts'
import { examples } from '../../openapi/examples.ts'
import { realClock } from '../../platform/clock.ts'
import { trials } from '../setup/trials.ts'
import { openHarness, type Harness } from './rest-harness.ts'
import { bodies, sampleOf, type Node } from './schema-samples.ts'

const whole = document() as { readonly paths: Readonly<Record<string, Readonly<Record<string, Node>>>> }
const methods = ['get', 'post', 'put', 'patch', 'delete']
const find = (node: Node): Node => {
  const at = node['$ref']
  return typeof at === 'string'
    ? (at
        .slice(2)
        .split('/')
        .reduce<unknown>((within, step) => (within as Node)[step], whole) as Node)
    : node
}
const list = (value: unknown): readonly Node[] => (Array.isArray(value) ? (value as Node[]) : [])

/**
 * Given back to MEGREZ_TEST_SEED it makes the same requests again. In CI they are the same each time: what fails there was changed there;
 * elsewhere each run looks for more.
 */
const seed = Number(process.env['MEGREZ_TEST_SEED'] ?? (process.env['CI'] === 'true' ? 20_261_122 : Date.now() % 2 ** 31))
const sample = sampleOf(whole, seed)

interface Operation {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly parameters: readonly Node[]
  readonly body: Node | undefined
}
/** Probes are another plugin's; a sample to a Subscription's sink is waited for, and has tests of its own. */
const elsewhere = ['isAlive', 'isReady', 'getMetrics', 'testSubscription']
const operations: readonly Operation[] = Object.entries(whole.paths)
  .flatMap(([path, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => {
        const operation = item[method]!
        return {
          id: String(operation['operationId']),
          method: method.toUpperCase(),
          path,
          parameters: [...list(item['parameters']), ...list(operation['parameters'])].map(find),
          body: operation['requestBody'] as Node | undefined,
        }
      }),
  )
  .filter(({ id }) => !elsewhere.includes(id))

const namespaces = ['f1', 'f2', 'demo']
const names = ['a', 'b', 'blue', 'front', 'web', 'web-eth0', 'n1', 'demo']
/** Dots alone are resolved by clients, and never sent. */
const odd = fc.oneof(
  fc.constantFrom('', 'A', 'x'.repeat(300), '%00', 'ä', '*', '"x"', '0', '-1', 'null', '__proto__', '{}'),
  fc.string({ maxLength: 20 }).filter((text) => !/^\.+$/.test(text)),
)
const mostly = (right: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof({ arbitrary: right, weight: 12 }, { arbitrary: odd, weight: 1 })

const values: Readonly<Record<string, fc.Arbitrary<string>>> = {
  namespace: mostly(fc.constantFrom(...namespaces)),
  name: mostly(fc.constantFrom(...names)),
  limit: mostly(fc.constantFrom('1', '2', '1000')),
  // A watch has no end: it has tests of its own.
  watch: fc.constantFrom('false', '1', 'TRUE', ''),
  dryRun: mostly(fc.constantFrom('true', 'false')),
  labelSelector: mostly(fc.constantFrom('tenant=a', 'a in (b,c),!d', 'x!=y')),
  fieldSelector: mostly(fc.constantFrom('metadata.name=a', 'spec.node=n1', 'metadata.namespace==f1')),
  'If-Match': mostly(fc.constant('*')),
  'Idempotency-Key': mostly(fc.constantFrom('k1', 'k2', 'k3', 'k4')),
  Prefer: mostly(fc.constantFrom('respond-async', 'return=minimal')),
}
const valueOf = ({ name }: Node): fc.Arbitrary<string> => values[String(name)] ?? odd

interface Request {
  readonly line: string
  readonly headers: Record<string, string>
  readonly body?: string
}
const header = (text: string): string => text.replace(/[^\x20-\x7e]/g, '?').trim()

/** One request of an operation: its parameters, each given or not, and a body of its schema, spoilt or not. */
function requestOf({ method, path, parameters, body }: Operation): fc.Arbitrary<Request> {
  const optional = parameters.filter((each) => each['in'] !== 'path')
  return fc
    .record({
      inPath: fc.record(
        Object.fromEntries(parameters.filter((each) => each['in'] === 'path').map((each) => [String(each['name']), valueOf(each)])),
      ),
      given: fc.tuple(...optional.map((each) => fc.option(valueOf(each), { freq: each['required'] === true ? 9 : 1, nil: undefined }))),
      stray: fc.option(fc.constantFrom('x=1', 'limit=1&limit=2', '__proto__=1', 'continue=rubbish'), { freq: 1, nil: undefined }),
      sent: body === undefined ? fc.constant(undefined) : bodies(method, body, sample),
      who: fc.constantFrom(...who),
    })
    .map(({ inPath, given, stray: excess, sent, who: caller }) => {
      const at = path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeURIComponent(String((inPath as Record<string, unknown>)[name])).replaceAll('%25', '%'),
      )
      const told = optional.flatMap((each, i) =>
        given[i] === undefined ? [] : [{ name: String(each['name']), in: each['in'], value: given[i] }],
      )
      const query = [
        ...told.filter((each) => each.in === 'query').map(({ name, value }) => `${name}=${encodeURIComponent(value)}`),
        ...(excess === undefined ? [] : [excess]),
      ].join('&')
      const headers = Object.fromEntries(
        told.filter((each) => each.in === 'header').map(({ name, value }) => [name.toLowerCase(), header(value)]),
      )
      return {
        line: `${method} ${at}${query === '' ? '' : `?${query}`}`,
        headers: { ...headers, ...(sent && { 'content-type': sent.type }), who: caller },
        ...(sent && { body: sent.text }),
      }
    })
}

const who = ['admin', 'admin', 'admin', 'admin', 'admin', 'operator', 'viewer', 'tenant', 'nobody']
let rest: Harness
const tokens: Record<string, string> = { nobody: 'Bearer not.a.token' }
before(async () => {
  rest = await openHarness((store) => store, realClock, 1)
  for (const [i, namespace] of [...namespaces, 'fresh'].entries())
    await rest.network(namespace, { vpc: 'blue', subnet: 'front', cidr: '192.0.2.0/24', vni: 9_000 + i })
  const of = async (scope: string, within?: string[]) =>
    `Bearer ${await rest.issuer.issue({ subject: scope, scope, ...(within && { namespaces: within }) }, 36_000)}`
  Object.assign(tokens, {
    admin: await of('admin'),
    operator: await of('operator'),
    viewer: await of('viewer'),
    tenant: await of('admin', ['f1']),
  })
})
after(() => rest.close())

const width = 25

describe('requests made from the contract', () => {
  const seen = new Map<string, Set<number>>()
  const one = fc.oneof(...operations.map((operation) => requestOf(operation).map((request) => ({ operation, request }))))

  for (const quarter of [1, 2, 3, 4])
    test(`are answered as it says, whatever they are, and never by a fault of ours (${quarter} of 4)`, async () => {
      const send = async ({
        operation,
        request: {
          line,
          headers: { who: caller = '', ...headers },
          body,
        },
      }: {
        readonly operation: Operation
        readonly request: Request
      }): Promise<void> => {
        const answer = await rest.ask(line, {
          headers: { ...headers, authorization: tokens[caller] ?? '' },
          ...(body !== undefined && { body }),
        })
        assert.ok(answer.status < 500, `${line} ${body ?? ''} → ${answer.status} ${answer.text}`)
        if (answer.status >= 400) assert.equal(answer.headers['content-type'], 'application/problem+json', line)
        // What he asked for himself may be said back to him.
        if (answer.status >= 400 && caller === 'tenant' && !line.includes('f2'))
          assert.ok(!answer.text.includes('f2/'), `${line} tells of another's: ${answer.text}`)
        seen.set(operation.id, (seen.get(operation.id) ?? new Set()).add(answer.status))
      }
      await fc.assert(
        fc.asyncProperty(
          fc.array(one, { minLength: width, maxLength: width }),
          async (requests) => void (await Promise.all(requests.map(send))),
        ),
        { numRuns: Math.ceil(trials(25_000) / width), endOnFailure: true, seed: seed + quarter },
      )
    })

  test('are taken where they are the examples of the document', async () => {
    for (const kind of ['Port', 'Pod', 'SecurityGroup', 'Node', 'Namespace']) {
      const { path, id } = operations.find((each) => each.id === `create${kind}`)!
      const answer = await rest.ask(
        `POST ${path.replace('{namespace}', 'fresh')}${kind === 'Node' || kind === 'Namespace' ? '?dryRun=true' : ''}`,
        { body: { ...examples[kind], ...(kind === 'Node' || kind === 'Namespace' ? { metadata: { generateName: 'x-' } } : {}) } },
      )
      assert.equal(answer.status, 201, `${id}: ${answer.text}`)
    }
  })

  test('have reached every operation, and were taken where they were right', () => {
    assert.deepEqual(
      operations.map(({ id }) => id).filter((id) => !seen.has(id)),
      [],
    )
    // Of one operation alone, as getVpc, a tenth of the trials has some fifty requests, of which one in ten is right: now and then none is.
    const taken = [...seen].filter(([, statuses]) => [...statuses].some((status) => status < 300)).map(([id]) => id)
    for (const [kind, least] of [
      [/^create/, 1],
      [/^list(?!All)/, 5],
      [/^listAll/, 5],
      [/^get/, 3],
    ] as const)
      assert.ok(taken.filter((id) => kind.test(id)).length >= least, `${kind}: taken were ${taken.join(', ')}`)
  })
})
