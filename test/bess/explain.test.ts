// What a Port comes to on the real bessd, against what is there, with the packets that bessd has counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainLive } from '../../agent/inquiries/explain.ts'
import { daemonOn } from '../../agent/dataplanes/bess/daemon.ts'
import type { LiveItem } from '../../core/node/explained.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { openChannel } from '../../platform/grpc/channel.ts'
import { bessSkip, openTestNodes, pings, settle, signal, wantedOf } from './test-nodes.ts'

test('a Port is explained by modules and rules that are there, missing or different, with their packets', { skip: bessSkip }, async () => {
  const cluster = await openTestNodes()
  try {
    const node = await cluster.node('a', '192.168.50.1')
    const plane = await node.plane()
    const one = await node.pod({ number: 1, vni: 5001, address: '10.0.0.1', mac: '02:00:00:00:00:01' })
    const two = await node.pod({ number: 2, vni: 5001, address: '10.0.0.2', mac: '02:00:00:00:00:02' })
    const wanted = wantedOf([one.port, two.port])
    await settle(plane, wanted)
    assert.equal(await pings(one.namespace, '10.0.0.2'), true)
    const found = (): Promise<readonly LiveItem[]> => explainLive(plane, plane.renderer.render(portPiece, one.port), signal)
    const at = (all: readonly LiveItem[], key: string): LiveItem => all.find((each) => each.key === key)!
    const wayTo = 'rule/fwd/00001389.020000000001'

    const whole = await found()
    assert.deepEqual(
      whole.filter(({ state }) => state !== 'there'),
      [],
    )
    for (const key of ['port/p.1', 'module/in.1', 'module/guard.1', wayTo])
      assert.ok((at(whole, key).packets ?? 0) > 0, `${key} has counted the ping`)

    assert.deepEqual(
      whole.filter(({ by }) => by !== undefined).map(({ key, by }) => [key, by]),
      [['port/p.1', "DPDK's net_af_packet"]],
    )

    const channel = openChannel({ target: node.daemon.target })
    cluster.onClose(() => Promise.resolve(channel.close()))
    await channel.ready(5_000)
    const daemon = daemonOn(channel, signal)
    await daemon.destroyModule((await daemon.modules()).find(({ name }) => name.startsWith('mgz:out.1 '))!.name)
    const broken = await found()
    assert.equal(at(broken, 'module/out.1').state, 'missing')
    assert.deepEqual([at(broken, wayTo).state, at(broken, wayTo).instead], ['different', 'nowhere'])
    assert.equal(at(broken, 'module/guard.1').state, 'there')
    await settle(plane, wanted)
    assert.deepEqual(
      (await found()).filter(({ state }) => state !== 'there'),
      [],
    )
  } finally {
    await cluster.close()
  }
})
