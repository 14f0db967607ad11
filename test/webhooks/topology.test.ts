// The graph over REST: whose it is, its pages, and what is asked wrongly.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { StoreUnavailable } from '../../core/errors.ts'
import type { SqliteStore } from '../../platform/store/sqlite.ts'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
before(async () => {
  rest = await openHarness()
  await rest.network('blue', { vni: 7001 })
  await rest.network('red', { vni: 7002, cidr: '10.0.0.0/24', vpc: 'secret-vpc', subnet: 'secret-subnet' })
  await rest.store.create({ kind: 'Node', metadata: { name: 'n1' }, spec: {} })
  for (const [namespace, name, subnet] of [
    ['blue', 'mine', 'subnet-1'],
    ['red', 'secret-port', 'secret-subnet'],
  ] as const)
    await rest.store.create({ kind: 'Port', metadata: { namespace, name }, spec: { subnet, node: 'n1' } })
})
after(() => rest.close())

interface Shown {
  readonly nodes: readonly { readonly id: string; readonly seen: boolean; readonly ports?: number }[]
  readonly edges: readonly { readonly id: string }[]
  readonly parts: readonly string[]
  readonly continue?: string
}
const shownBy = ({ body }: Answer): Shown => body as unknown as Shown
const ids = (answer: Answer): readonly string[] => shownBy(answer).nodes.map(({ id }) => id)
const as = async (scope: string, path: string, namespaces?: readonly string[]): Promise<Answer> => {
  const token = await rest.issuer.issue({ subject: 'alice', scope, ...(namespaces && { namespaces }) }, 600)
  return rest.ask(`GET /v1/topology${path}`, { headers: { authorization: `Bearer ${token}` } })
}

describe('the graph', () => {
  test('of all is all, and of a VNI what is on it', async () => {
    const all = ids(await rest.ask('GET /v1/topology'))
    for (const id of ['Vpc/blue/vpc-1a2b3c4d', 'Port/red/secret-port', 'Node/n1', 'Segment/7001']) assert.ok(all.includes(id), id)
    const one = await rest.ask('GET /v1/topology?vni=7001')
    assert.deepEqual([...ids(one)].sort(), ['Node/n1', 'Port/blue/mine', 'Segment/7001', 'Subnet/blue/subnet-1', 'Vpc/blue/vpc-1a2b3c4d'])
    assert.deepEqual(shownBy(one).parts, ['segment 00007001'])
  })

  test('comes in pages, and a place leads on in its own question alone', async () => {
    const seen = new Set<string>()
    let place = ''
    let pages = 0
    do {
      const answer = await rest.ask(`GET /v1/topology?limit=1${place}`)
      for (const id of ids(answer)) seen.add(id)
      place = shownBy(answer).continue === undefined ? '' : `&continue=${shownBy(answer).continue}`
      pages++
    } while (place !== '')
    assert.ok(pages >= 3)
    assert.deepEqual(seen, new Set(ids(await rest.ask('GET /v1/topology'))))
    const first = shownBy(await rest.ask('GET /v1/topology?limit=1')).continue
    assert.equal((await rest.ask(`GET /v1/topology?limit=1&namespace=blue&continue=${first}`)).status, 400)
  })

  test('is refused by parameter where it is asked wrongly', async () => {
    for (const [query, parameter] of [
      ['vni=0', 'vni'],
      ['vni=16777216', 'vni'],
      ['vni=7e1', 'vni'],
      ['limit=0', 'limit'],
      ['limit=20001', 'limit'],
      ['ports=maybe', 'ports'],
      [`physicalNetwork=${'x'.repeat(254)}`, 'physicalNetwork'],
      [`physicalNetwork=${encodeURIComponent('<b>\u202e')}`, 'physicalNetwork'],
      ['namespace=A', 'namespace'],
      ['continue=x', 'continue'],
      ['kind=Port', 'kind'],
    ]) {
      const { status, problem } = await rest.ask(`GET /v1/topology?${query}`)
      assert.deepEqual([status, problem.errors?.[0]?.parameter], [400, parameter], query)
    }
  })
})

describe('the picture', () => {
  test('is of what there is, and follows it', async () => {
    assert.ok(ids(await rest.ask('GET /v1/topology/picture')).includes('Subnet/blue/subnet-1'))
    await rest.store.create({ kind: 'Port', metadata: { namespace: 'blue', name: 'late' }, spec: { subnet: 'subnet-1', node: 'n1' } })
    assert.ok(ids(await rest.ask('GET /v1/topology/picture?open=all')).includes('Dot/blue/late'))
    await rest.store.delete({ kind: 'Port', namespace: 'blue', name: 'late' })
    assert.ok(!ids(await rest.ask('GET /v1/topology/picture?open=all')).includes('Dot/blue/late'))
  })

  test('is refused by parameter where it is asked wrongly', async () => {
    for (const [query, parameter] of [
      ['by=rack', 'by'],
      ['vni=0', 'vni'],
      ['vpc=blue', 'vpc'],
      ['vpc=a/b/c', 'vpc'],
      [`vpc=${encodeURIComponent('a/<b>')}`, 'vpc'],
      [`node=${encodeURIComponent('\u202e')}`, 'node'],
      [`node=${'x'.repeat(254)}`, 'node'],
      ['phase=broken', 'phase'],
      ['follow=web', 'follow'],
      ['follow=blue/web,', 'follow'],
      [`follow=${Array(9).fill('blue/web').join()}`, 'follow'],
      [`open=${'a,'.repeat(500)}a`, 'open'],
      ['limit=2001', 'limit'],
      ['ports=true', 'ports'],
    ]) {
      const { status, problem } = await rest.ask(`GET /v1/topology/picture?${query}`)
      assert.deepEqual([status, problem.errors?.[0]?.parameter], [400, parameter], query)
    }
  })
})

test('is as the store is though its watches break', async () => {
  async function* broken(): AsyncGenerator<never> {
    await Promise.resolve()
    yield* []
    throw new StoreUnavailable({ reason: 'it is cut off' })
  }
  const own = await openHarness(
    (store) => Object.create(store, { watch: { value: broken }, list: { value: store.list.bind(store) } }) as SqliteStore,
  )
  try {
    for (const name of ['n1', 'n2', 'n3']) {
      await own.store.create({ kind: 'Node', metadata: { name }, spec: {} })
      assert.ok(ids(await own.ask('GET /v1/topology')).includes(`Node/${name}`), name)
    }
  } finally {
    await own.close()
  }
})

describe('a viewer of one namespace', () => {
  test("finds nothing of another's: no object, no edge, no count", async () => {
    for (const path of ['', '?ports=false', '?namespace=blue', '?vni=7002', '?vni=7001&physicalNetwork=default']) {
      const answer = await as('viewer', path, ['blue'])
      assert.equal(answer.status, 200)
      assert.doesNotMatch(answer.text, /red|secret|7002/, path)
    }
    for (const path of ['', '?open=all', '?by=vpc&open=all', '?vni=7002', '?vpc=red/secret-vpc', '?namespace=blue']) {
      const answer = await as('viewer', `/picture${path}`, ['blue'])
      assert.equal(answer.status, 200)
      assert.doesNotMatch(answer.text, /\bred\b|secret|7002/, path)
    }
    const node = shownBy(await as('viewer', '', ['blue'])).nodes.find(({ id }) => id === 'Node/n1')
    assert.deepEqual([node?.seen, node?.ports], [false, undefined], 'a Node that his own Port names')
    const counted = shownBy(await as('viewer', '?ports=false', ['blue'])).nodes.find(({ id }) => id === 'Subnet/blue/subnet-1')
    assert.equal(counted?.ports, 1)
  })

  test('is answered alike of a VNI that another has and one that nobody has', async () => {
    const [there, absent] = [await as('viewer', '?vni=7002', ['blue']), await as('viewer', '?vni=7003', ['blue'])]
    assert.deepEqual([there.status, there.text], [absent.status, absent.text])
  })

  test('is refused another namespace alike whether it is there or not', async () => {
    const [there, absent] = [await as('viewer', '?namespace=red', ['blue']), await as('viewer', '?namespace=nowhere', ['blue'])]
    assert.deepEqual([there.status, there.text], [403, absent.text])
  })
})

test('a provider sees networks and Ports, and no pod beyond the name that a Port has', async () => {
  await rest.store.create({ kind: 'Pod', metadata: { namespace: 'blue', name: 'web' }, spec: { nodeName: 'n1' } })
  const answer = await as('provider', '')
  assert.ok(ids(answer).includes('Port/blue/mine'))
  assert.doesNotMatch(answer.text, /web/)
})
