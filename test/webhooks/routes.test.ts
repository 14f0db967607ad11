// Where an address is by BGP, over REST: from the locks to the node, and for nobody who may not see the BGPSpeakers.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { lockName } from '../../core/plan/builtin/locks.ts'
import { openHarness, type Harness } from './rest-harness.ts'

let rest: Harness
before(async () => {
  rest = await openHarness()
  const { store } = rest
  const speaks = (n: number) => ({
    name: 'edge',
    as: 64512,
    routerID: `192.0.2.${n}`,
    table: 1000,
    addresses: { ipv4: `192.0.2.${n}` },
    sessions: [],
    advertise: [{ cidr: '10.1.0.0/24', vni: 7001, hostRoutes: true }],
    imports: [],
    maximumPaths: 1,
  })
  for (const n of [1, 2])
    await store.create({ kind: 'BGPSpeaker', metadata: { name: `n${n}` }, spec: { node: `n${n}`, groups: [speaks(n)] } })
  await rest.network('a', { vni: 7001, cidr: '10.1.0.0/24' })
  const port = await store.create({ kind: 'Port', metadata: { namespace: 'a', name: 'web' }, spec: { subnet: 'subnet-1', node: 'n2' } })
  const holder = { kind: 'Port', namespace: 'a', name: 'web', uid: port.metadata.uid }
  const lock = { namespace: 'a', name: lockName(7001, { address: '10.1.0.7' })! }
  await store.create({ kind: 'IPLock', metadata: lock, spec: { vni: 7001, address: '10.1.0.7', subnet: 'subnet-1', holder } })
  if ((await store.get({ kind: 'SegmentLock', name: 'vni-7001' })) === undefined)
    await store.create({
      kind: 'SegmentLock',
      metadata: { name: 'vni-7001' },
      spec: { vni: 7001, holder: { kind: 'Vpc', namespace: 'a', name: 'v', uid: 'v' } },
    })
})
after(() => rest.close())

test('an address is on the node of the Port that holds its lock, and on none where nobody does', async () => {
  const { status, body } = await rest.ask('GET /v1/routes?to=10.1.0.7')
  assert.equal(status, 200)
  assert.deepEqual(body['ways'], [
    {
      group: 'edge',
      vni: 7001,
      prefix: '10.1.0.7/32',
      way: 'host',
      hops: [{ node: 'n2', address: '192.0.2.2', established: 0, configured: 0 }],
    },
  ])
  const nobody = (await rest.ask('GET /v1/routes?to=10.1.0.8')).body as unknown as { readonly ways: readonly { readonly way: string }[] }
  assert.deepEqual(
    nobody.ways.map(({ way }) => way),
    ['nobody'],
  )
})

test('what is no address is refused by parameter, and an owner of a namespace by his rights', async () => {
  assert.equal((await rest.ask('GET /v1/routes?to=10.1.0.0/24')).status, 400)
  assert.equal((await rest.ask('GET /v1/routes')).status, 400)
  const token = await rest.issuer.issue({ subject: 'olga', scope: 'owner', namespaces: ['a'] }, 600)
  const refused = await rest.ask('GET /v1/routes?to=10.1.0.7', { headers: { authorization: `Bearer ${token}` } })
  assert.equal(refused.status, 403)
})
