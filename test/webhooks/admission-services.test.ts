// Services of our class at admission: the pool that they name may be theirs, or they are refused where they name it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { buildAdmission } from '../../webhooks/server.ts'
import { ask, furnish, openAdmission, reviewOf, type AdmissionTestServer } from './admission-test-server.ts'

let cluster: AdmissionTestServer
let server: ReturnType<typeof buildAdmission>
before(async () => {
  cluster = await openAdmission()
  await furnish(cluster)
  const block = { vlan: { physicalNetwork: 'physnet1', id: 100 } }
  await cluster.make(
    'Subnet',
    'a/vlan',
    { vpc: 'tagged', ipv4: { cidr: '10.9.0.0/24' } },
    { sections: { segment: { ...block, validated: true } } },
  )
  server = cluster.server()
  await server.ready()
})
after(() => cluster.close())

interface Described {
  readonly annotations?: object
  readonly spec?: object
}
const service = ({ annotations = { 'megrez.io/subnet': 'front' }, spec = {} }: Described, namespace = 'a'): object => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace, annotations },
  spec: { type: 'LoadBalancer', loadBalancerClass: 'megrez.io/services', ports: [{ port: 80 }], ...spec },
})
/** The path that is refused, and why; undefined: it is taken. */
async function refusalOf(object: object, more: Readonly<Record<string, unknown>> = {}): Promise<readonly string[] | undefined> {
  const kind = { group: '', version: 'v1', kind: 'Service' }
  const { allowed, status } = await ask(server, '/validate-objects', reviewOf(object, { kind, ...more }))
  const [cause] = status?.details.causes ?? []
  return allowed ? undefined : [cause?.field ?? '', cause?.message ?? '']
}

describe('a Service of our class', () => {
  test('is taken where its pool may be its, and where it names addresses that may be had', async () => {
    assert.equal(await refusalOf(service({})), undefined)
    const annotations = { 'megrez.io/subnet': 'a/front', 'megrez.io/address': '10.0.0.9' }
    assert.equal(await refusalOf(service({ annotations, spec: { loadBalancerIP: '192.0.2.1' } })), undefined)
  })

  const pool = '/metadata/annotations/megrez.io~1subnet'
  const cases: Readonly<Record<string, readonly [Described, string, RegExp, string?]>> = {
    'names no pool': [{ annotations: {} }, pool, /^names no pool: name or namespace\/name of a Subnet/],
    'names one that is not there': [{ annotations: { 'megrez.io/subnet': 'other' } }, pool, /^Subnet a\/other not found for namespace a$/],
    'names one of a Vpc that is not shared with it': [
      { annotations: { 'megrez.io/subnet': 'a/front' } },
      pool,
      /^Subnet a\/front not found for namespace b$/,
      'b',
    ],
    'names one of a VLAN': [{ annotations: { 'megrez.io/subnet': 'vlan' } }, pool, /is of a VLAN: name one of a Vpc that has a VNI$/],
    'names the gateway': [
      { annotations: { 'megrez.io/subnet': 'front', 'megrez.io/address': '10.0.0.1' } },
      '/metadata/annotations/megrez.io~1address',
      /^10\.0\.0\.1 is the gateway of Subnet front$/,
    ],
    'asks for an address outside': [{ spec: { loadBalancerIP: '192.0.2.1' } }, '/spec/loadBalancerIP', /^192\.0\.2\.1 is not in/],
    'names who may come': [
      { spec: { loadBalancerSourceRanges: ['192.0.2.0/24'] } },
      '/spec/loadBalancerSourceRanges',
      /^is enforced by nobody for this class: leave it out/,
    ],
  }
  for (const [name, [described, at, message, namespace = 'a']] of Object.entries(cases))
    test(`that ${name} is refused there, and by the words that would be right`, async () => {
      const [where, why] = (await refusalOf(service(described, namespace), { namespace }))!
      assert.equal(where, at)
      assert.match(why!, message)
    })

  test('is not judged where what is wrong was there before, where it goes, and by its status', async () => {
    const wrong = service({ annotations: {} })
    const changed = service({ annotations: {}, spec: { ports: [{ port: 81 }] } })
    assert.equal(await refusalOf(changed, { operation: 'UPDATE', oldObject: wrong }), undefined)
    assert.ok(await refusalOf(wrong, { operation: 'UPDATE', oldObject: service({}) }))
    assert.equal(await refusalOf(wrong, { subResource: 'status' }), undefined)
    assert.equal(await refusalOf(wrong, { operation: 'DELETE' }), undefined)
    const going = { ...wrong, metadata: { name: 'web', namespace: 'a', deletionTimestamp: '2026-01-01T00:00:00Z' } }
    assert.equal(await refusalOf(wrong, { operation: 'UPDATE', oldObject: going }), undefined)
  })

  test('of another class, or none, is not looked at', async () => {
    for (const spec of [{ loadBalancerClass: 'metallb.io/metallb' }, { type: 'ClusterIP' }, { loadBalancerClass: undefined }])
      assert.equal(await refusalOf(service({ annotations: { 'megrez.io/subnet': 'nowhere' }, spec })), undefined)
  })
})
