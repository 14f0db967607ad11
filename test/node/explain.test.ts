// What a Port comes to on a real Open vSwitch, against what is there: a flow that somebody took, one that somebody changed, and packets.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { explainLive } from '../../agent/inquiries/explain.ts'
import type { LiveItem } from '../../core/node/explained.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { startTwoNodes, type LabNode, type Pod, type TwoNodes } from './two-nodes.ts'

const blue = { kind: 'vni', vni: 4_098 } as const

describe('a Port explained by what is there', { skip: ovsSkip }, () => {
  let lab: TwoNodes
  let node: LabNode
  let a: Pod
  before(async () => {
    lab = await startTwoNodes()
    node = lab.nodes[0]
    a = await lab.addPod(node, { name: 'a', attachment: blue, addresses: ['10.0.0.2'] })
    await lab.addPod(node, { name: 'b', attachment: blue, addresses: ['10.0.0.3'] })
    await lab.converge({ [blue.vni]: {} })
    assert.equal(await a.pings('10.0.0.3'), true)
  })
  after(() => lab.close())

  const found = (): Promise<readonly LiveItem[]> =>
    explainLive(node.plane, node.plane.renderer.render(portPiece, a.port), AbortSignal.timeout(20_000))
  const ofGuard = (all: readonly LiveItem[]): LiveItem =>
    all.find(({ where, match }) => where === '10 guard' && match.includes('ipv4_src=10.0.0.2'))!

  test('all of it is there, and what packets went through says how many', async () => {
    // The switch adds up what its cache has passed, a moment later.
    await until(async () => (ofGuard(await found()).packets ?? 0) > 0, 'the guard has counted the ping')
    const all = await found()
    assert.deepEqual(
      all.filter(({ state }) => state !== 'there'),
      [],
    )
    assert.ok(all.some(({ where }) => where === 'port') && all.every(({ because }) => because.includes(`Port lab/${a.port.of.name}`)))
    assert.ok(all.filter(({ where }) => where !== 'port').every(({ packets }) => packets !== undefined))
    const { packets = 0, bytes = 0 } = ofGuard(all)
    assert.ok(bytes >= packets * 42, `${packets} packets of ${bytes} bytes: none is shorter than its headers`)
  })

  test('a flow that was taken is missing, one that does something else is different, and both are whole again afterwards', async () => {
    const rule = `table=10,priority=${ofGuard(await found()).key.split('/')[3]}`
    const reg = /reg\d+=0x[0-9a-f]+(?:\/0x[0-9a-f]+)?/.exec(ofGuard(await found()).match)![0]
    await node.ovs.ofctl('mod-flows', 'mgz-int', '--strict', `${rule},${reg},dl_src=${a.port.mac},ip,nw_src=10.0.0.2,actions=drop`)
    const changed = ofGuard(await found())
    assert.equal(changed.state, 'different', JSON.stringify(changed))
    assert.ok(changed.instead !== undefined)
    await node.ovs.ofctl('del-flows', 'mgz-int', 'table=10')
    const gone = (await found()).filter(({ where }) => where === '10 guard')
    assert.ok(gone.length > 0 && gone.every(({ state, packets }) => state === 'missing' && packets === undefined))
    await lab.converge()
    assert.deepEqual(
      (await found()).filter(({ state }) => state !== 'there'),
      [],
    )
  })
})
