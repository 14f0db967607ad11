// From objects to packets: pods of an l3 Subnet on nodes with the real bessd, Linux and Open vSwitch, by BIRD, and a gateway with FRR.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { bessCarrier, linuxCarrier, ovsCarrier, type BessCarrier } from '../../lab/nodes/carriers.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { outside, startL3Nodes, type L3Nodes } from '../bgp/nodes.ts'
import { routedPods } from '../bgp/routed-pods.ts'
import { serve, type ServedPod } from '../bgp/served-pods.ts'
import { answers, tally } from '../node/named-servers.ts'
import { until } from '../setup/until.ts'
import { bessd, bessSkip } from './test-nodes.ts'

const skip = bessSkip || ((await bgpMissing({ install: false, print: () => undefined })) ?? false)
const reaches = async (from: Namespace, to: string, ...more: readonly string[]): Promise<boolean> =>
  (await from.exec('ping', '-c', '1', '-W', '1', ...more, to)).code === 0

describe('an l3 Subnet on a node with bessd', { skip }, () => {
  let lab: L3Nodes
  let pods: readonly ServedPod[]
  before(async () => {
    lab = await startL3Nodes([bessCarrier(bessd!), linuxCarrier, ovsCarrier])
    pods = await routedPods(lab)
  })
  after(() => lab.close())
  const inside = (i: number): Namespace => pods[i]!.sandbox.namespace

  test('pods reach each other, their gateway, and what is behind the gateway of the nodes, which reaches them; nobody says Unsupported', async () => {
    for (const [i, { address }] of pods.entries()) {
      for (const to of [...pods.map((each) => each.address), outside, '10.1.0.1'])
        await until(() => reaches(inside(i), to), `${address} reaches ${to}`, 20_000)
      assert.ok(await reaches(lab.gateway, address, '-I', outside), `the gateway reaches ${address}`)
    }
    const { items = [] } = (await lab.agents.rest.call('GET', pathOf('Port', 'a'))).body
    const conditions = (items as unknown as readonly Resource<'Port'>[]).map(({ status }) => status?.node?.conditions ?? [])
    assert.deepEqual(conditions, [[], [], []])
  })

  test('a service address is served from it as from the others, and its own pod is served by itself', async () => {
    const served = await serve(lab, pods, 'Local')
    try {
      await served.by('ready', 'ready', undefined)
      await until(async () => (await served.ways()) === 2, 'the gateway has two ways')
      const ask = (from: Namespace, times: number, source?: string): Promise<readonly string[]> =>
        answers(from, { kind: 'tcp', to: served.address, l4Port: 80, times, ...(source !== undefined && { source }) })
      const all = await ask(lab.gateway, 40, outside)
      assert.deepEqual(Object.keys(tally(all)).sort(), ['web-0', 'web-1'])
      assert.ok(
        all.every((each) => each.endsWith(` ${outside}`)),
        all[0],
      )
      assert.deepEqual(tally(await ask(inside(0), 4)), { 'web-0': 4 })
      await served.by('ready', undefined, undefined)
      await until(async () => (await served.ways()) === 1, 'the gateway has one way')
      await until(async () => tally(await ask(inside(2), 4))['web-0'] === 4, 'a pod elsewhere is led to it')
    } finally {
      await served.close()
    }
  })

  test('all goes on after bessd was killed, and its agent and daemon; a pod that goes is announced no more', async () => {
    const [node] = lab.nodes
    await (node.carrier as BessCarrier).bessd.restart()
    await until(() => reaches(inside(1), pods[0]!.address), 'after bessd was killed', 20_000)
    await node.killAgent()
    process.kill(Number((await node.namespace.exec('cat', `${node.folder}/bird.pid`)).stdout), 'SIGKILL')
    assert.ok(await reaches(inside(1), pods[0]!.address), 'without both of them')
    await node.startAgent()
    await until(() => reaches(inside(0), outside), 'with both of them')
    await lab.agents.del(node, pods[0]!.sandbox)
    await lab.agents.rest.call('DELETE', pathOf('Pod', 'a', 'web-0'))
    const routes = async (): Promise<string> => (await lab.gateway.exec('ip', 'route', 'show', 'proto', 'bgp')).stdout
    await until(async () => !(await routes()).split(/\s/).includes(pods[0]!.address), 'its route has left the gateway')
  })
})
