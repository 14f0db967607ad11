// Flows, groups, meters and queues as we write them down and as Open vSwitch's own programs print them; and who is left alone.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import { bits, conjunction, goto, load, set, type Action } from '../../core/pipeline/openflow/actions.ts'
import { cookieOf, printCookie } from '../../core/pipeline/cookie.ts'
import {
  ctLabel,
  ctMark,
  ctState,
  ctZone,
  ethDst,
  ethSrc,
  ethType,
  ipDscp,
  ipFrag,
  ipProto,
  ipv4Dst,
  ipv4Src,
  registers,
  sctpDst,
  tcpDst,
  tcpFlags,
  tunDst,
  tunSrc,
} from '../../core/pipeline/openflow/fields.ts'
import { is, isMasked, type Term } from '../../core/pipeline/openflow/flow.ts'
import { groupId, type Group } from '../../core/pipeline/openflow/group.ts'
import { flowItem, groupItem, meterItem, type SwitchItem } from '../../core/pipeline/items.ts'
import { meterId } from '../../core/pipeline/openflow/meter.ts'
import { must } from '../../lab/namespaces.ts'
import { drawActions, drawGroup, drawMatch, drawMeter } from '../core/drawn-actions.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { bridge, startSwitch, type SwitchUnderTest } from './switch.ts'

const signal = AbortSignal.timeout(120_000)
const because = { rule: 'a test', of: { kind: 'Node', name: 'here' } } as const
const ipv4 = is(ethType, 0x0800)
const tcp = [ipv4, is(ipProto, 6)]
const zone = { field: registers[1]!, from: 0, count: 16 }

/** A match, what is done, and the line of `ovs-ofctl dump-flows`. */
const flows: readonly (readonly [match: readonly Term[], actions: readonly Action[], line: string])[] = [
  [
    [isMasked(ctState, 0x21, 0x23), is(ctZone, 7), is(ctMark, 5), is(ctLabel, 0x1234n), ipv4],
    [{ do: 'ct', zone: 7, table: 20, commit: 'new', exec: [set(ctMark, 5), load({ field: ctLabel, from: 32, count: 32 }, 9)] }],
    'ct_state=+new-est+trk,ct_zone=7,ct_mark=0x5,ct_label=0x1234,ip actions=ct(commit,table=20,zone=7,exec(set_field:0x5->ct_mark,load:0x9->NXM_NX_CT_LABEL[32..63]))',
  ],
  [
    [ipv4, is(ipFrag, 3)],
    [
      {
        do: 'ct',
        zone,
        commit: 'force',
        nat: {
          of: 'src',
          addresses: { family: 4, first: 0x0a000001n, last: 0x0a000009n },
          l4Ports: { first: 1_000, last: 2_000 },
          choice: 'random',
          persistent: true,
        },
      },
    ],
    'ip,nw_frag=later actions=ct(commit,force,zone=NXM_NX_REG1[0..15],nat(src=10.0.0.1-10.0.0.9:1000-2000,persistent,random))',
  ],
  [[ipv4, isMasked(ipFrag, 0, 2)], [{ do: 'ct', zone: 5, nat: {}, table: 3 }], 'ip,nw_frag=not_later actions=ct(table=3,zone=5,nat)'],
  [
    [ipv4, is(ipDscp, 46)],
    [set(ipDscp, 10), { do: 'setQueue', queue: 3 }, { do: 'popQueue' }, { do: 'ctClear' }, { do: 'resubmit', table: 70 }, goto(50)],
    'ip,nw_tos=184 actions=set_field:10->ip_dscp,set_queue:3,pop_queue,ct_clear,resubmit(,70),goto_table:50',
  ],
  [[...tcp, is(tcpDst, 21)], [{ do: 'ct', zone: 5, commit: 'new', alg: 'ftp' }], 'tcp,tp_dst=21 actions=ct(commit,zone=5,alg=ftp)'],
  [
    [...tcp, isMasked(tcpFlags, 2, 0x12)],
    [conjunction(7, 1, 2), conjunction(9, 2, 3)],
    'tcp,tcp_flags=+syn-ack actions=conjunction(7,1/2),conjunction(9,2/3)',
  ],
  [[...tcp, is(tcpFlags, 0x12)], [{ do: 'controller' }], 'tcp,tcp_flags=syn|ack actions=CONTROLLER:65535'],
  [
    [is(ethType, 0x86dd), is(ipProto, 132), is(sctpDst, 80)],
    [{ do: 'controller', maxBytes: 128, reason: 'no_match', userdata: Uint8Array.of(1, 2, 255), meter: meterId(5_001) }],
    `sctp6,tp_dst=80 actions=controller(reason=no_match,max_len=128,userdata=01.02.ff,meter_id=${meterId(5_001)})`,
  ],
  [
    [ipv4],
    [{ do: 'sample', probability: 100, collectorSet: 1, domain: 2, point: 3 }],
    'ip actions=sample(probability=100,collector_set_id=1,obs_domain_id=2,obs_point_id=3)',
  ],
  [
    [is(ethSrc, 0x020000000001)],
    [
      {
        do: 'learn',
        table: 55,
        priority: 100,
        cookie: cookieOf('learnt', 5_001),
        ageSeconds: 300,
        most: 256,
        match: [
          { to: bits(registers[0]!), of: bits(registers[0]!) },
          { to: bits(ethDst), of: bits(ethSrc) },
        ],
        loads: [
          { to: { field: registers[1]!, from: 19, count: 1 }, of: 1 },
          { to: { field: registers[2]!, from: 0, count: 16 }, of: zone },
          { to: bits(tunDst), of: bits(tunSrc) },
        ],
      },
      goto(50),
    ],
    `dl_src=02:00:00:00:00:01 actions=learn(table=55,hard_timeout=300,priority=100,delete_learned,cookie=${printCookie(cookieOf('learnt', 5_001))},limit=256,NXM_NX_REG0[],NXM_OF_ETH_DST[]=NXM_OF_ETH_SRC[],load:0x1->NXM_NX_REG1[19],load:NXM_NX_REG1[0..15]->NXM_NX_REG2[0..15],load:NXM_NX_TUN_IPV4_SRC[]->NXM_NX_TUN_IPV4_DST[]),goto_table:50`,
  ],
  [
    [],
    [
      { do: 'meter', meter: meterId(5_001) },
      { do: 'group', group: groupId(2) },
    ],
    `actions=meter:${meterId(5_001)},group:${groupId(2)}`,
  ],
]

const groups: readonly (readonly [Group, string])[] = [
  [
    {
      id: groupId(1),
      type: 'all',
      buckets: [
        { id: 0, actions: [{ do: 'output', number: 1 }] },
        { id: 7, actions: [] },
      ],
    },
    'type=all,bucket=bucket_id:0,actions=output:1,bucket=bucket_id:7,actions=drop',
  ],
  [
    {
      id: groupId(2),
      type: 'select',
      hash: [ipv4Src, ipv4Dst, tcpDst],
      buckets: [
        { id: 1, actions: [load(zone, 7)] },
        { id: 2, weight: 5, actions: [{ do: 'outputTo', of: zone }] },
      ],
    },
    'type=select,selection_method=hash,fields(ip_src,ip_dst,tcp_dst),bucket=bucket_id:1,actions=set_field:0x7/0xffff->reg1,bucket=bucket_id:2,weight:5,actions=output:NXM_NX_REG1[0..15]',
  ],
  [
    { id: groupId(3), type: 'ff', buckets: [{ id: 0, watch: 1, actions: [{ do: 'output', number: 1 }] }] },
    'type=ff,bucket=bucket_id:0,watch_port:1,actions=output:1',
  ],
  [
    { id: groupId(4), type: 'indirect', buckets: [{ id: 0, actions: [{ do: 'decTtl' }] }] },
    'type=indirect,bucket=bucket_id:0,actions=dec_ttl',
  ],
  [{ id: groupId(5), type: 'select', hash: [ipv4Src], buckets: [] }, 'type=select,selection_method=hash,fields=ip_src'],
]

const meters = [
  [
    { id: meterId(5_001), unit: 'kbps', bands: [{ rate: 20_000, burst: 2_000 }] },
    'kbps burst stats bands= type=drop rate=20000 burst_size=2000',
  ],
  [{ id: meterId(5_002), unit: 'pktps', bands: [{ rate: 5 }, { rate: 9 }] }, 'pktps stats bands= type=drop rate=5 type=drop rate=9'],
] as const

const flow = (nth: number, match: readonly Term[], actions: readonly Action[]): SwitchItem =>
  flowItem(bridge, { table: 1, priority: 100 + nth, cookie: cookieOf('policy', nth), match, actions }, because)

describe('what Open vSwitch prints', { skip: ovsSkip }, () => {
  let under: SwitchUnderTest
  let plane: Dataplane
  before(async () => {
    under = await startSwitch()
    plane = under.plane()
    await plane.open(signal)
  })
  after(async () => {
    await plane.close()
    await under.node.stop()
  })

  const beginning = async (): Promise<void> => {
    await under.empty()
    await plane.apply({ drop: [], put: plane.renderer.base() }, signal)
  }
  /** What is there beside the pipeline that every node has. */
  const seen = async (): Promise<Map<string, string>> => {
    const base = new Set(plane.renderer.base().map(({ key }) => key))
    return new Map([...(await plane.observe(undefined, signal))].filter(([key]) => !base.has(key)))
  }
  const groupDump = async (): Promise<string> =>
    (await must('ovs-ofctl', '-O', 'OpenFlow15', 'dump-groups', `unix:${under.node.folder}/${bridge}.mgmt`)).stdout

  test('is what we have written down, for flows, groups and meters', async () => {
    await beginning()
    const items = [
      ...flows.map(([match, actions], nth) => flow(nth, match, actions)),
      ...groups.map(([group]) => groupItem(bridge, group, because)),
      ...meters.map(([meter]) => meterItem(bridge, meter, because)),
    ]
    await plane.apply({ drop: [], put: items }, signal)
    assert.deepEqual(await seen(), new Map(items.map(({ key, text }) => [key, text])))
    const dump = await under.node.ofctl('dump-flows', bridge, 'table=1', '--no-stats')
    const printed = dump.split('\n').map((line) => line.replace(/^ cookie=\S+ table=1, /, '').replace(/^priority=(\d+)[, ]/, '$1 '))
    assert.deepEqual(printed.filter((line) => line !== '').sort(), flows.map(([, , line], nth) => `${100 + nth} ${line}`).sort())
    const described = (await groupDump())
      .split('\n')
      .filter((line) => line.includes('group_id='))
      .map((line) => line.trim())
    assert.deepEqual(described.sort(), groups.map(([{ id }, text]) => `group_id=${id},${text}`).sort())
    const rates = (await under.node.ofctl('dump-meters', bridge))
      .split('\n\n')
      .map((meter) =>
        meter
          .replace(/^OFPST.*\n/, '')
          .trim()
          .replaceAll('\n', ' '),
      )
      .filter((text) => meters.some(([{ id }]) => text.startsWith(`meter=${id} `)))
    assert.deepEqual(rates.sort(), meters.map(([{ id }, text]) => `meter=${id} ${text}`).sort())
  })

  test('is read back as it was put, whatever is drawn, and goes again', async () => {
    await beginning()
    for (let seed = 1; seed <= trials(40); seed++) {
      const random = seeded(seed)
      const used = Array.from({ length: 3 }, (_, i) => groupItem(bridge, drawGroup(random, i), because))
      const rated = Array.from({ length: 3 }, (_, i) => meterItem(bridge, drawMeter(random, 5_000 + i), because))
      const drawn = Array.from({ length: 25 }, (_, nth) => {
        const match = drawMatch(random)
        return flow(nth, match, drawActions(random, match, { meters: [5_000, 5_001, 5_002].map(meterId), groups: [0, 1, 2].map(groupId) }))
      })
      const items = [...used, ...rated, ...drawn]
      await plane.apply({ drop: [], put: items }, signal)
      assert.deepEqual(await seen(), new Map(items.map(({ key, text }) => [key, text])), `seed ${seed}`)
      await plane.apply({ drop: [...(await seen())].map(([key, text]) => plane.itemOf(key, text)), put: [] }, signal)
      assert.deepEqual(await seen(), new Map(), `seed ${seed}`)
    }
  })

  test('of others on our bridge is not seen, and stays', async () => {
    await beginning()
    await under.node.ofctl('add-group', bridge, 'group_id=5,type=all,bucket=actions=output:3')
    await under.node.ofctl('add-meter', bridge, 'meter=5,kbps,bands=type=drop,rate=5')
    await under.node.ofctl('add-flow', bridge, 'table=1,priority=5,actions=meter:5,group:5')
    assert.deepEqual(await seen(), new Map())
    const items = [
      groupItem(bridge, groups[0]![0], because),
      meterItem(bridge, meters[0][0], because),
      flow(
        1,
        [],
        [
          { do: 'meter', meter: meterId(5_001) },
          { do: 'group', group: groupId(1) },
        ],
      ),
    ]
    await plane.apply({ drop: [], put: items }, signal)
    await plane.apply({ drop: items, put: [] }, signal)
    assert.match(await groupDump(), /group_id=5,type=all/)
    assert.match(await under.node.ofctl('dump-meters', bridge), /meter=5 kbps/)
    assert.match(await under.node.ofctl('dump-flows', bridge, 'table=1'), /actions=meter:5,group:5/)
  })

  test('of a group that somebody bent in a way that none of ours is, is said, and is no group of ours as it should be', async () => {
    await beginning()
    const [group] = groups[0]!
    await plane.apply({ drop: [], put: [groupItem(bridge, group, because)] }, signal)
    await must(
      'ovs-ofctl',
      '-O',
      'OpenFlow15',
      'mod-group',
      `unix:${under.node.folder}/${bridge}.mgmt`,
      `group_id=${group.id},type=select,selection_method=dp_hash,bucket=actions=output:1`,
    )
    assert.match([...(await seen()).values()].join(), /type=select.* and the selection method dp_hash/)
  })
})
