// Policies that need no connections, enforced by the kernel's bridges: what the verdict says, and what packets then do.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { RuleSet } from '../../core/node/wanted.ts'
import { judgedPacketsLaw } from '../laws/judged-packets.ts'
import { mirrored, xToY } from '../laws/rule-sets.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { addPod, hostIP, judge, reaches, setPieces, withNodes, type Node, type Pod } from './linux-nodes.ts'
import { frameBetween, listen, pythonSkip, sendFrames, udpPayload } from './raw-frames.ts'

const vni = 5001

const allowed = xToY(vni)

/**
 * How many frames have a mark where br_netfilter would show them to the node, and once they leave. What the kernel itself says in the
 * physical network may have one (MLD, seen with Linux 6.18).
 */
async function countMarked({ space }: Node): Promise<() => Promise<string>> {
  const hooks = ['prerouting priority 0', 'forward priority 0', 'postrouting priority 300']
  const chains = hooks.map((hook, i) => `chain c${i} { type filter hook ${hook}; oifname != "up0" meta mark != 0 counter name marked; }`)
  const { code, stderr } = await space.namespace.exec('nft', `table bridge seen { counter marked { }; ${chains.join('; ')}; }`)
  assert.equal(code, 0, stderr)
  return async () => (await space.namespace.exec('nft', 'list', 'counter', 'bridge', 'seen', 'marked')).stdout
}

/** Chains of nftables, and devices. */
async function placesOn({ space: { namespace } }: Node): Promise<ReadonlySet<string>> {
  const [nft, links] = await Promise.all([namespace.exec('nft', 'list', 'ruleset'), namespace.ip('-o', 'link')])
  const chains = nft.stdout.split(/^(?=table )/m).flatMap((text) => {
    const [, table = ''] = /^table (\S+ \S+) {/.exec(text) ?? []
    return [...text.matchAll(/^\tchain (\S+) {/gm)].map(([, chain]) => `${table} ${chain}`)
  })
  return new Set([...chains, ...[...links.stdout.matchAll(/^\d+: ([^:@]+)/gm)].map(([, name]) => name!)])
}

describe('policies on the Linux data plane', { skip: ovsSkip || pythonSkip }, () => {
  test('let pass what the verdict lets pass, whatever it carries and whichever way, on one node and between two', (t) =>
    withNodes(async (spaces, nodes) => {
      const pods: Pod[] = []
      for (const [i, n] of [0, 0, 1, 1].entries()) pods.push(await addPod(spaces, nodes[n as 0 | 1], { vni, host: 10 + i }))
      await setPieces(pods, nodes)
      for (const to of pods.slice(1)) assert.equal(await reaches(pods[0]!, to.port.addresses[0]!), true)
      const judged = pods.map((pod) => ({ ...pod, namespace: pod.space.namespace }))
      await judgedPacketsLaw(t, {
        vni,
        pods: judged,
        judge: (judging) => judge(nodes, judged, { ...judging, vni }),
        walked: {
          dataplane: 'linux',
          at: ({ node: { n } }) => ({ node: String(n), hostIP: hostIP(n) }),
          places: async () => new Map(await Promise.all(nodes.map(async (node) => [String(node.n), await placesOn(node)] as const))),
        },
      })
    }))

  test('are of IPv6 too; neighbours are found whatever is judged, and a Port that nobody judges is as before', () =>
    withNodes(async (spaces, nodes) => {
      const pods = [
        await addPod(spaces, nodes[0], { vni, host: 10 }),
        await addPod(spaces, nodes[1], { vni, host: 11 }),
        await addPod(spaces, nodes[1], { vni, host: 12 }),
      ] as const
      await setPieces(pods, nodes)
      const identityOf = (pod: Pod): number => pods.indexOf(pod) + 1
      const seenBy = await countMarked(nodes[0])
      await judge(nodes, pods, { sets: [allowed], identityOf, vni })
      for (const address of pods[1].port.addresses) assert.equal(await reaches(pods[0], address), true, `y at ${address}`)
      for (const address of pods[2].port.addresses) assert.equal(await reaches(pods[0], address), false, `z at ${address}`)
      assert.equal(await reaches(pods[1], pods[2].port.addresses[0]!), true, 'y and z, whom nothing is said of')
      assert.match((await pods[0].space.namespace.ip('neigh', 'show', '10.0.0.12')).stdout, /lladdr/, 'it is known where z is')
      assert.match(await seenBy(), /packets 0 /, "no rule of the node's own sees a mark of ours")
      await judge(nodes, pods, { sets: [], identityOf, vni })
      for (const address of pods[2].port.addresses) assert.equal(await reaches(pods[0], address), true, `z at ${address} again`)
    }))

  test('leave no moment open while they change into each other', () =>
    withNodes(async (spaces, nodes) => {
      const pods = [
        await addPod(spaces, nodes[0], { vni, host: 10 }),
        await addPod(spaces, nodes[0], { vni, host: 11 }),
        await addPod(spaces, nodes[0], { vni, host: 12 }),
      ] as const
      await setPieces(pods, [nodes[0]])
      const identityOf = (pod: Pod): number => pods.indexOf(pod) + 1
      const { rules } = allowed
      const denyAll = mirrored(unifiedSet({ vni, number: 2, rules: rules.slice(-1).map((rule) => ({ ...rule, level: 0, index: 0 })) }))
      const changes: readonly (readonly RuleSet[])[] = [[allowed], [allowed, denyAll], [denyAll], [{ ...allowed, subjects: [1, 3] }]]
      await judge([nodes[0]], pods, { sets: [allowed], identityOf, vni })
      const ear = await listen(pods[2].space.namespace, 'eth0', 60)
      const frame = frameBetween(pods[0].port, pods[2].port, 17, udpPayload(1024, 80))
      let isChanging = true
      const sending = (async () => {
        const frames = Array.from({ length: 200 }, () => frame)
        while (isChanging) await sendFrames(pods[0].space.namespace, 'eth0', frames)
      })()
      try {
        for (let i = 0; i < 40; i++) await judge([nodes[0]], pods, { sets: changes[i % changes.length]!, identityOf, vni })
      } finally {
        isChanging = false
        await sending
      }
      await new Promise((resolve) => setTimeout(resolve, 100))
      assert.equal(ear.heard.filter((each) => each.startsWith(frame)).length, 0, 'z was reached')
      await ear.close()
    }))
})
