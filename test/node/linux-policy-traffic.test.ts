// How much pods may send and get, and how what they send is marked, by the kernel's bridges: packets as they arrive.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CompiledRule, PolicyTraffic } from '../../core/kinds/policy/policy-rule-set.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { linux } from '../../agent/dataplanes/linux.ts'
import type { Addon } from '../../agent/native/addon.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { startServer } from './conversations.ts'
import { builtAddon } from './kernel.ts'
import { addPod, hostIP, judge, mend, nft, setPieces, want, withNodes, type Node, type Pod } from './linux-nodes.ts'
import { arrivedOf, marksOf, sent, mostArrive } from './marked-packets.ts'
import { pythonSkip } from './raw-frames.ts'

const vni = 5002

async function limit({ node, port }: Pod, traffic?: PolicyTraffic): Promise<void> {
  const policy = { identity: 21, ruleSets: [], isClosed: false, ...(traffic !== undefined && { traffic }) }
  await want(node, `port ${port.uid}`, node.plane.renderer.render(portPiece, { ...port, policy }, { segment: node.segments.get(vni) }))
}

/** Another data plane of the node, and the tables of which it changes elements, in order. */
async function tapped({ space }: Node) {
  const [addon, changed] = [await builtAddon(), [] as string[]]
  const once: Addon['once'] = (netns, protocol, bytes, ...more) => {
    const [, table] = /megrez-(policies|traffic)\0/.exec(Buffer.from(bytes).toString('latin1')) ?? []
    // A list begins with another type of message than a batch (NFNL_MSG_BATCH_BEGIN).
    if (table !== undefined && bytes[4] === 0x10 && table !== changed.at(-1)) changed.push(table)
    return addon.once(netns, protocol, bytes, ...more)
  }
  const kernel = { netlink: await openNetlink(addon, space.path), addon: { ...addon, once }, netns: space.path }
  const plane = linux({ kernel: () => Promise.resolve(kernel), tunnelAddress: hostIP(1), l4Port: 4789 })
  await plane.open(new AbortController().signal)
  return { plane, changed }
}

const arrived = (from: Pod, to: Pod): Promise<number> =>
  arrivedOf(sent, { from: from.space.namespace, to: to.space.namespace, address: to.port.addresses[0]! })
const marks = (from: Pod, to: Pod, address: string): Promise<readonly number[]> =>
  marksOf({ from: from.space.namespace, to: to.space.namespace, address }, 80)

/** Of 600 the first 64 pass, and 49 a second. On a busy machine datagrams are lost for other reasons too. */
const little = 400_000
const few = (count: number, what: string): void => assert.ok(count > 20 && count < sent / 2, `${what}: ${count} of ${sent}`)
const most = (from: Pod, to: Pod, what: string): Promise<void> => mostArrive(sent, () => arrived(from, to), what)

const withPods = (run: (pods: readonly [sender: Pod, near: Pod, far: Pod]) => Promise<void>): Promise<void> =>
  withNodes(async (spaces, nodes) => {
    const pods = [
      await addPod(spaces, nodes[0], { vni, host: 10 }),
      await addPod(spaces, nodes[0], { vni, host: 11 }),
      await addPod(spaces, nodes[1], { vni, host: 12 }),
    ] as const
    await setPieces(pods, nodes)
    await run(pods)
  })

describe('traffic that a policy limits and marks, on the Linux data plane', { skip: ovsSkip || pythonSkip }, () => {
  test('is marked, here and on another node, in IPv4 and IPv6; what it is sent is not, and without the policy it is as it was', () =>
    withPods(async ([sender, near, far]) => {
      const servers = await Promise.all([sender, near, far].map(({ space }) => startServer(space.namespace, [80])))
      try {
        await limit(sender, { dscp: 46 })
        for (const to of [near, far])
          for (const address of to.port.addresses) assert.deepEqual(await marks(sender, to, address), [46], address)
        assert.deepEqual(await marks(near, sender, sender.port.addresses[0]!), [0], 'what it is sent')
        await limit(sender, { dscp: 10 })
        assert.deepEqual(await marks(sender, far, far.port.addresses[0]!), [10], 'another one')
        await limit(sender)
        assert.deepEqual(await marks(sender, near, near.port.addresses[0]!), [0], 'none')
      } finally {
        for (const each of servers) await each.close()
      }
    }))

  test("is dropped above what it may send, or get, and nobody else's is; a change of the rate counts at once", () =>
    withPods(async ([sender, near, far]) => {
      await limit(sender, { maxEgress: little })
      few(await arrived(sender, near), 'on its node')
      few(await arrived(sender, far), 'to another node')
      await most(near, far, "another pod's")
      await most(near, sender, 'what it gets')
      await limit(sender, { maxEgress: 1_000_000_000 })
      await most(sender, near, 'a rate that is not reached')
      await limit(sender)
      await limit(near, { maxIngress: little })
      few(await arrived(sender, near), 'of one that gets no more')
      await most(sender, far, 'of another')
      await limit(near)
      await most(sender, near, 'without a limit')
    }))

  test('is limited again where somebody has deleted the limit, or put another in its place', () =>
    withPods(async ([sender, near]) => {
      const { node, port } = sender
      const seen = async (): Promise<readonly (string | undefined)[]> => {
        const all = await node.plane.observe(undefined, new AbortController().signal)
        return [`limited/${port.ifcName}/sent`, `marked/${port.ifcName}`, 'traffic'].map((key) => all.get(key))
      }
      const right = ['50000 bytes a second', 'DSCP 46', 'there']
      await limit(sender, { maxEgress: little, dscp: 46 })
      assert.deepEqual(await seen(), right)
      const element = `{ "${port.ifcName}" }`
      await nft(node, 'delete', 'element', 'bridge', 'megrez-traffic', 'sent', element)
      await nft(node, 'delete', 'element', 'bridge', 'megrez-traffic', 'dscp', element)
      assert.deepEqual(await seen(), ['0 bytes a second', undefined, 'there'])
      await mend(node)
      assert.deepEqual(await seen(), right)
      const other = `add limit bridge megrez-traffic other { rate over 900 mbytes/second }
        delete element bridge megrez-traffic sent ${element}
        add element bridge megrez-traffic sent { "${port.ifcName}" : "other" }`
      await nft(node, other)
      assert.deepEqual(await seen(), ['0 bytes a second', 'DSCP 46', 'there'])
      await mend(node)
      assert.deepEqual(await seen(), right)
      few(await arrived(sender, near), 'after it was mended')
      await nft(node, 'delete', 'table', 'bridge', 'megrez-traffic')
      assert.deepEqual(await seen(), [undefined, undefined, undefined])
      await mend(node)
      assert.deepEqual(await seen(), right)
    }))

  test('is limited by a rule before its verdict is in force, and until it is no more', () =>
    withPods(async ([sender, near]) => {
      const { plane, changed } = await tapped(sender.node)
      const node = { ...sender.node, plane }
      const ruling = (more: Partial<CompiledRule>): RuleSet => {
        const rules = (['ingress', 'egress'] as const).map((direction, index) => ({
          index,
          source: '/spec',
          direction,
          level: 0,
          action: 'allow' as const,
          ...more,
        }))
        return unifiedSet({ vni, rules })
      }
      const pods = [sender, near].map((pod) => ({ ...pod, node }))
      const by = (more: Partial<CompiledRule>) => judge([node], pods, { vni, sets: [ruling(more)], identityOf: () => 1 })
      await by({})
      assert.deepEqual(changed.splice(0), ['policies'])
      await by({ max: little, dscp: 46 })
      assert.deepEqual(changed.splice(0), ['traffic', 'policies'])
      await by({ max: 2 * little, dscp: 10 })
      assert.deepEqual(changed.splice(0), ['traffic', 'policies', 'traffic'])
      await by({})
      assert.deepEqual(changed.splice(0), ['policies', 'traffic'])
      await plane.close()
    }))

  test('is dropped above what a rule lets pass, of all whom it allows something together, and marked as the rule says before its policy', () =>
    withPods(async ([sender, near, far]) => {
      const { node, port } = sender
      const rules = (max: number): CompiledRule[] =>
        (['ingress', 'egress'] as const).map((direction, i) => ({
          index: 2 * i,
          source: `/spec/${direction}/0`,
          direction,
          level: 0,
          action: 'allow',
          peers: { identities: [2], blocks: [] },
          max,
          dscp: 10,
        }))
      const set = (max: number): RuleSet => unifiedSet({ vni, number: 7, subjects: [1, 4], rules: rules(max) })
      const judged = async (pod: Pod, sets: readonly RuleSet[]): Promise<void> => {
        const all = { sets, identityOf: (each: Pod) => [sender, near, far].indexOf(each) + 1, traffic: { dscp: 46 } }
        await judge([pod.node], [sender, near, far], { ...all, vni })
      }
      const server = await startServer(near.space.namespace, [80])
      try {
        await judged(sender, [set(little)])
        few(await arrived(sender, near), 'what the rule is of')
        few(await arrived(near, sender), 'the other way')
        await most(sender, far, 'what it is not of')
        const seen = await node.plane.observe(undefined, new AbortController().signal)
        const [key = ''] = [...seen.keys()].filter((each) => each.startsWith(`ruled/${port.ifcName}/`))
        assert.equal(seen.get(key), '50000 bytes a second of 5002.7.0, DSCP 10')
        await nft(node, 'flush', 'map', 'bridge', 'megrez-traffic', 'rates')
        await mend(node)
        few(await arrived(sender, near), 'after somebody has deleted it')
        await judged(sender, [set(1_000_000_000)])
        await most(sender, near, 'a rate that is not reached')
        assert.deepEqual(await marks(sender, near, near.port.addresses[0]!), [10], 'by the rule')
        await judged(sender, [])
        assert.deepEqual(await marks(sender, near, near.port.addresses[0]!), [46], 'by the policy')
        const { stdout } = await node.space.namespace.exec('nft', 'list', 'limits', 'bridge')
        assert.doesNotMatch(stdout, /5002\.7/, 'no limit is left')
      } finally {
        await server.close()
      }
    }))
})
