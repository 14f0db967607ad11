// The laws of a data plane on a real ovsdb-server and a real ovs-vswitchd.
import { after, before, describe } from 'node:test'
import { dataplaneLaws, type DataplaneWorld } from '../laws/dataplane.ts'
import { pieceLaws } from '../laws/pieces.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { bridge, startSwitch, type SwitchUnderTest } from './switch.ts'

describe('Open vSwitch', { skip: ovsSkip }, () => {
  let under: SwitchUnderTest
  before(async () => {
    under = await startSwitch()
    await under.node.vsctl('add-br', 'theirs', '--', 'set', 'bridge', 'theirs', 'datapath_type=netdev', '--', 'add-port', 'theirs', 'tap9', '--', 'set', 'interface', 'tap9', 'type=internal')
    await under.node.ofctl('add-flow', 'theirs', 'cookie=0x4d00000000000001,priority=7,in_port=9,actions=drop').catch(() => undefined)
  })
  after(() => under.node.stop())

  async function open(): Promise<DataplaneWorld> {
    await under.empty()
    return {
      async instance(through) {
        const plane = under.plane(through === undefined ? {} : { way: through.way })
        await plane.open(AbortSignal.timeout(10_000))
        return plane
      },
      plug: (wanted) => under.plug([...wanted.ports.values()].map(({ ifcName }) => ifcName)),
      async theirs() {
        return (await under.node.vsctl('--columns=name,external_ids', 'list', 'port', 'theirs', 'tap9')).split('\n')
      },
      spoil: (random) => spoil(under, random),
      close: () => under.empty(),
    }
  }
  dataplaneLaws('Open vSwitch', { open, seeds: [1], transitions: 1_000 })
  // On a switch each item that is cut off after is a change and a look at everything.
  pieceLaws('Open vSwitch', { open, transitions: 200, cuts: 30 })
})

async function spoil({ node }: SwitchUnderTest, random: () => number): Promise<string> {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const ports = (await node.vsctl('list-ports', bridge)).split('\n').filter((name) => name !== '')
  const flows = (await node.ofctl('dump-flows', bridge, '--no-stats')).split('\n').filter((line) => line.includes('cookie=0x4d'))
  const match = (line: string): string => line.trim().replace(/^cookie=\S+, /, '').replace(/ actions=.*$/, '').replaceAll(' ', '')
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
  return pick(ways)()
}
