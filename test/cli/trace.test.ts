// Whether one may reach another, on the command line.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { until } from '../setup/until.ts'
import { makePolicedNetwork } from '../webhooks/policed-network.ts'
import { openHarness, type Harness } from '../webhooks/rest-harness.ts'
import { outputOf, type CommandOutput } from './command-output.ts'

let rest: Harness
let url = ''
before(async () => {
  rest = await openHarness()
  await makePolicedNetwork(rest)
  url = await rest.app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => rest.close())

const megrez = (line: string): Promise<CommandOutput> => outputOf(line.split(' '), { MEGREZ_URL: url, MEGREZ_TOKEN: rest.token })

const tiersAsked =
  '13 policyState, 14 policyPeer, 15 policyAdmin, 16 policyUnified, 17 policyNetwork, 18 policyGroups, 19 policyBaseline, 22 policyVerdict'

describe('megrez trace', () => {
  test('says that it is allowed, and by which rule', async () => {
    const { exit, out } = await megrez('trace pod/web-pod pod/db-pod -n blue --tcp 5432')
    assert.equal(exit, 0)
    assert.deepEqual(out.split('\n'), [
      'from pod/blue/web-pod (192.168.0.1 on node-1)',
      '  may it send: yes, no policy has a say',
      'to pod/blue/db-pod (192.168.0.2 on node-1), in VNI 7001',
      '  may it be reached: yes',
      '    securityGroup: SecurityGroup blue/group-1 allows by /spec/rules/0',
      'its way',
      '  1 pod/blue/web-pod',
      '  2 port/blue/web',
      '  3 node/node-1, where policies judge who sends and who receives',
      '      tables 0 classify, 10 guard, 20 policyOut, ' +
        `${tiersAsked}, 23 mark, 24 rate, 25 chain, 27 learn, 30 ask, 50 forward, 70 policyIn, ${tiersAsked}, 80 qos, 90 output`,
      '      conntrack: new in the zone of port/blue/web, and kept: what follows is established',
      '      conntrack: new in the zone of port/blue/db, and kept: what follows is established',
      '  4 port/blue/db',
      '  5 pod/blue/db-pod',
      'allowed',
      '',
    ])
  })

  test('says that it is denied, by its exit code too, and which policy lets it die', async () => {
    const { exit, out } = await megrez('trace port/blue/web port/blue/db --icmp')
    assert.equal(exit, 1)
    assert.match(out, /group-1 denies, as no rule of it allows this\n/)
    assert.match(out, /\n {2}3 node\/node-1,.* is where it dies: securityGroup: SecurityGroup blue\/group-1 denies it/)
    assert.match(out, /\n {2}5 pod\/blue\/db-pod is not reached\ndenied\n$/)
    assert.equal((await megrez('trace 192.0.2.9 port/blue/db --tcp 5432')).exit, 1)
  })

  test('says it of a frame that is no IP too', async () => {
    const { exit, out } = await megrez('trace pod/web-pod pod/db-pod -n blue --ether-type 0x88cc --live')
    assert.equal(exit, 1)
    assert.match(out, /SecurityGroup blue\/group-1 denies, as no rule of it allows this\n/)
    assert.match(
      out,
      / is where it dies: a Port with portSecurity sends nothing but IP and ARP\n {6}tables 0 classify, 10 guard\n {6}its node is not/,
    )
  })

  test('says what is wrong with a question', async () => {
    for (const [line, why] of [
      ['trace pod/web-pod', /say megrez trace FROM TO/],
      ['trace pod/a pod/b', /say one of --tcp PORT/],
      ['trace pod/a pod/b --tcp 80 --icmp', /say one of --tcp PORT/],
      ['trace pod/a pod/b --tcp http', /--tcp needs a port/],
      ['trace pod/a pod/b --ether-type lldp', /--ether-type needs a number, such as 0x88cc/],
      ['trace pod/a pod/b --tcp 80 --ether-type 0x88cc', /say one of --tcp PORT/],
      ['trace port/blue/web port/blue/db --ether-type 0x800', /etherType: must not be that of IP/],
      ['trace pod/a pod/b --tcp 80 --attachment x --vlan y', /--vlan needs a number/],
      ['trace pod/a pod/b c --tcp 80', /"c" is one word too many/],
      ['trace port/blue/nobody port/blue/db --tcp 80', /not found/],
      ['trace web port/blue/db --tcp 80', /from: must be pods/],
    ] as const) {
      const { exit, err } = await megrez(line)
      assert.notEqual(exit, 0, line)
      assert.match(err, why, line)
    }
  })

  test('names the rules that ask something in the connection', async () => {
    const transport = [{ protocol: 6, first: 5432 }]
    const rule = { index: 0, source: '/spec/egress/0', direction: 'egress', action: 'allow' } as const
    await rest.store.create({
      kind: 'PolicyRuleSet',
      metadata: { namespace: 'blue', name: 'vni-7001-2' },
      spec: {
        ...{ vni: 7001, number: 2, tier: 'unified', priority: 0, subjects: [11], isolates: [] },
        policy: { kind: 'UnifiedNetworkPolicy', namespace: 'blue', name: 'asked', uid: 'asked' },
        rules: [{ ...rule, level: 0, transport }],
        inspections: [{ ...rule, transport, l7: { http: [{ methods: ['GET'] }] } }],
      },
    })
    const asked = async (): Promise<string> => (await megrez('trace pod/web-pod pod/db-pod -n blue --tcp 5432')).out
    await until(async () => (await asked()).includes('then asked'), 'the rule set is known')
    assert.match(
      await asked(),
      /may it send: yes\n {4}unified: .* allows by \/spec\/egress\/0\n {4}then asked: UnifiedNetworkPolicy blue\/asked refuses what does not match \/spec\/egress\/0\/l7\n/,
    )
    assert.doesNotMatch((await megrez('trace pod/web-pod pod/db-pod -n blue --tcp 80')).out, /then asked/)
  })
})
