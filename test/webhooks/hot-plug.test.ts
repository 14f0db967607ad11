// A change of the NICs that come and go, as an API server has it judged, and over REST.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { hotNicsAnnotation } from '../../core/kinds/annotations.ts'
import { addressLockNameOf } from '../../core/net/names.ts'
import type { AdmittedPod } from '../../webhooks/admission/deps.ts'
import { ask, furnish, openAdmission, podWith, reviewOf, type AdmissionTestServer, type Answer } from './admission-test-server.ts'
import { openHarness, type Harness } from './rest-harness.ts'

const at = (...steps: readonly (string | number)[]): string => ['/metadata/annotations/megrez.io~1hot-nics', ...steps].join('/')
const hot = (nics: readonly object[]): Record<string, string> => ({ [hotNicsAnnotation]: JSON.stringify(nics) })
const stays = [{ name: 'eth0', subnet: 'front', ip: '10.0.0.5' }]

describe('a review of a change', () => {
  let cluster: AdmissionTestServer
  let server: ReturnType<AdmissionTestServer['server']>
  before(async () => {
    cluster = await openAdmission()
    await furnish(cluster)
    server = cluster.server()
    const { uid, ...spec } = { uid: 'another', subnet: 'front', vni: 5000, address: '10.0.0.77' }
    await cluster.make('IPLock', `a/${addressLockNameOf(spec.vni, spec.address)}`, {
      ...spec,
      holder: { kind: 'Port', namespace: 'a', name: 'other', uid },
    })
    await cluster.make('Port', 'a/door', { subnet: 'front', portID: 'door' })
  })
  after(() => cluster.close())

  const judged = (before: Record<string, string>, now: Record<string, string>, more: object = {}): Promise<Answer> => {
    const [oldObject, pod]: AdmittedPod[] = [podWith(stays, { annotations: before }), podWith(stays, { annotations: now })]
    return ask(server, '/validate-pods', reviewOf(pod, { operation: 'UPDATE', oldObject, ...more }))
  }
  const locked = async (): Promise<readonly string[]> =>
    (await cluster.store.list('IPLock')).items.map(({ spec }) => `${spec.address} ${spec.reservation?.nic ?? 'held'}`).sort()

  test('keeps what a NIC that comes names, and nothing of those that were there', async () => {
    const fast = { name: 'fast', subnet: 'front', ip: '10.0.0.9' }
    const tried = await judged({}, hot([fast]), { dryRun: true })
    assert.ok(tried.allowed, JSON.stringify(tried))
    assert.deepEqual(await locked(), ['10.0.0.77 held'])
    assert.ok((await judged({}, hot([fast]))).allowed)
    assert.deepEqual(await locked(), ['10.0.0.77 held', '10.0.0.9 fast'])
    assert.ok((await judged(hot([fast]), hot([fast, { name: 'door', portID: 'door' }]))).allowed)
    const door = await cluster.store.get({ kind: 'Port', namespace: 'a', name: 'door' })
    assert.deepEqual([door?.spec.claim?.nic, door?.spec.claim?.podUID], ['door', podWith([]).metadata.uid])
    assert.deepEqual(await locked(), ['10.0.0.77 held', '10.0.0.9 fast'])
  })
  test('refuses what a new pod would be refused, and an edit of one that is there, by path', async () => {
    const cases: readonly (readonly [before: object[], now: object[], at: string, says: RegExp])[] = [
      [
        [],
        [{ name: 'fast', subnet: 'front', ip: '10.0.0.77' }],
        at(0, 'ip'),
        /address 10\.0\.0\.77 of Subnet front is taken by Port other/,
      ],
      [[], [{ name: 'fast', subnet: 'back' }], at(0, 'subnet'), /Subnet back not found/],
      [[], [{ name: 'fast', subnet: 'front', defaultRoute: true }], at(0, 'defaultRoute'), /must be false/],
      [[], [{ name: 'fast', subnet: 'front', ip: '10.0.0.5' }], at(0, 'ip'), /two NICs of the pod have the address/],
      [[{ name: 'fast', subnet: 'front' }], [{ name: 'fast', subnet: 'front', mtu: 1400 }], at(0), /NIC fast is there/],
    ]
    for (const [was, now, where, says] of cases) {
      const answer = await judged(hot(was), hot(now))
      assert.equal(answer.allowed, false, JSON.stringify(now))
      assert.equal(answer.status?.details.causes[0]?.field, where)
      assert.match(answer.status?.message ?? '', says)
    }
  })
  test('has nothing to say of what goes, of other changes, and of a pod’s subresources', async () => {
    const gone = hot([{ name: 'fast', subnet: 'back' }])
    assert.ok((await judged(gone, {})).allowed, 'its Subnet is gone')
    assert.ok((await judged(gone, { ...gone, 'example.org/x': 'y' })).allowed)
    assert.ok((await judged({}, gone, { subResource: 'status' })).allowed, 'the policy on pods judges that')
  })
  test('without the pod as it was is refused', async () => {
    const answer = await ask(server, '/validate-pods', reviewOf(podWith(stays), { operation: 'UPDATE' }))
    assert.deepEqual([answer.allowed, answer.status?.code], [false, 400])
  })
})

describe('a change over REST', () => {
  let rest: Harness
  before(async () => {
    rest = await openHarness()
    await rest.network('p', { vni: 5001 })
  })
  after(() => rest.close())
  const path = '/v1/namespaces/p/pods/web'

  test('is judged alike, and everything else of the pod’s NICs stays', async () => {
    const annotations = { 'megrez.io/vpc': 'vpc-1a2b3c4d', 'megrez.io/nics': '[{"name":"eth0","subnet":"subnet-1"}]' }
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web', annotations }, spec: { containers: [{ name: 'c', image: 'i' }] } }
    const made = await rest.ask('POST /v1/namespaces/p/pods', { body: pod })
    assert.equal(made.status, 201, made.text)
    const change = (to: Record<string, unknown>, query = '') =>
      rest.ask(`PATCH ${path}${query}`, { body: { metadata: { annotations: to } }, headers: { 'if-match': '*' } })
    const fast = hot([{ name: 'fast', subnet: 'subnet-1', ip: '192.168.0.9' }])
    assert.equal((await change(fast, '?dryRun=true')).status, 200)
    assert.deepEqual((await rest.store.list('IPLock')).items, [])
    assert.equal((await change(fast)).status, 200)
    const [lock] = (await rest.store.list('IPLock')).items
    assert.deepEqual([lock?.spec.address, lock?.spec.reservation?.nic], ['192.168.0.9', 'fast'])
    const wrong = await change(hot([{ name: 'fast', subnet: 'subnet-1', ip: '192.168.0.10' }]))
    assert.deepEqual([wrong.status, wrong.problem.errors?.map(({ pointer }) => pointer)], [422, [at(0)]])
    assert.equal((await change({ 'megrez.io/nics': '[]' })).status, 422)
    assert.equal((await change({ [hotNicsAnnotation]: null })).status, 200)
  })
})
