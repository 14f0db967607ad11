// The laws of a data plane on a real ovsdb-server and a real ovs-vswitchd.
import { after, before, describe } from 'node:test'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { SwitchValue } from '../../core/pipeline/ovsdb/switch.ts'
import { must } from '../../lab/namespaces.ts'
import { dataplaneLaws, type DataplaneWorld } from '../laws/dataplane.ts'
import { pieceLaws } from '../laws/pieces.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { withExtraItems } from './extra-items.ts'
import { bridge, startSwitch, type SwitchUnderTest } from './switch.ts'

describe('Open vSwitch', { skip: ovsSkip }, () => {
  let under: SwitchUnderTest
  before(async () => {
    under = await startSwitch()
    for (const command of [
      'add-br theirs -- set bridge theirs datapath_type=netdev',
      'add-port theirs tap9 -- set interface tap9 type=internal',
      'set port tap9 qos=@q -- --id=@q create qos type=linux-htb other_config:max-rate=1000000 queues:7=@u -- --id=@u create queue dscp=1',
    ])
      await under.node.vsctl(...command.split(' '))
    await under.node.ofctl('add-flow', 'theirs', 'cookie=0x4d00000000000001,priority=7,in_port=9,actions=drop').catch(() => undefined)
  })
  after(() => under.node.stop())

  const open =
    (extended: (plane: Dataplane<SwitchValue>) => Dataplane = (plane) => plane) =>
    async (): Promise<DataplaneWorld> => {
      await under.empty()
      return {
        async instance(through) {
          const plane = under.plane(through === undefined ? {} : { way: through.way })
          await plane.open(AbortSignal.timeout(10_000))
          return extended(plane)
        },
        plug: (wanted) => under.plug([...wanted.ports.values()].map(({ ifcName }) => ifcName)),
        async theirs() {
          const ports = await under.node.vsctl('--columns=name,external_ids,qos', 'list', 'port', 'theirs', 'tap9')
          const queues = await under.node.vsctl('--columns=type,other_config,queues', 'find', 'qos', 'other_config:max-rate=1000000')
          return `${ports}\n${queues}`.split('\n')
        },
        spoil: (random) => spoil(under, random),
        close: () => under.empty(),
      }
    }
  dataplaneLaws('Open vSwitch', { open: open(), seeds: [1], rivals: 12, cutEach: 2, transitions: 1_000 })
  dataplaneLaws('Open vSwitch with conntrack, groups, meters and queues', {
    open: open((plane) => withExtraItems(plane, bridge)),
    drawing: { portsMax: 4, endpointsMax: 4 },
    seeds: [3],
    rivals: 5,
    cutEach: 2,
    transitions: 200,
  })
  // On a switch each item that is cut off after is a change and a look at everything.
  pieceLaws('Open vSwitch', { open: open(), transitions: 200, cuts: 100 })
})

async function spoil(under: SwitchUnderTest, random: () => number): Promise<string> {
  const { node } = under
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const ports = (await node.vsctl('list-ports', bridge)).split('\n').filter((name) => name !== '')
  const flows = (await node.ofctl('dump-flows', bridge, '--no-stats')).split('\n').filter((line) => line.includes('cookie=0x4d'))
  const match = (line: string): string =>
    line
      .trim()
      .replace(/^cookie=\S+, /, '')
      .replace(/ actions=.*$/, '')
      .replaceAll(' ', '')
  const ways: readonly (() => Promise<string>)[] = [
    async () => {
      const name = pick(ports)
      await node.vsctl('del-port', bridge, name)
      return `port ${name} taken away`
    },
    async () => {
      const name = pick(ports)
      await node.vsctl('set', 'port', name, 'tag=77')
      return `port ${name} in a VLAN`
    },
    async () => {
      const flow = match(pick(flows))
      await node.ofctl('del-flows', bridge, '--strict', flow)
      return `flow ${flow} taken away`
    },
    async () => {
      const flow = match(pick(flows))
      await node.ofctl('mod-flows', bridge, '--strict', `${flow},actions=note:01.02`)
      return `flow ${flow} bent`
    },
    async () => {
      await node.vsctl('set-fail-mode', bridge, 'standalone')
      return 'bridge standalone'
    },
    async () => {
      await node.vsctl('del-br', bridge)
      return 'bridge taken away'
    },
  ]
  return pick([...ways, ...(await extraWays(under.node, pick))])()
}

/** Ways to bend groups, meters and queues, where there are any. */
async function extraWays(node: SwitchUnderTest['node'], pick: <T>(list: readonly T[]) => T): Promise<readonly (() => Promise<string>)[]> {
  const groupsOf = async (...args: readonly string[]): Promise<string> =>
    (await must('ovs-ofctl', '-O', 'OpenFlow15', ...args.slice(0, 1), `unix:${node.folder}/${bridge}.mgmt`, ...args.slice(1))).stdout
  const idsIn = (dump: string, pattern: RegExp): string[] => [...dump.matchAll(pattern)].map(([, id = '']) => id)
  const groups = idsIn(await groupsOf('dump-groups').catch(() => ''), /group_id=(\d+)/g)
  const meters = idsIn(await node.ofctl('dump-meters', bridge).catch(() => ''), /meter=(\d+)/g)
  const rows = async (table: string): Promise<string[]> =>
    (await node.vsctl('--no-headings', '--columns=_uuid', 'find', table, `external_ids:megrez=${table}`))
      .split('\n')
      .filter((id) => id !== '')
  const [qos, queues] = [await rows('qos'), await rows('queue')]
  return [
    ...(groups.length === 0
      ? []
      : [
          async () => `groups taken away: ${await groupsOf('del-groups')}`,
          async () => `a group bent: ${await groupsOf('mod-group', `group_id=${pick(groups)},type=all,bucket=actions=output:99`)}`,
        ]),
    ...(meters.length === 0
      ? []
      : [
          async () => `a meter taken away: ${await node.ofctl('del-meter', bridge, `meter=${pick(meters)}`)}`,
          async () => `a meter bent: ${await node.ofctl('mod-meter', bridge, `meter=${pick(meters)},pktps,bands=type=drop,rate=7`)}`,
        ]),
    ...(qos.length === 0
      ? []
      : [
          async () => `a QoS bent: ${await node.vsctl('set', 'qos', pick(qos), 'other_config:max-rate=77')}`,
          async () => `queues let go of: ${await node.vsctl('clear', 'qos', pick(qos), 'queues')}`,
        ]),
    ...(queues.length === 0 ? [] : [async () => `a queue bent: ${await node.vsctl('set', 'queue', pick(queues), 'dscp=3')}`]),
  ]
}
