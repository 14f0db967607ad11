// What ofproto/trace prints, read: which rules of our bridge a packet met, and by what it leaves; the texts are Open vSwitch 3.1's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTrace } from '../../core/pipeline/trace/answer.ts'
import { traceFlow } from '../../core/pipeline/trace/frame.ts'

const read = (text: string) => readTrace(`Flow: in_port=1\n\nbridge("mgz-int")\n-----------------\n${text}`, 'mgz-int', () => undefined)
const ended = (actions: string, end = 'unchanged'): string => `\nFinal flow: ${end}\nMegaflow: recirc_id=0\nDatapath actions: ${actions}\n`

test("what a tunnel's packets meet in another bridge is not told, whether something comes after it or not", () => {
  const through = [
    '90. reg2=0xfde8, priority 100, cookie 0x4d01000000000000',
    '    output:65000',
    '     -> output to native tunnel',
    '     -> tunneling to 192.168.50.2 via br-phy',
  ]
  const last = [
    ...through,
    '',
    'bridge("br-phy")',
    '----------------',
    ' 0. priority 0',
    '    NORMAL',
    '     -> forwarding to learned port',
  ]
  const inside = [
    ...through,
    '',
    '    bridge("br-phy")',
    '    ----------------',
    '         0. priority 0',
    '            NORMAL',
    '             >> Not tunneling to our own address',
    '    output:7',
  ]
  for (const [text, outputs] of [
    [last, ['tunnel']],
    [inside, ['tunnel', 7]],
  ] as const) {
    const way = read(text.join('\n') + ended('tnl_push(1),2'))
    assert.deepEqual([way.outputs, way.rules.length], [outputs, 1])
    assert.doesNotMatch(JSON.stringify(way), /192\.168/)
  }
})

test('nothing leaves by a port that the switch says it does not go out of, and a packet that waits for a MAC is lost', () => {
  const out = ['90. priority 0, cookie 0x4d01000000000000', '    output:NXM_NX_REG2[0..15]', '     -> output port is 2', '    output:1']
  const skipped = read(
    [...out, '     >> skipping output to input port', '    output:77', '     >> Nonexistent output port'].join('\n') + ended('1'),
  )
  assert.deepEqual(skipped.outputs, [2])
  assert.deepEqual(skipped.rules[0]?.notes, ['skipping output to input port', 'Nonexistent output port'])
  const miss = '     -> neighbor cache miss for 10.9.9.9 on bridge br0, sending ARP request'
  const lost = read(['90. priority 100', '    output:65000', '     -> output to native tunnel', miss].join('\n') + ended('drop'))
  assert.deepEqual(lost.outputs, [])
  assert.match(lost.rules[0]?.notes[0] ?? '', /^the MAC of the other node is not known yet/)
})

test("whose rule it is stands in its cookie: every node's, a segment's, a MAC's, or nobody's of ours", () => {
  const { rules } = read(
    [
      ' 0. in_port=1,vlan_tci=0x0000/0x1fff, priority 100, cookie 0x4d11020000000001',
      '    goto_table:60',
      '60. reg0=0x7, priority 100, cookie 0x4d61000000000007',
      '    goto_table:20',
      '20. priority 0, cookie 0x4d01000000000000',
      '    goto_table:25',
      '25. ip,nw_dst=10.0.0.3, priority 32768, cookie 0x7',
      '    drop',
    ].join('\n') + ended('drop'),
  )
  assert.deepEqual(
    rules.map(({ where, match, does, owner }) => [where, match, does[0], owner]),
    [
      ['0 classify', 'in_port=1,vlan_tci=0x0000/0x1fff', 'go to flood', { mac: '02:00:00:00:00:01' }],
      ['60 flood', 'reg0=0x7', 'go to policyOut', 'segment'],
      ['20 policyOut', 'everything else', 'go to chain', 'node'],
      ['25 chain', 'ip,ipv4_dst=10.0.0.3', 'drop', 'stranger'],
    ],
  )
})

test('what a rule meets in a table that it comes back from is told in its place, and what it does after that is its own', () => {
  const { rules } = read(
    [
      '16. conj_id=769,reg0=0x1389, priority 45441, cookie 0x4db2000000000301',
      '    load:0x301->NXM_NX_REG14[]',
      '    resubmit(,21)',
      '    21. reg0=0x1389,reg14=0x301, priority 100, cookie 0x4d82000000000000',
      '            meter:4476',
      '    goto_table:17',
      '17. priority 0, cookie 0x4d72000000000000',
      '    output:3',
      '',
      '    bridge("br-phy")',
      '    ----------------',
      '         0. priority 0',
      '            NORMAL',
    ].join('\n') + ended('3'),
  )
  assert.deepEqual(
    rules.map(({ where, does }) => [where, ...does]),
    [
      ['16 policyUnified', 'load:0x301->NXM_NX_REG14[]', 'resubmit(,21)', 'go to policyNetwork'],
      ['21 policyRate', 'meter:4476'],
      ['17 policyNetwork', 'output:3'],
    ],
  )
})

test('a question that is answered on the spot tells whose MAC it is, and one that goes on does not', () => {
  const answered = read(
    ' 0. arp, priority 20\n    IN_PORT' + ended('set(arp(op=2)),3', 'arp,arp_op=2,arp_sha=02:03:04:05:06:07,arp_tha=00:00:00:00:00:00'),
  )
  assert.deepEqual([answered.mac, answered.outputs], ['02:03:04:05:06:07', ['back']])
  const flooded = read(' 0. arp, priority 20\n    output:3' + ended('3', 'arp,arp_op=1,arp_sha=02:03:04:05:06:07'))
  assert.deepEqual([flooded.mac, flooded.outputs], [undefined, [3]])
})

test('neighbour discovery asks the solicited-node address of who is asked for, by its MAC', () => {
  const flow = traceFlow(4, '02:00:00:00:00:01', { kind: 'who-has', from: 'fd00::2', to: 'fd00::12ab:34cd' })
  assert.match(flow, /^in_port=4,dl_src=02:00:00:00:00:01,dl_dst=33:33:ff:ab:34:cd,icmp6,ipv6_src=fd00::2,ipv6_dst=ff02::1:ffab:34cd,/)
})
