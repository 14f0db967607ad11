// The table of what a port may send (docs/anti-spoofing.md), as packets on Open vSwitch and on the kernel's data plane.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LocalPort } from '../../core/node/wanted.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { falseVerdicts, free, hearer, pairs, speaker } from '../laws/spoofing.ts'
import { addPod, withNodes } from './linux-nodes.ts'
import { listen, pythonSkip, sendFrames } from './raw-frames.ts'
import { startTwoNodes } from './two-nodes.ts'
import type { Namespace } from '../../lab/namespaces.ts'

const vni = 5001
const portOf = ({ mac, v4, v6 }: { readonly mac: string; readonly v4: string; readonly v6: string }): Partial<LocalPort> => ({
  mac,
  addresses: [v4, v6],
})
const three = [
  { name: 's', more: { ...portOf(speaker), allowedAddressPairs: pairs } },
  { name: 'f', more: { ...portOf(free), portSecurity: false } },
  { name: 'h', more: portOf(hearer) },
] as const

async function asTheTableHasIt([from, loose, to]: readonly Namespace[]): Promise<void> {
  const ear = await listen(to!, 'eth0')
  try {
    const send = (by: 'speaker' | 'free', frames: readonly string[]): Promise<void> =>
      sendFrames(by === 'speaker' ? from! : loose!, 'eth0', frames)
    assert.deepEqual(await falseVerdicts({ send, heard: ear.heard, until: (holds) => until(holds, 'what passes is heard') }), [])
  } finally {
    await ear.close()
  }
}

describe('what a port may send', { skip: ovsSkip || pythonSkip }, () => {
  test('on the Linux data plane, frame by frame', () =>
    withNodes(async (spaces, [one]) => {
      const pods: Namespace[] = []
      for (const [i, { more }] of three.entries()) pods.push((await addPod(spaces, one, { vni, host: 11 + i, more })).space.namespace)
      await asTheTableHasIt(pods)
    }))

  test('on Open vSwitch, frame by frame', async () => {
    const lab = await startTwoNodes()
    try {
      const pods: Namespace[] = []
      for (const { name, more } of three)
        pods.push(
          (await lab.addPod(lab.nodes[0], { name, attachment: { kind: 'vni', vni }, addresses: more.addresses ?? [], more })).namespace,
        )
      await lab.converge()
      await asTheTableHasIt(pods)
    } finally {
      await lab.close()
    }
  })
})
