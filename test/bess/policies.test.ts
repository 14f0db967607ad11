// Policies that need no connections, enforced by the real bessd: what the verdict says, and what packets then do.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { LocalPort, RuleSet, Segment } from '../../core/node/wanted.ts'
import { judgedPacketsLaw, type JudgedPod, type Judging } from '../laws/judged-packets.ts'
import { placeOf } from '../../core/views/walk/graph.ts'
import { mirrored, xToY } from '../laws/rule-sets.ts'
import { pythonSkip } from '../node/raw-frames.ts'
import { filled, openTestNodes, pings, segment, settle, signal, wantedOf, bessSkip, type BessNode, type TestNodes } from './test-nodes.ts'

const vni = 5001
const subnets: Segment['subnets'] = [{ cidr: '10.0.0.0/24', gateway: '10.0.0.254' }]

interface Pod extends JudgedPod {
  readonly at: number
}

/** As a trace calls them. Behind `nexthop` stand those for each node, which are not read back by name. */
async function modulesOf(plane: Dataplane): Promise<ReadonlySet<string>> {
  const seen = await plane.observe(undefined, signal)
  const roles = [...seen.keys()].flatMap((key) => (key.startsWith('module/') ? [key.slice('module/'.length)] : []))
  return new Set([...roles.map(placeOf), 'hop.HOST'])
}

describe('policies on bessd', { skip: bessSkip || pythonSkip }, () => {
  let cluster: TestNodes
  let nodes: readonly BessNode[]
  let planes: readonly Dataplane[]
  beforeEach(async () => {
    cluster = await openTestNodes()
    nodes = [await cluster.node('a', '192.168.50.1'), await cluster.node('b', '192.168.50.2')]
    planes = [await nodes[0]!.plane(), await nodes[1]!.plane()]
  })
  afterEach(() => cluster.close())

  async function addPods(places: readonly number[]): Promise<readonly Pod[]> {
    const pods: Pod[] = []
    for (const [i, at] of places.entries()) {
      const number = i + 1
      const made = await nodes[at]!.pod({ number, vni, address: `10.0.0.${number}`, mac: `02:00:00:00:00:0${number}` })
      pods.push({ ...made, at })
    }
    return pods
  }

  /** On each node all that it is to have. @returns whether anything was to be done */
  async function judge(pods: readonly Pod[], { sets, identityOf }: Judging<Pod>, flood = false): Promise<boolean> {
    let isChanged = false
    for (const [at, plane] of planes.entries()) {
      const here = pods.filter((pod) => pod.at === at)
      const numbers = here.map(({ port }) => port.number)
      const hosts = nodes.filter((_, i) => i !== at).map(({ tunnelAddress }) => tunnelAddress)
      const endpoints = pods
        .filter((pod) => pod.at !== at)
        .map((pod) => ({
          vni,
          address: pod.port.addresses[0]!,
          mac: pod.port.mac,
          hostIP: nodes[pod.at]!.tunnelAddress,
          identity: identityOf(pod),
        }))
      const ports = here.map((pod): LocalPort => ({
        ...pod.port,
        policy: { identity: identityOf(pod), ruleSets: [], isClosed: false },
      }))
      const segments = [segment(vni, { subnets, hosts, flood, numbers: flood ? numbers : [], judged: numbers })]
      isChanged = (await settle(plane, { ...wantedOf(ports, { endpoints, segments }), ruleSets: sets })) || isChanged
    }
    return isChanged
  }

  test('let pass what the verdict lets pass, whatever it carries and whichever way, on one node and between two', async (t) => {
    const pods = await addPods([0, 0, 1, 1])
    await judge(pods, { sets: [], identityOf: () => 1 })
    for (const to of pods.slice(1)) assert.equal(await pings(pods[0]!.namespace, to.port.addresses[0]!), true)
    await judgedPacketsLaw(t, {
      vni,
      pods,
      judge: async (judging) => void (await judge(pods, judging)),
      walked: {
        dataplane: 'bess',
        at: ({ at }) => ({ node: String(at), hostIP: nodes[at]!.tunnelAddress }),
        places: async () => new Map(await Promise.all(planes.map(async (plane, i) => [String(i), await modulesOf(plane)] as const))),
      },
    })
  })

  test('x talks to y and to no one else, where broadcast is replicated too, and after bessd was killed and filled again', async () => {
    const pods = await addPods([0, 1, 0])
    const identityOf = (pod: Pod): number => pods.indexOf(pod) + 1
    const sets: readonly RuleSet[] = [xToY(vni)]
    const talks = async (): Promise<void> => {
      assert.equal(await pings(pods[0]!.namespace, '10.0.0.2'), true, 'x to y')
      assert.equal(await pings(pods[1]!.namespace, '10.0.0.1'), true, 'y to x')
      assert.equal(await pings(pods[0]!.namespace, '10.0.0.3'), false, 'x to z')
      assert.equal(await pings(pods[2]!.namespace, '10.0.0.1'), false, 'z to x')
      assert.equal(await pings(pods[2]!.namespace, '10.0.0.2'), true, 'z to y, of whom nothing is said')
    }
    await judge(pods, { sets, identityOf })
    await talks()
    await judge(pods, { sets, identityOf }, true)
    await talks()
    const drift = Promise.withResolvers<void>()
    planes[0]!.onDrift(() => drift.resolve())
    await nodes[0]!.daemon.restart()
    await drift.promise
    await filled(nodes[0]!, () => judge(pods, { sets, identityOf }, true))
    await talks()
    await judge(pods, { sets: [], identityOf }, true)
    assert.equal(await pings(pods[0]!.namespace, '10.0.0.3'), true, 'x to z, once nothing is said any more')
  })

  test('x talks to a block and not to one in it, and as it is edited to just whom it then says, while z talks on', async () => {
    const pods = await addPods([0, 0, 1, 1])
    const identityOf = (pod: Pod): number => Math.min(pods.indexOf(pod), 1) + 1
    const [x, y, z] = pods as [Pod, Pod, Pod, Pod]
    const allowing = (blocks: readonly string[], not: readonly string[]): RuleSet => {
      const rule = { source: '/spec/ingress', direction: 'ingress' } as const
      const peers = (of: readonly string[]) => ({ peers: { identities: [], blocks: [...of] } })
      return mirrored({
        ...xToY(vni),
        rules: [
          { ...rule, index: 0, level: 0, action: 'deny', ...peers(not) },
          { ...rule, index: 1, level: 1, action: 'allow', ...peers(blocks) },
          { ...rule, index: 2, level: 2, action: 'deny' },
        ],
      })
    }
    const reached = async (): Promise<readonly string[]> => {
      const all: string[] = []
      for (const { port } of pods.slice(1)) if (await pings(x.namespace, port.addresses[0]!)) all.push(port.addresses[0]!)
      return all
    }
    await judge(pods, { sets: [allowing(['10.0.0.0/24'], ['10.0.0.3/32'])], identityOf })
    assert.deepEqual(await reached(), ['10.0.0.2', '10.0.0.4'])
    assert.equal(await judge(pods, { sets: [allowing(['10.0.0.0/24'], ['10.0.0.3/32'])], identityOf }), false, 'it is read back as put')
    await judge(pods, { sets: [allowing(['10.0.0.2/31', '0.0.0.0/1'], ['10.0.0.2/32', '10.0.0.4/30'])], identityOf })
    assert.deepEqual(await reached(), ['10.0.0.3'])
    assert.equal(await pings(y.namespace, z.port.addresses[0]!), true, 'nobody judges these')
    await judge(pods, { sets: [allowing(['192.0.2.0/24'], [])], identityOf })
    assert.deepEqual(await reached(), [])
  })
})
