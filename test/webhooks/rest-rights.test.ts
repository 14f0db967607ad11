// Single fields over REST: what a network's owner, a guest of his Vpc and a provider may write of a Port and a Vpc, and which Secrets a
// Subscription may be pointed at. The whole table is asked of REST and of an API server alike in test/kube/rights.test.ts.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Forbidden } from '../../core/errors.ts'
import type { AccessRequest } from '../../core/admit/rest/roles.ts'
import { realClock } from '../../platform/clock.ts'
import type { ClusterAccess } from '../../webhooks/plugins/access.ts'
import { kubeAccess } from '../../webhooks/plugins/kube-access.ts'
import { ask, openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness
const scopes = {
  editor: 'operator:host',
  guest: 'operator:guest',
  owner: 'owner:host',
  both: 'operator:guest owner:host',
  provider: 'provider:host',
  admin: 'admin',
} as const
type Who = keyof typeof scopes
const tokens = {} as Record<Who, string>
before(async () => {
  rest = await openHarness(undefined, undefined, undefined, { callbackHttp: true, callbackAllow: ['127.0.0.0/8'] })
  for (const [who, scope] of Object.entries(scopes)) tokens[who as Who] = await rest.issuer.issue({ subject: who, scope }, 600)
  await rest.network('host', { vpc: 'v', subnet: 's' })
  const vpc = (await rest.store.get({ kind: 'Vpc', namespace: 'host', name: 'v' }))!
  await rest.store.update({ ...vpc, spec: { ...vpc.spec, sharedWith: ['guest'] } })
})
after(() => rest.close())

const as = (who: Who, line: string, body?: object): Promise<Answer> =>
  rest.ask(line, { headers: { authorization: `Bearer ${tokens[who]}`, 'if-match': '*' }, ...(body && { body }) })
const port = (who: Who, namespace: string, spec: object): Promise<Answer> =>
  as(who, `POST /v1/namespaces/${namespace}/ports?dryRun=true`, { metadata: { name: 'p' }, spec: { subnet: 'host/s', ...spec } })
/** 403 with the field; every other answer is told as it is. */
const verdict = ({ status, problem, text }: Answer): string =>
  status < 300 ? 'yes' : status === 403 ? `no: ${problem.errors?.[0]?.pointer ?? problem.code}` : text

describe("anti-spoofing is its network's owner's to turn off", () => {
  for (const [field, value] of [
    ['portSecurity', false],
    ['allowedAddressPairs', [{ ip: '0.0.0.0/0' }]],
  ] as const)
    test(`${field}: not a guest's of the Vpc, nor an editor's beside it, but theirs who hold the Subnet`, async () => {
      const asked: readonly (readonly [Who, string, string])[] = [
        ['guest', 'guest', 'no'],
        ['editor', 'host', 'no'],
        ['owner', 'host', 'yes'],
        ['both', 'guest', 'yes'],
        ['admin', 'guest', 'yes'],
      ]
      for (const [who, namespace, expected] of asked)
        assert.equal(
          verdict(await port(who, namespace, { [field]: value })),
          expected === 'no' ? `no: /spec/${field}` : 'yes',
          `${who} in ${namespace}`,
        )
      assert.equal(verdict(await port('guest', 'guest', {})), 'yes')
    })

  test('a Port that has it may be changed otherwise by others, and made stricter', async () => {
    await rest.store.create({
      kind: 'Port',
      metadata: { namespace: 'guest', name: 'loose' },
      spec: { subnet: 'host/s', type: 'kernel', portSecurity: false, allowedAddressPairs: [{ ip: '10.0.0.0/8' }, { ip: '192.168.0.9' }] },
    })
    const change = async (spec: object): Promise<string> =>
      verdict(await as('guest', 'PATCH /v1/namespaces/guest/ports/loose?dryRun=true', { spec }))
    assert.equal(await change({ securityGroups: ['g'] }), 'yes')
    assert.equal(await change({ portSecurity: true, allowedAddressPairs: [{ ip: '192.168.0.9' }] }), 'yes')
    assert.equal(await change({ portSecurity: null, allowedAddressPairs: null }), 'yes')
    assert.equal(await change({ allowedAddressPairs: [{ ip: '10.0.0.0/8' }, { ip: '192.168.0.10' }] }), 'no: /spec/allowedAddressPairs')
  })

  test('nobody names a QoS policy where there are none, of a Port that is there either', async () => {
    const change = (qosPolicy: string | null) => as('admin', 'PATCH /v1/namespaces/guest/ports/loose?dryRun=true', { spec: { qosPolicy } })
    const refused = async (answer: Promise<Answer>): Promise<unknown> => (await answer).problem.errors?.map(({ pointer }) => pointer)
    assert.deepEqual(await refused(change('gold')), ['/spec/qosPolicy'])
    assert.deepEqual(await refused(port('admin', 'guest', { qosPolicy: 'gold' })), ['/spec/qosPolicy'])
    assert.equal(verdict(await change(null)), 'yes')
  })

  test('the refusal of a guest says the same of a Subnet that is not there', async () => {
    const words = async (subnet: string): Promise<string> =>
      JSON.stringify((await port('guest', 'guest', { subnet, portSecurity: false })).problem)
    assert.equal(await words('host/s'), await words('host/none'))
  })
})

describe('what is ours of a Port', () => {
  const claim = { pod: 'victim', nic: 'eth0', owner: 'Pod/victim', podUID: 'u' }
  test('is written by nobody who calls, in any role', async () => {
    for (const who of ['owner', 'admin'] as const) {
      assert.equal(verdict(await port(who, 'host', { claim })), 'no: /spec/claim')
      assert.equal(verdict(await port(who, 'host', { podUID: 'u' })), 'no: /spec/podUID')
      assert.equal(verdict(await port(who, 'host', { warm: {} })), 'no: /spec/warm')
    }
  })

  test('is changed and taken away by nobody, nor is the node of a Port that is made', async () => {
    await rest.store.create({
      kind: 'Port',
      metadata: { namespace: 'host', name: 'claimed' },
      spec: { subnet: 's', type: 'kernel', claim, podUID: 'u', node: 'n1' },
    })
    const change = async (spec: object): Promise<string> =>
      verdict(await as('admin', 'PATCH /v1/namespaces/host/ports/claimed?dryRun=true', { spec }))
    assert.deepEqual(
      [
        await change({ claim: { pod: 'another' } }),
        await change({ claim: null }),
        await change({ podUID: null }),
        await change({ node: 'n2' }),
        await change({ node: null }),
        await change({ warm: { for: { name: 'another', uid: 'u' } } }),
        await change({ retain: true }),
      ],
      ['no: /spec/claim', 'no: /spec/claim', 'no: /spec/podUID', 'no: /spec/node', 'no: /spec/node', 'no: /spec/warm', 'yes'],
    )
  })
})

describe('a tenant who owns networks', () => {
  const vpc = async (who: Who, spec: object): Promise<string> =>
    verdict(await as(who, 'POST /v1/namespaces/host/vpcs?dryRun=true', { metadata: { name: 'new' }, spec }))
  test('makes Vpcs and Subnets, and leaves VNI and VLAN to us; a provider names one', async () => {
    const vlan = { physicalNetwork: 'physnet1', id: 100 }
    assert.equal(await vpc('owner', {}), 'yes')
    assert.equal(await vpc('owner', { vni: 7 }), 'no: /spec/vni')
    assert.equal(await vpc('provider', { vni: 7 }), 'yes')
    assert.equal(await vpc('owner', { vlan }), 'no: /spec/vlan')
    assert.equal(await vpc('provider', { vlan }), 'yes')
    assert.equal(await vpc('editor', {}), 'no: forbidden')
    const subnet = await as('owner', 'POST /v1/namespaces/host/subnets?dryRun=true', {
      metadata: { name: 'new' },
      spec: { vpc: 'v', ipv4: { cidr: '172.16.0.0/24' } },
    })
    assert.equal(verdict(subnet), 'yes')
    assert.equal(
      verdict(
        await as('owner', 'POST /v1/namespaces/host/l2services?dryRun=true', { metadata: { name: 'new' }, spec: { segmentationID: 7 } }),
      ),
      'no: forbidden',
    )
  })

  test('keeps a Vpc whose VNI, or whose VLAN, a provider has named, and makes none of its own one', async () => {
    const vlan = { physicalNetwork: 'physnet1', id: 100 }
    await rest.store.create({ kind: 'Vpc', metadata: { namespace: 'host', name: 'tagged' }, spec: { provider: 'builtin', vlan } })
    assert.equal(verdict(await as('owner', 'PATCH /v1/namespaces/host/vpcs/tagged?dryRun=true', { spec: { mtu: 1400 } })), 'yes')
    for (const who of ['owner', 'provider'] as const) {
      const { status, problem } = await as(who, 'PATCH /v1/namespaces/host/vpcs/v?dryRun=true', { spec: { vlan } })
      assert.deepEqual([status, problem.errors?.map(({ pointer }) => pointer)], [422, ['/spec/vlan']], who)
    }
    await rest.store.create({ kind: 'Vpc', metadata: { namespace: 'host', name: 'numbered' }, spec: { provider: 'builtin', vni: 9 } })
    assert.equal(verdict(await as('owner', 'PATCH /v1/namespaces/host/vpcs/numbered?dryRun=true', { spec: { mtu: 1400 } })), 'yes')
  })
})

describe('a Secret is pointed at by whoever may read it', () => {
  const readable = new Set(['host/mine'])
  const access: ClusterAccess = {
    wouldAllow: () => Promise.resolve(true),
    review: async (_caller, { act, kind, namespace, verb, name }: AccessRequest) => {
      if (kind === 'Secret' && !(act === 'read' && verb === 'get' && readable.has(`${namespace}/${name}`))) throw new Forbidden({})
    },
    storeFor: () => undefined,
    userOf: () => undefined,
  }
  const sink = 'http://127.0.0.1:8443/'
  const made = async (spec: object): Promise<string> => {
    const app = rest.another({ access })
    const answer = await ask(app, tokens.editor, 'POST /v1/namespaces/host/subscriptions?dryRun=true', {
      body: { metadata: { name: 'new' }, spec: { sink, ...spec } },
    })
    await app.close()
    return verdict(answer)
  }
  test("to authenticate by and to sign by; another namespace's names reach none", async () => {
    assert.equal(await made({ auth: { type: 'bearer', secret: 'mine' }, signing: { secret: 'mine' } }), 'yes')
    assert.equal(await made({ auth: { type: 'bearer', secret: 'theirs' } }), 'no: /spec/auth/secret')
    assert.equal(await made({ signing: { secret: 'theirs' } }), 'no: /spec/signing/secret')
    assert.equal(await made({}), 'yes')
  })

  test('and so is told elsewhere what has one: sink, authorities and way of authenticating are his who may read it', async () => {
    await rest.store.create({
      kind: 'Subscription',
      metadata: { namespace: 'host', name: 'there' },
      spec: { sink, auth: { type: 'bearer', secret: 'theirs' } },
    })
    const app = rest.another({ access })
    const change = async (spec: object): Promise<string> =>
      verdict(
        await ask(app, tokens.editor, 'PATCH /v1/namespaces/host/subscriptions/there?dryRun=true', {
          body: { spec },
          headers: { 'if-match': '*' },
        }),
      )
    assert.deepEqual(
      [
        await change({ sink: 'http://127.0.0.1:8444/' }),
        await change({ auth: { type: 'oauth2', tokenEndpoint: sink } }),
        await change({ ca: '-----BEGIN CERTIFICATE-----\n' }),
      ],
      Array(3).fill('no: /spec/auth/secret'),
    )
    assert.deepEqual([await change({ paused: true }), await change({ auth: null })], ['yes', 'yes'])
    await app.close()
  })

  test("what a client came with is nobody's to point elsewhere, standalone too", async () => {
    await rest.store.create({
      kind: 'Subscription',
      metadata: { namespace: 'host', name: 'kept' },
      spec: { sink, auth: { type: 'basic', secret: 'credentials-sol-x' } },
    })
    const change = async (spec: object): Promise<string> =>
      verdict(await as('admin', 'PATCH /v1/namespaces/host/subscriptions/kept?dryRun=true', { spec }))
    assert.deepEqual([await change({ sink: 'http://127.0.0.1:8444/' }), await change({ paused: true })], ['no: /spec/auth/secret', 'yes'])
  })
})

describe('a Deployment is named by whoever may scale it', () => {
  const make = (app: Harness['app'], name: string): Promise<Answer> =>
    ask(app, tokens.editor, 'POST /v1/namespaces/host/endpointscalers?dryRun=true', {
      body: { metadata: { name: 'dns' }, spec: { scaleTargetRef: { name } } },
    })

  test('by the word of the API server, which is asked about the very Deployment', async () => {
    const reviewed: AccessRequest[] = []
    const app = rest.another({
      standalone: undefined as never,
      access: {
        wouldAllow: () => Promise.resolve(true),
        review: async (_caller, request) => {
          reviewed.push(request)
          if (request.kind === 'Deployment' && request.name !== 'mine') throw new Forbidden({})
        },
        storeFor: () => undefined,
        userOf: () => undefined,
      },
    })
    assert.deepEqual([verdict(await make(app, 'mine')), verdict(await make(app, 'theirs'))], ['yes', 'no: /spec/scaleTargetRef'])
    assert.deepEqual(
      reviewed.filter(({ kind }) => kind === 'Deployment'),
      ['mine', 'theirs'].map((name) => ({ act: 'scale', kind: 'Deployment', namespace: 'host', name })),
    )
    await app.close()
  })

  test('an API server is asked for the right to patch its scale, also where it judges nothing else', async () => {
    const asked: unknown[] = []
    const store = {
      as: () => rest.store,
      review: <T>(resource: string, spec: object): Promise<T> => {
        asked.push([resource, (spec as { readonly resourceAttributes: unknown }).resourceAttributes])
        return Promise.resolve({ allowed: false } as T)
      },
    }
    const caller = { subject: 's', issuer: 'i', grants: [], until: 0 }
    const request = { act: 'scale', kind: 'Deployment', namespace: 'host', name: 'd' } as const
    await assert.rejects(kubeAccess(store, realClock, { review: false }).review(caller, request), Forbidden)
    const attributes = { namespace: 'host', name: 'd', verb: 'patch', group: 'apps', version: 'v1', resource: 'deployments' }
    assert.deepEqual(asked, [['subjectaccessreviews', { ...attributes, subresource: 'scale' }]])
  })

  test('and by nobody where there are none: without Kubernetes', async () => {
    const { status, problem } = await make(rest.app, 'd')
    assert.equal(status, 422)
    assert.deepEqual(
      problem.errors?.map(({ pointer }) => pointer),
      ['/spec/scaleTargetRef'],
    )
    assert.match(JSON.stringify(problem), /there are no Deployments without Kubernetes/)
  })
})
