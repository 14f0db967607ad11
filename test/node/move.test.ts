// A Port that moves with its pods from one agent's node to another's: what its interface tells the network when it is there.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { linuxCarrier, ovsCarrier } from '../../lab/nodes/carriers.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { reaches } from '../../lab/nodes/ping.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { parseIp } from '../../core/net/ip.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents } from './agents.ts'
import { advertisementFrame, arpFrame, listen, pythonSkip } from './raw-frames.ts'

const skip = (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const apiVersion = 'megrez.io/v1alpha1'

/** RFC 5227 section 3, without padding; RFC 4861 section 7.2.6, to all nodes. */
function toldOf({ mac, v4, v6 }: { readonly mac: string; readonly v4: string; readonly v6: string }): readonly string[] {
  const [own, allNodes] = [parseIp(v6)!.value, parseIp('ff02::1')!.value]
  return [
    arpFrame({ from: v4, mac, asks: v4 }).slice(0, 84),
    advertisementFrame({ source: mac, destination: '33:33:00:00:00:01', from: own, to: allNodes, target: own, mac }),
  ]
}

describe('a Port that moves between agents', { skip }, () => {
  let agents: Agents
  before(async () => {
    agents = await startAgents()
    // The watcher's is picked at random: never what the Ports below ask for.
    const spec = {
      vpc: 'net',
      ipv4: { cidr: '10.0.7.0/24', pools: [{ first: '10.0.7.100', last: '10.0.7.199' }] },
      ipv6: { cidr: '2001:db8:7::/64' },
    }
    await agents.rest.call('POST', pathOf('Subnet', 'a'), { apiVersion, kind: 'Subnet', metadata: { name: 'both' }, spec })
    await until(
      async () => (await agents.rest.call('GET', pathOf('Subnet', 'a', 'both'))).body.status?.phase === 'ready',
      'the Subnet is validated',
    )
  })
  after(() => agents.close())

  for (const [i, carrier] of [ovsCarrier, linuxCarrier].entries()) {
    test(`by ${i === 0 ? 'Open vSwitch' : 'the kernel'} says from where it is now whose its addresses are, in both families, and is reached there`, async () => {
      const at = { mac: `02:00:00:00:77:0${i}`, v4: `10.0.7.7${i}`, v6: `2001:db8:7::7${i}` }
      const [n1, n2] = [await agents.node(`a${i}`, carrier), await agents.node(`b${i}`, carrier)]
      const made = await agents.rest.call('POST', pathOf('Port', 'a'), {
        apiVersion,
        kind: 'Port',
        metadata: { name: `port-${i}` },
        spec: { subnet: 'both', ips: [at.v4, at.v6], mac: at.mac },
      })
      assert.equal(made.status, 201, made.body.detail)
      const podWith = (node: AgentNode, name: string, nic: object): Promise<Sandbox> =>
        agents.pod(node, `${name}-${i}`, { 'megrez.io/nics': JSON.stringify([{ name: 'eth0', ...nic }]) })
      const portID = made.body.metadata.uid
      const [watcher, first] = [await podWith(n1, 'watcher', { subnet: 'both' }), await podWith(n1, 'first', { portID })]
      for (const each of [watcher, first]) await agents.add(n1, each)
      await until(() => reaches(watcher.namespace, at.v4, { tries: 1 }), 'the Port is reached where it was')

      await agents.del(n1, first)
      await agents.rest.remove(pathOf('Pod', 'a', first.pod.name))
      const pods: Sandbox[] = []
      await until(async () => pods.push(await podWith(n2, 'second', { portID })) > 0, 'another pod may have the Port')
      const second = pods[0]!
      const ear = await listen(n2.namespace)
      const heard = (): boolean[] => toldOf(at).map((frame) => ear.heard.some((each) => each.startsWith(frame)))
      try {
        assert.deepEqual(heard(), [false, false], 'it is not there yet')
        await agents.add(n2, second)
        await until(() => heard().every(Boolean), 'both are told')
      } finally {
        await ear.close()
      }
      for (const address of [at.v4, at.v6])
        await until(() => reaches(watcher.namespace, address, { tries: 1 }), `${address} is reached where it is now`)
      for (const [node, sandbox] of [
        [n1, watcher],
        [n2, second],
      ] as const)
        await agents.del(node, sandbox)
    })
  }
})
