import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
before(async () => {
  rest = await openHarness()
  for (const namespace of ['p1', 'p2', 'p3', 'p4', 'p5', 'all'])
    await rest.network(namespace, { vni: 5000 + Number(namespace.slice(1) || 9) })
  for (const namespace of ['p4', 'p5'])
    await rest.store.create({ kind: 'Port', metadata: { namespace, name: 'premade' }, spec: { subnet: 'subnet-1', portID } })
})
after(() => rest.close())

const portID = 'a2815656-76f7-46d4-9d11-057063db1a14'
const yaml = { 'content-type': 'application/yaml' }
interface Pod {
  readonly metadata: {
    readonly name: string
    readonly uid: string
    readonly annotations: Readonly<Record<string, string>>
    readonly labels: Readonly<Record<string, string>>
    readonly finalizers?: readonly string[]
  }
  readonly spec: { readonly containers: readonly object[]; readonly vpc?: unknown; readonly nics?: unknown; readonly VMs?: unknown }
  readonly status: { readonly phase: string }
}
const podOf = (answer: Answer): Pod => answer.body as unknown as Pod
const pointers = (answer: Answer) => answer.problem.errors?.map((each) => each.pointer)
const pod = (name: string, annotations: Readonly<Record<string, string>> = {}, spec: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, annotations },
  spec: { containers: [{ name: 'c', image: 'i' }], ...spec },
})

/** The pod of a sample file, which holds its Vpc, Subnets and Ports as well. */
async function sample(n: number): Promise<string> {
  const text = await readFile(join(import.meta.dirname, `../../examples/pod${n}.yaml`), 'utf8')
  const found = text.split(/^---\s*$/m).find((part) => /^kind: Pod$/m.test(part))
  assert.ok(found !== undefined)
  return found.replace(/^ {2}namespace: .*\n/m, '')
}

describe('a literal Alkaid pod', () => {
  const wanted: Readonly<Record<number, readonly object[]>> = {
    1: [{ name: 'eth0', subnet: 'subnet-1' }],
    2: [{ name: 'eth0', subnet: 'subnet-1' }],
    3: [{ name: 'eth0', subnet: 'subnet-1', ip: '192.168.0.12' }],
    4: [{ name: 'eth0', portID }],
    5: [
      { name: 'eth0', subnet: 'subnet-1', ip: '192.168.0.12', securityGroup: 'aa5db150-a63d-4bd1-8d70-2dff67c6a5d9' },
      { name: 'eth1', portID },
    ],
  }
  for (const [n, nics] of Object.entries(wanted)) {
    test(`pod${n} of the seed is stored as Kubernetes would have it, with its NICs completed`, async () => {
      const made = await rest.ask(`POST /v1/namespaces/p${n}/pods`, { body: await sample(Number(n)), headers: yaml })
      assert.equal(made.status, 201, made.text)
      const { metadata, spec, status } = podOf(made)
      assert.equal(made.headers['location'], `/v1/namespaces/p${n}/pods/${metadata.name}`)
      assert.deepEqual(JSON.parse(metadata.annotations['megrez.io/nics'] ?? ''), nics)
      assert.equal(metadata.annotations['megrez.io/vpc'], 'vpc-1a2b3c4d')
      assert.equal(metadata.labels['megrez.io/managed'], 'true')
      assert.deepEqual(
        [spec.vpc, spec.nics, spec.VMs, spec.containers.length, status.phase],
        [undefined, undefined, undefined, 1, 'Pending'],
      )
      assert.deepEqual((await rest.ask(`GET /v1/namespaces/p${n}/pods/${metadata.name}`)).body, made.body)
    })
  }

  test('that wants an address which is taken is refused, at the field that was written', async () => {
    const taken = await rest.ask('POST /v1/namespaces/p3/pods', {
      body: {
        ...pod('rival'),
        spec: { containers: [{ name: 'c' }], vpc: 'vpc-1a2b3c4d', nics: [{ subnet: 'subnet-1', ip: '192.168.0.12' }] },
      },
    })
    assert.equal(taken.status, 422, taken.text)
    assert.deepEqual(pointers(taken), ['/spec/nics/0/ip'])
    assert.equal(await rest.store.get({ kind: 'Pod', namespace: 'p3', name: 'rival' }), undefined)
  })

  const refusals: Readonly<Record<string, { spec: object; at: string }>> = {
    'an unknown Subnet': { spec: { vpc: 'vpc-1a2b3c4d', nics: [{ subnet: 'nowhere' }] }, at: '/spec/nics/0/subnet' },
    'an unknown Vpc': { spec: { vpc: 'nowhere' }, at: '/spec/vpc' },
    'an address outside': {
      spec: { vpc: 'vpc-1a2b3c4d', nics: [{ subnet: 'subnet-1' }, { subnet: 'subnet-1', ip: '10.9.9.9' }] },
      at: '/spec/nics/1/ip',
    },
    'an unknown NIC field': { spec: { vpc: 'vpc-1a2b3c4d', nics: [{ subnett: 'subnet-1' }] }, at: '/spec/nics/0/subnett' },
    'an unknown portID': { spec: { vpc: 'vpc-1a2b3c4d', nics: [{ portID: 'nobody' }] }, at: '/spec/nics/0/portID' },
    'too many NICs': { spec: { vpc: 'vpc-1a2b3c4d', nics: Array.from({ length: 9 }, () => ({ subnet: 'subnet-1' })) }, at: '/spec/nics/8' },
    'a field of another spelling': { spec: { vpcs: 'vpc-1a2b3c4d' }, at: '/spec/vpcs' },
    'no containers and no VM': { spec: { containers: [], vpc: 'vpc-1a2b3c4d' }, at: '/spec/containers' },
    'a node that is no string': { spec: { nodeName: [], vpc: 'vpc-1a2b3c4d' }, at: '/spec/nodeName' },
    'a host network that is neither': { spec: { hostNetwork: 'yes', vpc: 'vpc-1a2b3c4d' }, at: '/spec/hostNetwork' },
    'a VM that is not understood': {
      spec: { containers: undefined, VMs: [{ name: 'v', image: 'i', keyPair: 'k' }], vpc: 'vpc-1a2b3c4d' },
      at: '/spec/VMs/0/keyPair',
    },
    'more NICs than its flavor has': {
      spec: {
        containers: undefined,
        VMs: [{ name: 'v', image: 'i', flavor: 'm1.large' }],
        vpc: 'vpc-1a2b3c4d',
        nics: [{ subnet: 'subnet-1' }, { subnet: 'subnet-1' }, { subnet: 'subnet-1' }],
      },
      at: '/spec/nics/2',
    },
  }
  for (const [what, { spec, at }] of Object.entries(refusals)) {
    test(`with ${what} is refused, and nothing is half-made`, async () => {
      const before = (await rest.store.list('IPLock')).resourceVersion
      const answer = await rest.ask('POST /v1/namespaces/all/pods', {
        body: { ...pod('wrong'), spec: { containers: [{ name: 'c' }], ...spec } },
      })
      assert.equal(answer.status, 422, answer.text)
      assert.deepEqual(pointers(answer), [at], answer.text)
      assert.equal((await rest.store.list('IPLock')).resourceVersion, before)
    })
  }
})

describe('a pod', () => {
  test('with annotations is admitted as it is, and told where they are wrong', async () => {
    assert.equal(
      (await rest.ask('POST /v1/namespaces/all/pods', { body: pod('annotated', { 'megrez.io/vpc': 'vpc-1a2b3c4d' }) })).status,
      201,
    )
    const wrong = await rest.ask('POST /v1/namespaces/all/pods', {
      body: pod('wrong', { 'megrez.io/vpc': 'vpc-1a2b3c4d', 'megrez.io/nics': '[{"subnet":"subnet-1","ip":"x"}]' }),
    })
    assert.deepEqual(pointers(wrong), ['/metadata/annotations/megrez.io~1nics/0/ip'])
  })

  test('that asks for nothing is stored as it is', async () => {
    const made = await rest.ask('POST /v1/namespaces/all/pods', { body: pod('plain') })
    assert.deepEqual([made.status, podOf(made).metadata.labels], [201, undefined])
  })

  test('whose name is taken is a conflict, not a quarrel over its own address', async () => {
    const body = pod('twice', { 'megrez.io/vpc': 'vpc-1a2b3c4d', 'megrez.io/nics': '[{"subnet":"subnet-1","ip":"192.168.0.77"}]' })
    assert.equal((await rest.ask('POST /v1/namespaces/all/pods', { body })).status, 201)
    const again = await rest.ask('POST /v1/namespaces/all/pods', { body })
    assert.deepEqual([again.status, again.problem.code], [409, 'already-exists'])
  })

  test('may leave its name to us, also when many do at once', async () => {
    const body = { ...pod(''), metadata: { generateName: 'many-', annotations: { 'megrez.io/vpc': 'vpc-1a2b3c4d' } } }
    const made = await Promise.all(Array.from({ length: 20 }, () => rest.ask('POST /v1/namespaces/all/pods', { body })))
    assert.deepEqual([...new Set(made.map((each) => each.status))], [201])
    assert.equal(new Set(made.map((each) => podOf(each).metadata.name)).size, 20)
    for (const each of made) assert.match(podOf(each).metadata.name, /^many-[0-9a-z]{5}$/)
  })

  test('is only tried with dryRun: no pod, no reservation', async () => {
    const before = (await rest.store.list('IPLock')).resourceVersion
    const tried = await rest.ask('POST /v1/namespaces/all/pods?dryRun=true', {
      body: pod('dry', { 'megrez.io/vpc': 'vpc-1a2b3c4d', 'megrez.io/nics': '[{"subnet":"subnet-1","ip":"192.168.0.88"}]' }),
    })
    assert.equal(tried.status, 201, tried.text)
    assert.match(podOf(tried).metadata.annotations['megrez.io/nics'] ?? '', /"name":"eth0"/)
    assert.equal((await rest.store.list('IPLock')).resourceVersion, before)
  })

  test('of an unknown flavor is warned', async () => {
    const made = await rest.ask('POST /v1/namespaces/all/pods', {
      body: pod('flavored', { 'megrez.io/vpc': 'vpc-1a2b3c4d', 'megrez.io/vm-flavor': 'm9.huge' }),
    })
    assert.equal(made.status, 201, made.text)
    assert.match(String(made.headers['warning']), /^299 megrez ".*m9\.huge/)
  })

  test('is not made in a namespace that is going', async () => {
    await rest.ask('POST /v1/namespaces', { body: { metadata: { name: 'going' } } })
    assert.equal((await rest.ask('DELETE /v1/namespaces/going', { headers: { 'if-match': '*' } })).status, 202)
    for (const query of ['', '?dryRun=true']) {
      const refused = await rest.ask(`POST /v1/namespaces/going/pods${query}`, { body: pod('late') })
      assert.deepEqual([refused.status, refused.problem.code], [403, 'namespace-terminating'], query)
    }
  })

  test('keeps what it was made with, save that it is bound once', async () => {
    const path = '/v1/namespaces/all/pods/annotated'
    const change = (body: object) => rest.ask(`PATCH ${path}`, { body, headers: { 'if-match': '*' } })
    assert.deepEqual(pointers(await change({ metadata: { annotations: { 'megrez.io/vpc': 'other', 'megrez.io/nics': null } } })), [
      '/metadata/annotations/megrez.io~1vpc',
      '/metadata/annotations/megrez.io~1nics',
    ])
    assert.deepEqual(pointers(await change({ spec: { containers: [{ name: 'other' }] } })), ['/spec'])
    assert.equal((await change({ metadata: { labels: { more: 'yes' } } })).status, 200)
    assert.equal((await change({ spec: { nodeName: 'n1' } })).status, 200)
    assert.deepEqual(pointers(await change({ spec: { nodeName: 'n2' } })), ['/spec/nodeName'])
  })

  test('is deleted at once, or after its notice', async () => {
    assert.equal((await rest.ask('DELETE /v1/namespaces/all/pods/plain', { headers: { 'if-match': '*' } })).status, 204)
    const body = pod('told', { 'megrez.io/vpc': 'vpc-1a2b3c4d', 'megrez.io/callback-url': 'https://192.0.2.1/' })
    const made = await rest.ask('POST /v1/namespaces/all/pods', {
      body: {
        ...body,
        metadata: { ...body.metadata, annotations: { ...body.metadata.annotations, 'megrez.io/callback-url': 'https://example.org/' } },
      },
    })
    assert.deepEqual(podOf(made).metadata.finalizers, ['megrez.io/notice'])
    assert.equal(
      (await rest.ask('DELETE /v1/namespaces/all/pods/told', { headers: { 'if-match': String(made.headers['etag']) } })).status,
      202,
    )
  })
})

describe('what runs a pod says how it does', () => {
  const path = '/v1/namespaces/all/pods/running'
  before(() => rest.ask('POST /v1/namespaces/all/pods', { body: pod('running') }))
  const say = (status: unknown, headers: Record<string, string> = { 'if-match': '*' }) =>
    rest.ask(`PATCH ${path}/status`, { body: { status }, headers })

  test('through its status, with If-Match', async () => {
    const running = await say({ phase: 'Running', podIP: '192.0.2.7' })
    assert.deepEqual([running.status, running.body['status']], [200, { phase: 'Running', podIP: '192.0.2.7' }])
    assert.equal((await say({ phase: 'Succeeded' }, { 'if-match': '"old"' })).status, 412)
    assert.equal((await say({ phase: 'Succeeded' }, {})).status, 428)
    assert.deepEqual((await say({ phase: 'Succeeded', podIP: null }, { 'if-match': String(running.headers['etag']) })).body['status'], {
      phase: 'Succeeded',
    })
  })

  test('and nothing else through it', async () => {
    assert.deepEqual(pointers(await say({ phase: 'Asleep' })), ['/status/phase'])
    assert.deepEqual(pointers(await say({ conditions: [{ status: 'True' }] })), ['/status/conditions'])
    assert.deepEqual(pointers(await say('Running')), ['/status'])
    assert.deepEqual(
      pointers(await rest.ask(`PATCH ${path}/status`, { body: { metadata: {}, status: {} }, headers: { 'if-match': '*' } })),
      ['/metadata'],
    )
    assert.equal(
      (await rest.ask(`PATCH ${path}/status?dryRun=true`, { body: { status: { phase: 'Failed' } }, headers: { 'if-match': '*' } })).status,
      200,
    )
    assert.equal(
      (await rest.ask(`GET ${path}`)).body['status'] instanceof Object && podOf(await rest.ask(`GET ${path}`)).status.phase,
      'Succeeded',
    )
    assert.equal((await rest.ask(`GET ${path}/status`)).status, 405)
  })

  test('a Node tells its addresses so', async () => {
    await rest.ask('POST /v1/nodes', { body: { metadata: { name: 'n1' } } })
    const told = await rest.ask('PATCH /v1/nodes/n1/status', {
      body: { status: { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] } },
      headers: { 'if-match': '*' },
    })
    assert.deepEqual([told.status, told.body['status']], [200, { addresses: [{ type: 'InternalIP', address: '192.0.2.1' }] }])
  })
})
