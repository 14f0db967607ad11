// The table of what a port may send (docs/anti-spoofing.md), as packets through the real bessd.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { falseVerdicts, free, hearer, pairs, speaker } from '../laws/spoofing.ts'
import { listen, pythonSkip, sendFrames } from '../node/raw-frames.ts'
import { until } from '../setup/until.ts'
import { bessSkip, openTestNodes, settle, wantedOf } from './test-nodes.ts'

/**
 * Never come as far as the graph: DPDK's net_af_packet asks the kernel to put IPv4 fragments together
 * (PACKET_FANOUT_FLAG_DEFRAG), and the rest of these never comes. Those of IPv6 come as they are sent.
 */
const keptByTheKernel = ['IPv4: a first fragment: dropped', 'IPv4: a later fragment: dropped']

test('what a port may send, frame by frame', { skip: bessSkip || pythonSkip }, async () => {
  const cluster = await openTestNodes()
  try {
    const node = await cluster.node('a', '192.168.50.1')
    const pod = (number: number, { mac, v4, v6 }: { readonly mac: string; readonly v4: string; readonly v6: string }, more = {}) =>
      node.pod({ number, vni: 5001, address: v4, mac, more: { addresses: [v4, v6], ...more } })
    const [from, loose, to] = [
      await pod(1, speaker, { allowedAddressPairs: pairs }),
      await pod(2, free, { portSecurity: false }),
      await pod(3, hearer),
    ]
    await settle(await node.plane(), wantedOf([from.port, loose.port, to.port]))
    const ear = await listen(to.namespace, 'eth0')
    const send = (by: 'speaker' | 'free', frames: readonly string[]): Promise<void> =>
      sendFrames((by === 'speaker' ? from : loose).namespace, 'eth0', frames)
    assert.deepEqual(
      await falseVerdicts({ send, heard: ear.heard, until: (holds) => until(holds, 'what passes is heard') }),
      keptByTheKernel,
    )
    await ear.close()
  } finally {
    await cluster.close()
  }
})
