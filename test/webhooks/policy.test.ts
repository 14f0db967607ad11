// What policies say, over REST: of one connection, and who can talk to whom; and what a tenant sees of it.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { addressLockNameOf } from '../../core/net/names.ts'
import { ruleSetNumber } from '../../core/policy/numbers.ts'
import { lockOfWeb, makePolicedNetwork, makePort, vni } from './policed-network.ts'
import { openHarness, type Answer, type Harness } from './rest-harness.ts'

let rest: Harness

before(async () => {
  rest = await openHarness()
  await makePolicedNetwork(rest)
})
after(() => rest.close())

const as = async (path: string, ...namespaces: readonly string[]): Promise<Answer> => {
  const token = await rest.issuer.issue({ subject: 'alice', scope: 'viewer', ...(namespaces.length > 0 && { namespaces }) }, 600)
  return rest.ask(`GET ${path}`, { headers: { authorization: `Bearer ${token}` } })
}
const trace = (query: string, ...namespaces: readonly string[]): Promise<Answer> => as(`/v1/policy/trace?${query}`, ...namespaces)

const tiersAsked = ['13 policyState', '14 policyPeer', '15 policyAdmin', '16 policyUnified', '17 policyNetwork', '18 policyGroups']
const letPass = [...tiersAsked, '19 policyBaseline', '22 policyVerdict']
const zoneOf = (name: string, isKept: boolean) => ({ port: { namespace: 'blue', name }, says: 'new', isKept })
const received = ['0 classify', '50 forward', '70 policyIn', ...letPass, '80 qos', '90 output']

describe('a connection that is traced', () => {
  test('is allowed by the rule that is named', async () => {
    const { status, body } = await trace('from=pods/blue/web-pod&to=ports/blue/db&port=5432')
    assert.equal(status, 200)
    const policy = { kind: 'SecurityGroup', namespace: 'blue', name: 'group-1' }
    assert.deepEqual(
      [body['isAllowed'], body['egress'], body['ingress']],
      [
        true,
        { isAllowed: true, tiers: [] },
        { isAllowed: true, tiers: [{ tier: 'securityGroup', says: 'allows', policy, rule: '/spec/rules/0' }] },
      ],
    )
    assert.deepEqual(body['from'], {
      address: '192.168.0.1',
      port: { namespace: 'blue', name: 'web' },
      pod: 'web-pod',
      node: 'node-1',
    })
  })

  test('is denied where no rule allows it, and the policy is named', async () => {
    for (const query of ['from=ports/blue/web&to=ports/blue/db&port=80', 'from=192.0.2.7&to=ports/blue/db&port=5432']) {
      const { body } = await trace(query)
      assert.equal(body['isAllowed'], false, query)
      assert.deepEqual(
        (body['ingress'] as { tiers: { policy: object; says: string }[] }).tiers.map(({ says }) => says),
        ['denies'],
      )
    }
  })

  test('may be a frame that is no IP, which no rule of a SecurityGroup allows, and which portSecurity lets nobody send', async () => {
    const { body } = await trace('from=pods/blue/web-pod&to=ports/blue/db&etherType=35020')
    assert.deepEqual([body['isAllowed'], body['etherType'], body['protocol']], [false, 35_020, undefined])
    const node = (body['way'] as { at: string; message?: string }[]).find(({ at }) => at === 'Node')
    assert.equal(node?.message, 'a Port with portSecurity sends nothing but IP and ARP')
    for (const [more, why] of [
      ['etherType=2048', /: etherType must not be that of IP: say protocol and port$/],
      ['etherType=2054', /: etherType must not be that of ARP, which is never judged$/],
      ['etherType=33024', /: etherType must not be that of a tag/],
      ['etherType=64', /: etherType must be from 1536 on/],
      ['etherType=0x88cc', /: etherType must be a whole number/],
      ['etherType=35020&port=80', /: port is of packets of IP/],
    ] as const) {
      const { status, problem } = await trace(`from=pods/blue/web-pod&to=ports/blue/db&${more}`)
      assert.equal(status, 400, more)
      assert.match(problem.detail, why)
    }
    assert.match((await trace('from=192.0.2.7&to=ports/blue/db&etherType=35020')).problem.detail, /: from is an address, and frames/)
  })

  test('has its way, which ends where it dies', async () => {
    const ends = ['Pod web-pod', 'Port web', 'Node node-1', 'Port db', 'Pod db-pod']
    const wayOf = async (query: string): Promise<readonly string[]> => {
      const { body } = await trace(query)
      return (body['way'] as { at: string; name: string; fate: string }[]).map(({ at, name, fate }) => `${at} ${name} ${fate}`)
    }
    assert.deepEqual(
      await wayOf('from=pods/blue/web-pod&to=pods/blue/db-pod&port=5432'),
      ends.map((each) => `${each} passes`),
    )
    assert.deepEqual(
      await wayOf('from=pods/blue/web-pod&to=pods/blue/db-pod&port=80'),
      ends.map((each, i) => `${each} ${i < 2 ? 'passes' : i === 2 ? 'dies' : 'unreached'}`),
    )
  })

  test('has the tables of the node that judges it, and what connection tracking says there', async () => {
    const nodeOf = async (query: string): Promise<Record<string, unknown>> =>
      ((await trace(query, 'blue')).body['way'] as Record<string, unknown>[]).find(({ at }) => at === 'Node')!
    const { tables, conntrack } = await nodeOf('from=ports/blue/web&to=ports/blue/db&port=5432')
    const sent = [
      '0 classify',
      '10 guard',
      '20 policyOut',
      ...letPass,
      '23 mark',
      '24 rate',
      '25 chain',
      '27 learn',
      '30 ask',
      '50 forward',
    ]
    assert.deepEqual(tables, [...sent, '70 policyIn', ...letPass, '80 qos', '90 output'])
    assert.deepEqual(conntrack, [zoneOf('web', true), zoneOf('db', true)])
    const denied = await nodeOf('from=ports/blue/web&to=ports/blue/db&port=80')
    assert.deepEqual(denied['tables'], [...sent, '70 policyIn', ...tiersAsked])
    assert.deepEqual(denied['conntrack'], [zoneOf('web', true), zoneOf('db', false)])
  })

  test('says no more of an address whose Port is not seen than of one that nobody has, but by whom it is judged', async () => {
    const [there, absent] = [
      await trace('from=ports/blue/web&to=192.168.0.3&port=80', 'blue'),
      await trace('from=ports/blue/web&to=192.168.0.77&port=80', 'blue'),
    ]
    assert.equal(there.text, absent.text.replaceAll('192.168.0.77', '192.168.0.3'))
    assert.match(there.text, /"23 mark","24 rate","25 chain","27 learn"\]/)
  })

  test('to another node goes through the tunnel of its VNI, to the address of that node', async () => {
    const { metadata } = await rest.store.create({
      kind: 'Port',
      metadata: { namespace: 'blue', name: 'far' },
      spec: { subnet: 'subnet-1', node: 'node-2' },
    })
    const ref = { kind: 'Port', namespace: 'blue', name: 'far' } as const
    await rest.store.patchStatus({ ref, uid: metadata.uid }, { address: { addresses: ['192.168.0.20'], vni, hostIP: '192.0.2.2' } })
    const { body } = await trace('from=ports/blue/far&to=ports/blue/web&port=80', 'blue')
    assert.deepEqual((body['way'] as object[]).slice(1, 4), [
      { at: 'Node', name: 'node-2', judges: ['egress'], fate: 'passes', untold: 'node-2 has not told what carries its Ports' },
      { at: 'Tunnel', vni, from: '192.0.2.2', message: 'no address of node-1 is known to tunnel to', fate: 'passes' },
      { at: 'Node', name: 'node-1', judges: ['ingress'], fate: 'passes', tables: received, conntrack: [zoneOf('web', true)] },
    ])
    await rest.store.delete(ref)
  })

  test('to a Port whose SecurityGroup is not there dies, and the group is named', async () => {
    const toBe = `vni-${vni}-${ruleSetNumber(vni, 'SecurityGroup blue/nobodys')}`
    const port = { address: '192.168.0.9', identity: 19, securityGroups: ['nobodys'], ruleSets: [toBe] }
    await makePort(rest, 'blue/closed', port)
    const policy = { kind: 'SecurityGroup', namespace: 'blue', name: 'nobodys' }
    const denied = { isAllowed: false, tiers: [{ tier: 'securityGroup', says: 'denies', policy }] }
    const into = await trace('from=ports/blue/web&to=ports/blue/closed&port=80')
    assert.deepEqual([into.body['isAllowed'], into.body['ingress']], [false, denied])
    const out = await trace('from=ports/blue/closed&to=ports/blue/web&port=80')
    assert.deepEqual([out.body['isAllowed'], out.body['egress']], [false, denied])
    const { groups, cells } = await matrixFor()
    const at = groups.findIndex(({ ports }) => ports[0] === 'closed-pod')
    assert.ok(cells[at]!.every(({ isAllowed }) => !isAllowed) && cells.every((row) => row[at]?.isAllowed === false))
    await rest.store.delete({ kind: 'Port', namespace: 'blue', name: 'closed' })
  })

  test('from an address of the VNI is judged as whoever has it, and does not say who', async () => {
    await lockOfWeb(rest, addressLockNameOf(vni, '192.168.0.1')!)
    const { body, text } = await trace('from=192.168.0.1&to=ports/blue/db&port=5432', 'blue')
    assert.equal(body['isAllowed'], true, text)
    assert.deepEqual(body['from'], { address: '192.168.0.1' })
    const [first] = body['way'] as object[]
    assert.deepEqual(first, { at: 'Address', name: '192.168.0.1', message: 'no Port that you may see here has it', fate: 'passes' })
  })

  test("is not asked of another's Port, whether that is there or not", async () => {
    const [there, absent] = [
      await trace('from=ports/blue/web&to=ports/guest/secret&port=1', 'blue'),
      await trace('from=ports/blue/web&to=ports/guest/none&port=1', 'blue'),
    ]
    assert.deepEqual([there.status, there.text], [403, absent.text])
  })

  test('is refused with the parameter that is wrong', async () => {
    const both = 'from=ports/blue/web&to=ports/blue/db'
    for (const [query, name] of [
      [both, 'port'],
      [`${both}&port=80&protocol=gre`, 'protocol'],
      [`${both}&port=80&protocol=icmp`, 'port'],
      [`${both}&protocol=tcp&port=80&icmpType=8`, 'icmpType'],
      ['from=192.0.2.1&to=192.0.2.2&port=80', 'to'],
      ['from=x&to=192.0.2.2&port=80', 'from'],
      ['from=ports/blue/web&to=2001:db8::1&port=80', 'to'],
    ] as const) {
      const { status, problem } = await trace(query)
      assert.equal(status, 400, query)
      assert.match(problem.detail, new RegExp(`: ${name} `), query)
    }
  })
})

interface Matrix {
  readonly groups: readonly { readonly namespace: string; readonly ports: readonly string[] }[]
  readonly cells: readonly (readonly { readonly isAllowed: boolean }[])[]
}
const matrixFor = async (...namespaces: readonly string[]): Promise<Matrix & { text: string }> => {
  const { body, status, text } = await as('/v1/policy/matrix?vpc=blue/vpc-1a2b3c4d&port=5432', ...namespaces)
  assert.equal(status, 200, text)
  return { ...(body as unknown as Matrix), text }
}

describe('the matrix of a Vpc', () => {
  test('says who can talk to whom', async () => {
    const { groups, cells } = await matrixFor()
    const names = groups.map(({ ports }) => ports[0])
    const allowed = (from: string, to: string): boolean | undefined => cells[names.indexOf(from)]?.[names.indexOf(to)]?.isAllowed
    assert.deepEqual([...names].sort(), ['db-pod', 'secret-pod', 'web-pod'])
    assert.equal(allowed('web-pod', 'db-pod'), true)
    assert.equal(allowed('secret-pod', 'db-pod'), false)
    assert.equal(allowed('db-pod', 'web-pod'), true)
  })

  test("shows a tenant none of another's Ports or labels", async () => {
    const { groups, text } = await matrixFor('blue')
    assert.deepEqual(
      groups.map(({ namespace }) => namespace),
      ['blue', 'blue'],
    )
    assert.doesNotMatch(text, /guest|secret|hidden/)
    assert.equal((await as('/v1/policy/matrix?vpc=blue/vpc-1a2b3c4d&port=1', 'guest')).status, 403)
  })
})
