// What rules log, on the real Open vSwitch: the first packets of what they allow, and what they deny, some of each a second, and never in
// the way of what passes.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { CompiledRule } from '../../core/kinds/policy/policy-rule-set.ts'
import type { LoggedPacket } from '../../core/node/logged-packet.ts'
import type { Segment } from '../../core/node/wanted.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { ask, startServer } from './conversations.ts'
import { pythonSkip } from './raw-frames.ts'
import { startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const vni = 4_102
const attachment = { kind: 'vni', vni } as const
const subnets: Segment['subnets'] = [{ cidr: '10.0.0.0/24' }, { cidr: 'fd00::/64' }]
const identity = 21
const [allowed, denied, quiet] = [0, 1, 2]
const rule = (index: number, action: CompiledRule['action'], first: number, log: boolean): CompiledRule => ({
  index,
  source: `/spec/ingress/${index}`,
  direction: 'ingress',
  level: index,
  action,
  ...(log && { log }),
  transport: [{ protocol: 17, first }],
})
const set = unifiedSet({
  vni,
  subjects: [identity],
  rules: [rule(allowed, 'allow', 80, true), rule(denied, 'deny', 81, true), rule(quiet, 'allow', 82, false)],
})
/** So many datagrams to a port, as fast as they go. */
const flood = `
import socket,sys
s=socket.socket(socket.AF_INET6 if ':' in sys.argv[1] else socket.AF_INET,socket.SOCK_DGRAM)
for i in range(int(sys.argv[3])): s.sendto(b'x',(sys.argv[1],int(sys.argv[2])))
`

describe('what rules log, on Open vSwitch', { skip: ovsSkip || pythonSkip }, () => {
  let lab: TwoNodes
  let client: Pod, server: Pod
  let listener: { close(): Promise<void> }
  const logged: LoggedPacket[] = []
  const ofRule = (index: number): readonly LoggedPacket[] => logged.filter(({ by }) => by.rule === index)
  before(async () => {
    lab = await startTwoNodes()
    const [one, two] = lab.nodes
    client = await lab.addPod(one, { name: 'c', attachment, addresses: ['10.0.0.2', 'fd00::2'] })
    server = await lab.addPod(two, { name: 's', attachment, addresses: ['10.0.0.3', 'fd00::3'] })
    listener = await startServer(server.namespace, [80, 81, 82])
    two.plane.onLogged?.((packet) => void logged.push(packet))
    await lab.converge(
      { [vni]: { subnets } },
      { ruleSets: [set], of: (port) => (port === server.port ? { identity, ruleSets: ['vni-4102-1'], isClosed: false } : undefined) },
    )
    assert.equal(await client.pings('10.0.0.3'), true)
  })
  after(async () => {
    await listener.close()
    await lab.close()
  })

  test('of a connection that is allowed the first packet, in either family, and not the rest of it', async () => {
    for (const address of ['10.0.0.3', 'fd00::3'])
      for (let nth = 0; nth < 3; nth++) assert.equal(await ask(client.namespace, { kind: 'udp', to: address, l4Port: 80 }), 'answered')
    await until(() => Promise.resolve(ofRule(allowed).length >= 6), 'each connection has been logged')
    const ends = new Set(ofRule(allowed).map(({ head: { from, to, protocol, l4Ports } }) => `${protocol} ${from} ${to} ${l4Ports?.to}`))
    assert.deepEqual(ends, new Set(['17 10.0.0.2 10.0.0.3 80', '17 fd00::2 fd00::3 80']))
    assert.ok(ofRule(allowed).every((each) => each.vni === vni && each.number === server.port.number && each.direction === 'ingress'))
    assert.equal(ofRule(allowed).length, 6, 'none of the answers')
  })

  test('of what is denied each packet, within a rate; what is not to be logged is not', async () => {
    assert.equal(await ask(client.namespace, { kind: 'udp', to: '10.0.0.3', l4Port: 81 }), 'silent')
    await until(() => Promise.resolve(ofRule(denied).length > 0), 'it has been logged')
    assert.equal(await ask(client.namespace, { kind: 'udp', to: '10.0.0.3', l4Port: 82 }), 'answered')
    const before = ofRule(denied).length
    await client.namespace.exec('python3', '-c', flood, '10.0.0.3', '81', '20000')
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    const more = ofRule(denied).length - before
    assert.ok(more > 0 && more < 1_000, `${more} of 20,000`)
    assert.deepEqual(ofRule(quiet), [])
    assert.equal(await ask(client.namespace, { kind: 'udp', to: '10.0.0.3', l4Port: 80 }), 'answered', 'what passes does so all the same')
  })
})
