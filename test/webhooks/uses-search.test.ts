// Who refers to whom, and what is found, over REST: what each caller sees of it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
const long = `${'x'.repeat(250)}-9z`
before(async () => {
  rest = await openHarness()
  await rest.network('blue', { vni: 7001 })
  await rest.network('red', { vni: 7002, cidr: '10.9.0.0/24', vpc: 'secret-vpc', subnet: 'secret-subnet' })
  await rest.store.create({ kind: 'Node', metadata: { name: 'node-1' }, spec: {} })
  await rest.store.create({ kind: 'SecurityGroup', metadata: { namespace: 'blue', name: 'web' }, spec: {} })
  for (const [namespace, name, subnet, address] of [
    ['blue', 'mine', 'subnet-1', '192.168.0.7'],
    ['red', 'secret-port', 'blue/subnet-1', '192.168.0.8'],
    ['blue', long, 'subnet-1', '192.168.0.9'],
  ] as const) {
    const { metadata } = await rest.store.create({
      kind: 'Port',
      metadata: { namespace, name },
      spec: { subnet, node: 'node-1', portID: `id-of-${name}`.slice(0, 253), securityGroups: ['web'] },
    })
    await rest.store.patchStatus(
      { ref: { kind: 'Port', namespace, name }, uid: metadata.uid },
      { address: { addresses: [address], mac: `0a:00:00:00:00:0${address.at(-1)}`, vni: 7001 } },
    )
  }
})
after(() => rest.close())

const as = async (path: string, ...namespaces: readonly string[]): Promise<Answer> => {
  const token = await rest.issuer.issue({ subject: 'alice', scope: 'viewer', ...(namespaces.length > 0 && { namespaces }) }, 600)
  return rest.ask(`GET ${path}`, { headers: { authorization: `Bearer ${token}` } })
}
interface Item {
  readonly kind: string
  readonly namespace?: string
  readonly name: string
  readonly at: string
}
const listed = ({ body }: Answer, field: string): readonly string[] =>
  ((body[field] ?? []) as readonly Item[]).map(({ kind, namespace, name, at }) => `${kind} ${namespace ?? ''}/${name} ${at}`)

describe('who uses an object', () => {
  test('is told from its fields and from those of others, with the field', async () => {
    const port = await as('/v1/uses/ports/blue/mine')
    assert.deepEqual(listed(port, 'uses'), [
      'Subnet blue/subnet-1 /spec/subnet',
      'SecurityGroup blue/web /spec/securityGroups/0',
      'Node /node-1 /spec/node',
    ])
    const subnet = await as('/v1/uses/Subnet/blue/subnet-1')
    assert.deepEqual([...listed(subnet, 'usedBy')].sort(), [
      'Port blue/mine /spec/subnet',
      `Port blue/${long} /spec/subnet`,
      'Port red/secret-port /spec/subnet',
    ])
    assert.equal(listed(await as('/v1/uses/nodes/node-1'), 'usedBy').length, 3)
  })

  test("is told to a tenant without another's", async () => {
    const subnet = await as('/v1/uses/subnets/blue/subnet-1', 'blue')
    assert.equal(listed(subnet, 'usedBy').length, 2)
    assert.doesNotMatch(subnet.text, /red|secret/)
    const [there, absent] = [await as('/v1/uses/ports/red/secret-port', 'blue'), await as('/v1/uses/ports/red/none', 'blue')]
    assert.deepEqual([there.status, there.text], [403, absent.text])
    assert.equal((await as('/v1/uses/nodes/node-1', 'blue')).status, 403)
  })

  test('is asked of what is a kind, in its scope', async () => {
    for (const path of [
      '/v1/uses/prots/blue/mine',
      '/v1/uses/nodes/blue/node-1',
      '/v1/uses/ports/mine',
      '/v1/uses/secrets/blue/x',
      '/v1/uses/ports/blue/none',
    ])
      assert.equal((await as(path)).status, 404, path)
    assert.equal((await as(`/v1/uses/ports/blue/${long}`)).status, 200)
  })
})

describe('a search', () => {
  const found = async (q: string, ...namespaces: readonly string[]): Promise<readonly string[]> =>
    listed(await as(`/v1/search?q=${encodeURIComponent(q)}`, ...namespaces), 'items')

  test('finds by part of a name, the very name first', async () => {
    assert.equal((await found('MINE'))[0], 'Port blue/mine /metadata/name')
    assert.deepEqual(await found('secret-s'), ['Subnet red/secret-subnet /metadata/name'])
    assert.ok((await found('9z')).some((each) => each.startsWith('Port blue/xxx')))
  })

  test('finds by address, also the block that holds it, by MAC, portID and VNI', async () => {
    assert.deepEqual(await found('192.168.0.7'), ['Subnet blue/subnet-1 /spec/ipv4/cidr', 'Port blue/mine /status/addresses/0'])
    assert.deepEqual(await found('0A-00-00-00-00-07'), ['Port blue/mine /status/mac'])
    assert.deepEqual(await found('id-of-mine'), ['Port blue/mine /spec/portID'])
    assert.ok((await found('7002')).includes('Vpc red/secret-vpc /status/vni'))
  })

  test("finds nothing of another tenant's, by nothing that it has", async () => {
    for (const q of ['secret', '192.168.0.8', '0a:00:00:00:00:08', '7002', '10.9.0.1', 'id-of-secret-port', 'node-1']) {
      const [theirs, nobodys] = [await as(`/v1/search?q=${q}`, 'blue'), await as('/v1/search?q=nobodys', 'blue')]
      assert.doesNotMatch(theirs.text, /red|secret|node-1"/, q)
      if (q !== '192.168.0.8' && q !== 'node-1') assert.equal(theirs.text, nobodys.text, q)
    }
    assert.equal((await as('/v1/search?q=x&namespace=red', 'blue')).status, 403)
  })

  test('is bounded, and says so', async () => {
    const one = await as('/v1/search?q=e&limit=1')
    assert.deepEqual([listed(one, 'items').length, one.body['complete']], [1, false])
    assert.equal((await as('/v1/search?q=secret-vpc')).body['complete'], true)
  })

  test('takes any text for a text, and refuses none and too much of it', async () => {
    for (const q of ['<script>', '\u202egnp.exe', 'a|b', '.*', '%', "'; DROP", '(', 'ı', '::', '1'.repeat(200)])
      assert.deepEqual(await found(q), [], q)
    for (const query of ['', 'q=', 'q=%20', `q=${'a'.repeat(254)}`]) {
      const { status, problem } = await as(`/v1/search?${query}`)
      assert.deepEqual([status, problem.errors?.[0]?.parameter], [400, 'q'])
    }
    assert.equal((await as('/v1/search?q=a&limit=101')).status, 400)
  })
})
