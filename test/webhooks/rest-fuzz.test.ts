import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { trials } from '../setup/trials.ts'
import { openHarness, type Harness } from './rest-harness.ts'

let rest: Harness
before(async () => {
  rest = await openHarness()
  await rest.network('fuzz', { vni: 9000 })
})
after(() => rest.close())

const apiVersion = 'megrez.io/v1alpha1'
/** Good objects, to be spoilt. */
const good: Readonly<Record<string, object>> = {
  vpcs: { apiVersion, kind: 'Vpc', metadata: { name: 'v', labels: { a: 'b' } }, spec: { mtu: 1400, sharedWith: ['x'] } },
  subnets: {
    apiVersion,
    kind: 'Subnet',
    metadata: { name: 's' },
    spec: {
      vpc: 'vpc-1a2b3c4d',
      ipv4: { cidr: '10.0.0.0/24', pools: [{ first: '10.0.0.4', last: '10.0.0.9' }] },
      dns: { nameservers: ['10.0.0.1'] },
    },
  },
  ports: {
    apiVersion,
    kind: 'Port',
    metadata: { name: 'p' },
    spec: { subnet: 'subnet-1', ips: ['192.168.0.9'], mac: '02:00:00:00:00:01', allowedAddressPairs: [{ ip: '10.0.0.0/8' }] },
  },
  securitygroups: {
    apiVersion,
    kind: 'SecurityGroup',
    metadata: { name: 'g' },
    spec: { rules: [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 1, l4PortMax: 2 }] },
  },
  pods: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', annotations: { a: 'b' } },
    spec: { containers: [{ name: 'c', image: 'i' }], vpc: 'vpc-1a2b3c4d', nics: [{ subnet: 'subnet-1', ip: '192.168.0.20' }] },
  },
}
const plurals = Object.keys(good)

type Path = readonly (string | number)[]
function pathsIn(value: unknown, path: Path = []): Path[] {
  const inner =
    typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, each]) => pathsIn(each, [...path, Array.isArray(value) ? Number(key) : key]))
      : []
  return [path, ...inner]
}

/** The value with what stands at the path replaced; the last step may be new. */
function spoilt(value: unknown, [step, ...rest]: Path, by: unknown): unknown {
  if (step === undefined) return by
  const copy = (Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) }) as Record<string | number, unknown>
  copy[step] = spoilt(copy[step], rest, by)
  return copy
}

const nasty = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    null,
    '',
    -1,
    1e308,
    2 ** 53,
    true,
    [],
    {},
    '\u0000',
    '__proto__',
    'a'.repeat(5000),
    '0.0.0.0/0',
    '::/0',
    '999.1.1.1',
    '10.0.0.0/33',
    '../..',
    'ns/name',
    '${x}',
    '%00',
    ['constructor'],
    { constructor: 1 },
    { toString: 1 },
    { length: -1 },
  ),
)
const spoiltObject = fc.constantFrom(...plurals).chain((plural) => {
  const paths = pathsIn(good[plural])
  return fc
    .array(
      fc.tuple(
        fc.constantFrom(...paths),
        fc.option(fc.constantFrom('toString', 'constructor', 'name', 'x', 'spec', 'metadata', 'kind')),
        nasty,
      ),
      { minLength: 1, maxLength: 3 },
    )
    .map((changes) => {
      let object: unknown = good[plural]
      for (const [path, more, by] of changes) {
        try {
          object = spoilt(object, more === null ? path : [...path, more], by)
        } catch {
          // An earlier change has taken the path away.
        }
      }
      return { plural, object }
    })
})

describe('whatever is sent', () => {
  test('a spoilt object is refused or taken, and never a fault of ours; taking it again is a conflict', async () => {
    await fc.assert(
      fc.asyncProperty(spoiltObject, fc.constantFrom('POST', 'PUT', 'PATCH'), async ({ plural, object }, method) => {
        const all = `/v1/namespaces/fuzz/${plural}`
        const existing = { vpcs: 'vpc-1a2b3c4d', subnets: 'subnet-1' }[plural] ?? 'p'
        const line = method === 'POST' ? `POST ${all}` : `${method} ${all}/${existing}`
        const answer = await rest.ask(line, { body: object === undefined ? null : object, headers: { 'if-match': '*' } })
        assert.ok(answer.status < 500, `${line} ${JSON.stringify(object)} → ${answer.status} ${answer.text}`)
        if (answer.status >= 400) assert.equal(answer.headers['content-type'], 'application/problem+json')
        if (method !== 'POST' || answer.status !== 201) return
        const { name } = answer.body['metadata'] as { name: string }
        const again = await rest.ask(line, { body: object })
        assert.ok(
          again.status === 409 || (object as { metadata?: { name?: string } }).metadata?.name !== name,
          `${line} ${JSON.stringify(object)} twice → ${again.status}`,
        )
      }),
      { numRuns: trials(6_000) },
    )
  })

  test('a body that is hardly JSON is refused', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.json().map((json) => json.slice(0, -1)),
      fc.constantFrom('{', '[', '"', '{"a"', '\ufeff{}', '{"a":1}{"b":2}', '{"a":NaN}'),
    )
    await fc.assert(
      fc.asyncProperty(text, fc.constantFrom('application/json', 'application/yaml'), async (body, type) => {
        const answer = await rest.ask('POST /v1/namespaces/fuzz/vpcs', { body, headers: { 'content-type': type } })
        assert.ok([400, 422].includes(answer.status), `${type} ${JSON.stringify(body)} → ${answer.status} ${answer.text}`)
      }),
      { numRuns: trials(2_000) },
    )
  })

  test('an address is found or not, and never a fault of ours', async () => {
    const step = fc.oneof(
      fc.constantFrom('v1', 'namespaces', 'fuzz', 'vpcs', 'pods', 'status', '..', '.', '%2e%2e', '%00', '%ff', '*', ''),
      fc.string({ maxLength: 12 }).map(encodeURIComponent),
    )
    const query = fc.array(
      fc.tuple(
        fc.constantFrom('limit', 'continue', 'labelSelector', 'fieldSelector', 'watch', 'resourceVersion', 'dryRun', 'x'),
        fc.string({ maxLength: 12 }).filter((text) => text !== 'true'),
      ),
      { maxLength: 3 },
    )
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'),
        fc.array(step, { maxLength: 6 }),
        query,
        async (method, steps, pairs) => {
          const search = pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')
          const answer = await rest.ask(`${method} /${steps.join('/')}?${search}`.replaceAll(' ', '%20').replace('%20', ' '))
          assert.ok(answer.status < 500, `${method} /${steps.join('/')}?${search} → ${answer.status} ${answer.text}`)
        },
      ),
      { numRuns: trials(5_000) },
    )
  })
})
