import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { trials } from '../setup/trials.ts'
import { furnish, openAdmission, podWith, reviewOf, type AdmissionTestServer } from './admission-test-server.ts'
import { admissionEndpoints } from '../../core/plan/registration.ts'

let cluster: AdmissionTestServer
let server: ReturnType<AdmissionTestServer['server']>
before(async () => {
  cluster = await openAdmission({ config: { nicLimits: { default: 8, flavors: {} } } })
  await furnish(cluster)
  await cluster.make('Port', 'a/made', { subnet: 'front', portID: 'p-1' })
  server = cluster.server()
  await server.ready()
})
after(() => cluster.close())

const word = fc.constantFrom(
  'megrez.io/vpc',
  'megrez.io/nics',
  'name',
  'subnet',
  'ip',
  'ips',
  'portID',
  'spec',
  'metadata',
  'annotations',
  'containers',
  '__proto__',
  'constructor',
  'request',
  'object',
  'uid',
  'front',
  'blue',
  '10.0.0.9',
  '\u0000',
  '💥',
)
const leaf = fc.oneof(word, fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null))
const tree = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.oneof(word, fc.string()), tie('value'), { maxKeys: 4 }),
  ),
})).value
const nic = fc.dictionary(
  fc.constantFrom(
    'name',
    'subnet',
    'ip',
    'ips',
    'mac',
    'portID',
    'type',
    'mtu',
    'defaultRoute',
    'securityGroup',
    'securityGroups',
    'colour',
  ),
  fc.oneof(fc.constantFrom('front', 'eth0', '10.0.0.9', 'p-1', 'dpdk', 1500, true, '02:aa:00:00:00:01'), tree),
  { maxKeys: 4 },
)
const pods = fc.oneof(
  fc.array(nic, { maxLength: 4 }).map((nics) => podWith(nics)),
  fc.string().map((text) => podWith(text)),
  fc.tuple(tree, tree).map(([metadata, spec]) => ({
    ...podWith([]),
    ...(typeof metadata === 'object' && metadata !== null ? { metadata: { ...podWith([]).metadata, ...metadata } } : { metadata }),
    spec,
  })),
  tree,
)
const requests = fc.record({
  object: pods,
  more: fc.dictionary(fc.constantFrom('operation', 'namespace', 'dryRun', 'subResource', 'oldObject', 'kind', 'name', 'userInfo'), tree, {
    maxKeys: 2,
  }),
  uid: fc.uuid(),
})
const texts = requests.map(({ object, more, uid }) => ({ uid, text: JSON.stringify(reviewOf(object, { ...more, uid })) }))
/** A text with a piece cut out, doubled, or overwritten. */
const spoilt = fc
  .tuple(
    texts,
    fc.nat(),
    fc.nat(40),
    fc.oneof(fc.constant(''), fc.string(), fc.constantFrom('\\u0061', '"', '{', ']', '"__proto__":1,', '\ud800')),
  )
  .map(([{ text, uid }, at, length, piece]) => ({
    uid,
    text: text.slice(0, at % text.length) + piece + text.slice((at % text.length) + length),
  }))
const path = fc.constantFrom(...admissionEndpoints)
const kindOf = fc.constantFrom('Vpc', 'Subnet', 'Port', 'IPLock', 'SecurityGroup', 'Notice', 'Pod', 'nothing')
const own = fc
  .tuple(kindOf, tree, tree, fc.constantFrom('CREATE', 'UPDATE', 'DELETE'), fc.uuid())
  .map(([kind, spec, oldObject, operation, uid]) => ({
    uid,
    text: JSON.stringify(
      reviewOf(
        { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name: 'x', namespace: 'a' }, spec },
        { kind: { group: 'megrez.io', version: 'v1alpha1', kind }, oldObject, operation, uid },
      ),
    ),
  }))

async function answered(
  url: string,
  payload: Buffer | string,
): Promise<{ uid: string; allowed: boolean; status?: { message: string; code: number } }> {
  const reply = await server.inject({ method: 'POST', url, headers: { 'content-type': 'application/json' }, payload })
  assert.equal(reply.statusCode, 200)
  const { kind, apiVersion, response } = reply.json<{
    kind: string
    apiVersion: string
    response: { uid: string; allowed: boolean; status?: { message: string; code: number } }
  }>()
  assert.deepEqual(
    [kind, apiVersion, typeof response.allowed, typeof response.uid],
    ['AdmissionReview', 'admission.k8s.io/v1', 'boolean', 'string'],
  )
  if (!response.allowed) assert.ok(response.status!.message.length > 0)
  assert.notEqual(response.status?.code, 500, response.status?.message)
  return response
}
const runs = { numRuns: trials(20_000) }

test('a review of anything is answered with its own UID', async () => {
  await fc.assert(
    fc.asyncProperty(texts, path, async ({ text, uid }, url) => assert.equal((await answered(url, text)).uid, uid)),
    runs,
  )
})
test('so is one of our own kinds, whatever is in it', async () => {
  await fc.assert(
    fc.asyncProperty(own, fc.constantFrom('/mutate-objects', '/validate-objects'), async ({ text, uid }, url) =>
      assert.equal((await answered(url, text)).uid, uid),
    ),
    runs,
  )
})
test('a spoilt review is answered, with its UID or none', async () => {
  await fc.assert(
    fc.asyncProperty(spoilt, path, async ({ text }, url) => void (await answered(url, text))),
    runs,
  )
})
test('so are bytes of any kind', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), path, async (bytes, url) =>
      assert.equal((await answered(url, Buffer.from(bytes))).uid, ''),
    ),
    { numRuns: trials(5_000) },
  )
})
