// Rules of our tables that somebody has edited by hand are found and put right, with what the tables have, and nobody is open meanwhile.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ovsSkip } from '../setup/ovs.ts'
import { addPod, mend, nft, reaches, setPieces, withNodes, type Node } from './linux-nodes.ts'
import { frameBetween, listen, pythonSkip, sendFrames, udpPayload } from './raw-frames.ts'

const vni = 5004
const signal = AbortSignal.timeout(60_000)

/** What somebody does, and what is seen of it. */
const edits: Readonly<Record<string, readonly [edit: string, item: string]>> = {
  'lets everybody speak as anybody': ['insert rule bridge megrez check accept', 'table'],
  'takes a rule of the guard away': ['flush chain bridge megrez option', 'table'],
  'hooks the guard elsewhere': [
    'flush chain bridge megrez source; delete chain bridge megrez source; add chain bridge megrez source { type filter hook input priority 0; }',
    'table',
  ],
  'adds a chain to the guard that drops all': [
    'add chain bridge megrez theirs { type filter hook forward priority 0; }; add rule bridge megrez theirs drop',
    'table',
  ],
  'lets everybody tunnel': ['insert rule inet megrez check accept', 'tunnels'],
  'lets nobody tunnel': ['flush chain inet megrez check; add rule inet megrez check drop', 'tunnels'],
  'routes nothing': ['insert rule netdev megrez route drop', 'routes'],
}

const textOf = async (node: Node): Promise<string> =>
  (await node.space.namespace.exec('nft', 'list', 'ruleset')).stdout.replace(/counter packets \d+ bytes \d+/g, 'counter')

describe('tables of the Linux data plane', { skip: ovsSkip || pythonSkip }, () => {
  test('are as they were once whoever edited them has been found, and carry and guard as before', () =>
    withNodes(async (spaces, nodes) => {
      const [node] = nodes
      const pods = [
        await addPod(spaces, node, { vni, host: 10 }),
        await addPod(spaces, nodes[1], { vni, host: 11 }),
        await addPod(spaces, node, { vni, host: 12, net: 1 }),
      ] as const
      await setPieces(pods, nodes)
      const wanted = [...node.items.values()].flat()
      const before = await node.plane.observe(undefined, signal)
      for (const { key, text } of wanted) assert.equal(before.get(key), text)
      const texts = new Set((await textOf(node)).split('\n'))
      for (const [what, [edit, item]] of Object.entries(edits)) {
        await nft(node, edit)
        assert.equal((await node.plane.observe(undefined, signal)).get(item), undefined, what)
        await mend(node)
        assert.deepEqual(new Map(await node.plane.observe(undefined, signal)), new Map(before), what)
        assert.deepEqual(new Set((await textOf(node)).split('\n')), texts, what)
        await mend(node)
      }
      assert.equal(await reaches(pods[0], pods[1].port.addresses[0]!), true, 'by the tunnel')
      assert.equal(await reaches(pods[0], pods[2].port.addresses[0]!), true, 'by the gateway')
    }))

  test('hand a device of theirs to the rules that route again, where somebody has ended that', () =>
    withNodes(async (spaces, [node]) => {
      const pods = [await addPod(spaces, node, { vni, host: 10 }), await addPod(spaces, node, { vni, host: 12, net: 1 })] as const
      await nft(node, 'flush chain netdev megrez mgvx00138c')
      assert.equal((await node.plane.observe(undefined, signal)).get('router/mgvx00138c'), 'of nothing')
      await mend(node)
      assert.equal((await node.plane.observe(undefined, signal)).get('router/mgvx00138c'), 'of its bridge')
      assert.equal(await reaches(pods[0], pods[1].port.addresses[0]!), true)
    }))

  test('guard all the while that they are put right', () =>
    withNodes(async (spaces, [node]) => {
      const pods = [await addPod(spaces, node, { vni, host: 10 }), await addPod(spaces, node, { vni, host: 11 })] as const
      const ear = await listen(pods[1].space.namespace, 'eth0', 60)
      const frame = frameBetween({ ...pods[0].port, addresses: ['10.0.0.77'] }, pods[1].port, 17, udpPayload(1024, 80))
      let isMending = true
      const sending = (async () => {
        const frames = Array.from({ length: 200 }, () => frame)
        while (isMending) await sendFrames(pods[0].space.namespace, 'eth0', frames)
      })()
      try {
        for (let i = 0; i < 15; i++) {
          await nft(node, 'add rule bridge megrez option accept')
          await mend(node)
        }
      } finally {
        isMending = false
        await sending
      }
      const own = frameBetween(pods[0].port, pods[1].port, 17, udpPayload(1025, 80))
      await sendFrames(pods[0].space.namespace, 'eth0', [own])
      await new Promise((resolve) => setTimeout(resolve, 100))
      assert.equal(ear.heard.filter((each) => each.startsWith(frame)).length, 0, 'somebody spoke as another')
      assert.equal(ear.heard.filter((each) => each.startsWith(own)).length, 1, 'and whoever spoke as itself was heard')
      await ear.close()
    }))
})
