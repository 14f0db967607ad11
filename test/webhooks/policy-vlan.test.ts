// What policies say of a pod's interface in a VLAN, over REST and on the command line, and to whom.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { vlanSegment } from '../../core/net/segment.ts'
import { networksAnnotation } from '../../core/kinds/annotations.ts'
import { outputOf } from '../cli/command-output.ts'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

const segment = vlanSegment('physnet1', 100)
const identity = 11
let rest: Harness
let url = ''

async function attach(
  name: string,
  judged: readonly { readonly identity: number; readonly ruleSets: string[]; readonly pods: string[] }[],
  vlans: number[] = [100],
) {
  const vlanType = vlans.length === 1 ? ('access' as const) : ('selectivetrunk' as const)
  const spec = { l2Services: ['lan'], connectionPoint: 'rack', vlanType }
  const { metadata } = await rest.store.create({ kind: 'L2ServiceAttachment', metadata: { namespace: 'blue', name }, spec })
  const definition = { vlans, physicalNetwork: 'physnet1', implementation: 'megrez' as const, definition: name }
  const ref = { kind: 'L2ServiceAttachment', namespace: 'blue', name } as const
  await rest.store.patchStatus({ ref, uid: metadata.uid }, { definition, policy: { policy: { segment, judged: [...judged] } } })
}

async function makePod(name: string, networks: string): Promise<string> {
  const spec = { nodeName: 'node-1', containers: [{ name: 'c', image: 'example.org/c' }] }
  const metadata = { namespace: 'blue', name, labels: { app: name }, annotations: { [networksAnnotation]: networks } }
  return (await rest.store.create({ kind: 'Pod', metadata, spec })).metadata.uid
}

before(async () => {
  rest = await openHarness()
  url = await rest.app.listen({ host: '127.0.0.1', port: 0 })
  const web = await makePod('web', 'uplink, both')
  await makePod('late', 'uplink')
  const name = `vni-${segment}-1`
  await attach('uplink', [{ identity, ruleSets: [name], pods: [web] }])
  await attach('both', [{ identity, ruleSets: [name], pods: [web] }], [100, 200])
  await attach('ahead', [{ identity, ruleSets: [`vni-${segment}-2`], pods: [web] }])
  const common = { level: 0, direction: 'ingress' as const, transport: [{ protocol: 6, first: 443 }] }
  await rest.store.create({
    kind: 'PolicyRuleSet',
    metadata: { namespace: 'blue', name },
    spec: {
      ...{ vni: segment, number: 1, tier: 'unified', priority: 0, subjects: [identity], isolates: ['ingress'] },
      policy: { kind: 'UnifiedNetworkPolicy', namespace: 'blue', name: 'p', uid: 'p' },
      rules: [
        { ...common, index: 0, source: '/spec/ingress/0', action: 'allow', peers: { identities: [], blocks: ['192.0.2.0/24'] } },
        { ...common, index: 2, source: '/spec/ingress/2', action: 'allow', families: [], frame: { vlan: 200 } },
        {
          ...{ index: 3, level: 0, direction: 'ingress', source: '/spec/ingress/3', action: 'allow', families: [] },
          frame: { etherType: 35_020, peerMac: '02:00:00:00:00:0a' },
        },
        { ...common, index: 1, source: '/spec/ingress/1', action: 'allow', peers: { identities: [identity], blocks: [] } },
      ],
    },
  })
})
after(() => rest.close())

async function trace(query: string, ...namespaces: readonly string[]): Promise<Answer> {
  const token = await rest.issuer.issue({ subject: 'alice', scope: 'viewer', ...(namespaces.length > 0 && { namespaces }) }, 600)
  return rest.ask(`GET /v1/policy/trace?${query}`, { headers: { authorization: `Bearer ${token}` } })
}
const policy = { kind: 'UnifiedNetworkPolicy', namespace: 'blue', name: 'p' }
const ownerOf = async (...namespaces: readonly string[]) => {
  const token = await rest.issuer.issue({ subject: 'alice', scope: 'admin', namespaces }, 600)
  return { headers: { authorization: `Bearer ${token}` } }
}
const tiersOf = ({ body }: Answer): unknown => (body['ingress'] as { readonly tiers: unknown } | undefined)?.tiers

describe("a trace of a pod's interface in a VLAN", () => {
  test('goes by blocks, and finds nobody by whose an address is', async () => {
    const allowed = await trace('from=192.0.2.7&to=pods/blue/web&attachment=blue/uplink&port=443')
    assert.deepEqual([allowed.body['isAllowed'], allowed.body['vni']], [true, segment], allowed.text)
    assert.deepEqual(tiersOf(allowed), [{ tier: 'unified', says: 'allows', policy, rule: '/spec/ingress/0' }])
    const denied = await trace('from=198.51.100.7&to=pods/blue/web&attachment=blue/uplink&port=443')
    assert.deepEqual(tiersOf(denied), [{ tier: 'unified', says: 'denies', policy }])
  })

  test('has its way: pod, attachment, node, and whoever has the address', async () => {
    const { body } = await trace('from=pods/blue/web&to=192.0.2.7&attachment=blue/uplink&port=443')
    assert.deepEqual(
      (body['way'] as { at: string; name: string; fate: string }[]).map(({ at, name, fate }) => [at, name, fate]),
      [
        ['Pod', 'web', 'passes'],
        ['Attachment', 'uplink', 'passes'],
        ['Node', 'node-1', 'passes'],
        ['Address', '192.0.2.7', 'passes'],
      ],
    )
    assert.deepEqual(body['from'], { address: '', attachment: 'blue/uplink', vlan: 100, pod: 'blue/web', node: 'node-1' })
  })

  test('of an attachment to several is about the VLAN that is named, and asks for one where none is', async () => {
    const query = 'from=198.51.100.7&to=pods/blue/web&attachment=blue/both&port=443'
    const one = await trace(`${query}&vlan=100`)
    assert.deepEqual(tiersOf(one), [{ tier: 'unified', says: 'denies', policy }], one.text)
    const other = await trace(`${query}&vlan=200`)
    assert.deepEqual(tiersOf(other), [{ tier: 'unified', says: 'allows', policy, rule: '/spec/ingress/2' }])
    assert.equal((other.body['to'] as { readonly vlan: number }).vlan, 200)
    assert.match((await trace(query)).problem.detail, /: vlan is missing: the attachment is in 100, 200$/)
    assert.match((await trace(`${query}&vlan=300`)).problem.detail, /: vlan must be one of its own: the attachment is in 100, 200$/)
  })

  test('has the tables of the node, once any Port has told that it has Open vSwitch, and the zone of its pod', async () => {
    const nodeOf = async (query: string): Promise<Record<string, unknown>> =>
      ((await trace(query)).body['way'] as Record<string, unknown>[]).find(({ at }) => at === 'Node')!
    const query = 'from=192.0.2.7&to=pods/blue/web&attachment=blue/both&vlan=200&port=443'
    assert.equal((await nodeOf(query))['untold'], 'node-1 has not told what carries its Ports')
    const spec = { subnet: 'none', node: 'node-1' }
    const { metadata } = await rest.store.create({ kind: 'Port', metadata: { namespace: 'red', name: 'any' }, spec })
    await rest.store.patchStatus(
      { ref: { kind: 'Port', namespace: 'red', name: 'any' }, uid: metadata.uid },
      { node: { node: { dataplane: 'ovs' } } },
    )
    const { tables, conntrack } = await nodeOf(query)
    assert.deepEqual(
      (tables as string[]).map((each) => each.replace(/^\d+ /, '')).join(' '),
      'classify policyIn policyState policyPeer policyAdmin policyUnified policyNetwork policyGroups policyBaseline policyVerdict qos output',
    )
    assert.deepEqual(conntrack, [{ port: { kind: 'Pod', namespace: 'blue', name: 'web' }, says: 'new', isKept: true }])
  })

  test('may be a frame that is no IP, of a MAC', async () => {
    const frame = (mac: string): Promise<Answer> => trace(`from=${mac}&to=pods/blue/web&attachment=blue/uplink&etherType=35020`)
    const [allowed, denied] = [await frame('02:00:00:00:00:0A'), await frame('02:00:00:00:00:0b')]
    assert.deepEqual(tiersOf(allowed), [{ tier: 'unified', says: 'allows', policy, rule: '/spec/ingress/3' }], allowed.text)
    assert.deepEqual(allowed.body['from'], { address: '', mac: '02:00:00:00:00:0a' })
    assert.deepEqual(tiersOf(denied), [{ tier: 'unified', says: 'denies', policy }])
    assert.match((await frame('192.0.2.7')).problem.detail, /: from must be a MAC address/)
  })

  test('is closed for whom nobody has been told to judge, and where rules are not there', async () => {
    const late = await trace('from=pods/blue/late&to=192.0.2.7&attachment=blue/uplink&port=443')
    const told = { kind: 'L2ServiceAttachment', namespace: 'blue', name: 'uplink' }
    assert.deepEqual(late.body['egress'], { isAllowed: false, tiers: [{ tier: 'securityGroup', says: 'denies', policy: told }] })
    const ahead = await trace('from=192.0.2.7&to=pods/blue/web&attachment=blue/ahead&port=443')
    const rules = { kind: 'PolicyRuleSet', name: `vni-${segment}-2` }
    assert.deepEqual(tiersOf(ahead), [{ tier: 'securityGroup', says: 'denies', policy: rules }])
  })

  test('is refused with the parameter that is wrong, and to who may not read both', async () => {
    for (const [query, name] of [
      ['from=pods/blue/web&to=pods/blue/late&attachment=blue/uplink&port=443', 'to'],
      ['from=192.0.2.7&to=192.0.2.8&attachment=blue/uplink&port=443', 'to'],
      ['from=192.0.2.7&to=ports/blue/web&attachment=blue/uplink&port=443', 'to'],
      ['from=192.0.2.7&to=pods/blue/web&attachment=uplink&port=443', 'attachment'],
      ['from=192.0.2.7&to=pods/blue/web&attachment=blue/uplink&vlan=x&port=443', 'vlan'],
      ['from=192.0.2.7&to=pods/blue/web&vlan=100&port=443', 'vlan'],
    ] as const) {
      const { status, problem } = await trace(query)
      assert.equal(status, 400, query)
      assert.match(problem.detail, new RegExp(`: ${name} `), query)
    }
    assert.equal((await trace('from=192.0.2.7&to=pods/blue/web&attachment=blue/none&port=443')).status, 404)
    const [there, absent] = await Promise.all(
      ['uplink', 'none'].map((name) => trace(`from=192.0.2.7&to=pods/blue/web&attachment=blue/${name}&port=443`, 'guest')),
    )
    assert.deepEqual([there!.status, there!.text], [403, absent!.text])
  })

  test('is a line of the command too', async () => {
    const line = ['trace', '192.0.2.7', 'pod/web', '-n', 'blue', '--attachment', 'uplink', '--tcp', '443', '--live']
    const { exit, out, err } = await outputOf(line, { MEGREZ_URL: url, MEGREZ_TOKEN: rest.token })
    assert.equal(exit, 0, err)
    assert.match(out, /^from 192.0.2.7\n/)
    assert.match(out, /\nto pod\/blue\/web \(on node-1\), in VLAN 100 of L2ServiceAttachment blue\/uplink\n/)
    assert.match(
      out,
      /\n {6}tables 0 classify, .*\n {6}conntrack: new in the zone of pod\/blue\/web, and kept: .*\n {6}its node is not asked: /,
    )
    assert.match(out, /\n {2}3 attachment\/blue\/uplink\n/)
    const denied = await outputOf(line.with(1, '198.51.100.7').with(6, 'both').concat('--vlan', '100'), {
      MEGREZ_URL: url,
      MEGREZ_TOKEN: rest.token,
    })
    assert.equal(denied.exit, 1, denied.err)
    assert.match(denied.out, /in VLAN 100 of L2ServiceAttachment blue\/both\n/)
  })
})

describe('an interface in VLANs that is explained', () => {
  test('is told with who judges it, or why it is closed, of its pod and of its attachment', async () => {
    const ofWeb = { attachment: 'blue/uplink', pod: 'blue/web', vlans: [100], state: 'judged', because: 'a policy judges it' }
    const judging = { tier: 'unified', policy, rules: 4, audit: false }
    const { body } = await rest.ask('GET /v1/explain/l2serviceattachments/blue/uplink', await ownerOf('blue'))
    const late = { ...ofWeb, pod: 'blue/late', state: 'closed', because: 'workers have not told (yet) who judges it', policies: [] }
    const byPod = (body['interfaces'] as { pod: string }[]).toSorted((a, b) => (a.pod < b.pod ? -1 : 1))
    assert.deepEqual(byPod, [late, { ...ofWeb, policies: [judging] }])
    const web = await rest.ask('GET /v1/explain/pods/blue/web', await ownerOf('blue'))
    assert.deepEqual(
      (web.body['interfaces'] as { attachment: string; vlans: number[] }[]).map(({ attachment, vlans }) => [attachment, vlans]).sort(),
      [
        ['blue/both', [100, 200]],
        ['blue/uplink', [100]],
      ],
    )
  })

  test('is a line of the command, with each policy', async () => {
    const { exit, out, err } = await outputOf(['explain', 'l2sa/uplink', '-n', 'blue'], { MEGREZ_URL: url, MEGREZ_TOKEN: rest.token })
    assert.equal(exit, 0, err)
    assert.match(out, /\nInterface of pod blue\/web in L2ServiceAttachment blue\/uplink, VLAN 100, is judged: a policy judges it\n/)
    assert.match(out, /\n {2}unified: UnifiedNetworkPolicy blue\/p, 4 rules\n/)
  })
})

describe('the matrix of an attachment', () => {
  const matrix = async (query: string, namespace = 'blue'): Promise<Answer> =>
    rest.ask(`GET /v1/policy/matrix?${query}&port=443`, await ownerOf(namespace))

  test('has what pods may send to and get from each block that rules tell apart', async () => {
    const { body, text } = await matrix('attachment=blue/uplink')
    assert.deepEqual(body['blocks'], ['0.0.0.0/0', '192.0.2.0/24'], text)
    const groups = body['groups'] as { ports: string[] }[]
    const web = groups.findIndex(({ ports }) => ports.includes('web'))
    const allowed = (name: string, row: number) => (body[name] as { isAllowed: boolean }[][])[row]!.map(({ isAllowed }) => isAllowed)
    assert.deepEqual(
      [allowed('cells', web), allowed('gets', web)],
      [
        [true, true],
        [false, true],
      ],
    )
    assert.deepEqual(
      [allowed('cells', 1 - web), allowed('gets', 1 - web)],
      [
        [false, false],
        [false, false],
      ],
      'nobody has told of late',
    )
  })

  test('is of one VLAN, and of what the caller may read', async () => {
    assert.match((await matrix('attachment=blue/both')).problem.detail, /: vlan is missing/)
    const { body } = await matrix('attachment=blue/both&vlan=200')
    assert.deepEqual(
      (body['gets'] as { isAllowed: boolean }[][])[0]!.map(({ isAllowed }) => isAllowed),
      [true, true],
    )
    assert.match((await matrix('attachment=blue/both&vpc=blue/x')).problem.detail, /: vpc is one place/)
    assert.equal((await matrix('attachment=blue/uplink', 'guest')).status, 403)
  })
})

describe('policies that are planned for the VLANs of an attachment', () => {
  const edited = (spec: object) => ({
    ...{ apiVersion: 'megrez.io/v1alpha1', kind: 'UnifiedNetworkPolicy' },
    metadata: { namespace: 'blue', name: 'p' },
    spec: { podSelector: { matchLabels: { app: 'web' } }, ...spec },
  })
  const plan = async (attachment: string, body: object, namespace = 'blue'): Promise<Answer> =>
    rest.ask(`POST /v1/policy/plan?attachment=${attachment}`, { ...(await ownerOf(namespace)), body })
  interface Change {
    readonly vlan: number
    readonly from: { readonly port: string }
    readonly to: { readonly port: string }
    readonly transport: { readonly l4Port?: number; readonly etherType?: number }
    readonly after: { readonly isAllowed: boolean }
  }
  const verdictsOf = ({ body, text }: Answer): readonly string[] => {
    assert.ok(Array.isArray(body['verdicts']), text)
    return (body['verdicts'] as Change[]).map(({ vlan, from, to, transport: { l4Port, etherType }, after }) =>
      [vlan, from.port, to.port, l4Port ?? etherType, after.isAllowed].join(' '),
    )
  }

  test('say whom they would judge there, and which verdicts would be others', async () => {
    const answer = await plan('blue/uplink', {
      put: [edited({ defaults: { ingress: 'deny' }, ingress: [{ action: 'allow', peers: [{ cidr: '192.0.2.0/24' }] }] })],
    })
    assert.deepEqual(answer.body['bindings'], [{ policy, gains: ['blue/web'], loses: [], rulesBefore: 0, rulesAfter: 3 }], answer.text)
    assert.deepEqual(verdictsOf(answer), ['100 0.0.0.0/0 blue/web 65535 false', '100 ::/0 blue/web 65535 false'])
  })

  test('are tried in each VLAN that rules name, and with frames that they name', async () => {
    const rules = [{ action: 'deny', l2: { vlan: 200, etherType: 35_020 } }]
    assert.deepEqual(verdictsOf(await plan('blue/both', { put: [edited({ ingress: rules })] })), ['200 any other MAC blue/web 35020 false'])
  })

  test('say of a peer that nobody can be in a VLAN that it is not done', async () => {
    const { body } = await plan('blue/uplink', { put: [edited({ ingress: [{ action: 'allow', peers: [{ podSelector: {} }] }] })] })
    assert.deepEqual(
      (body['problems'] as { path: string }[]).map(({ path }) => path),
      ['/spec/ingress/0'],
    )
  })

  test('are told of pods that the caller may list, and refused to who may not read the attachment', async () => {
    assert.equal((await plan('blue/uplink', { put: [edited({})] }, 'guest')).status, 403)
    const { problem } = await rest.ask('POST /v1/policy/plan?attachment=blue/uplink&vpc=blue/x', {
      ...(await ownerOf('blue')),
      body: { put: [edited({})] },
    })
    assert.match(problem.detail, /: vpc is one place/)
  })

  test('are a line of the command', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'megrez-plan-'))
    try {
      const file = join(folder, 'policy.json')
      await writeFile(file, JSON.stringify(edited({ defaults: { egress: 'deny' } })))
      const env = { MEGREZ_URL: url, MEGREZ_TOKEN: rest.token }
      const { exit, out, err } = await outputOf(['plan', '-f', file, '--attachment', 'uplink', '-n', 'blue'], env)
      assert.equal(exit, 0, err)
      assert.match(
        out,
        /^- blue\/web → 0.0.0.0\/0 tcp\/65535 in VLAN 100: would be denied by UnifiedNetworkPolicy blue\/p \/spec\/defaults/m,
      )
      assert.equal((await outputOf(['plan', '-f', file, '--attachment', 'a', '--vpc', 'b'], env)).exit, 2)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
