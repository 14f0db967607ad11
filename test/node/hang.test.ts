// Daemons that are there and do nothing (kill -STOP): each wait for them ends in time, who hangs is said by name, and once they go on
// everything does, without anybody's help.
import assert from 'node:assert/strict'
import { after, before, describe, test, type TestContext } from 'node:test'
import { explainLive } from '../../agent/inquiries/explain.ts'
import { NodeLoop } from '../../agent/loop.ts'
import { noAgentMeter } from '../../agent/metrics.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { realClock, timeLimit } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { held } from '../setup/held.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { bridge, startSwitch, type SwitchUnderTest } from './switch.ts'

/** Thirty seconds as agents have it: too long for a test. */
const applyMs = 1_500
const portOf = (number: number): LocalPort => ({
  uid: `u${number}`,
  of: { kind: 'Port', namespace: 'a', name: `p${number}` },
  number,
  ifcName: `mgz${number}`,
  attachment: { kind: 'vni', vni: 5000 },
  mac: `02:00:00:00:00:0${number}`,
  addresses: [`10.0.0.${number + 1}`],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
})

async function looping(
  t: TestContext,
  own: SwitchUnderTest,
): Promise<{ readonly loop: NodeLoop; readonly plane: ReturnType<SwitchUnderTest['plane']> }> {
  const plane = own.plane({ times: { reapMs: 5, applyMs }, uplinks: {} })
  const loop = new NodeLoop({
    plane,
    node: 'here',
    clock: realClock,
    random: Math.random,
    log: silentLog(),
    meter: noAgentMeter,
    synced: () => true,
    auditMs: 60_000,
  })
  t.after(async () => {
    await loop.stop()
    await plane.close()
  })
  await plane.open(timeLimit(20_000, realClock))
  loop.pieces.set(portPiece, 'u1', portOf(1))
  loop.start()
  await loop.applied(timeLimit(20_000, realClock))
  return { loop, plane }
}

const moved: LocalPort = { ...portOf(1), addresses: ['10.0.0.9'] }

interface Hanging {
  readonly daemon: 'ovs-vswitchd' | 'ovsdb-server'
  readonly wants: string
  readonly asks: LocalPort
  readonly says: RegExp
  /** Of a flow, as ovs-ofctl has it. */
  readonly then: RegExp
}
const cases: readonly Hanging[] = [
  { daemon: 'ovs-vswitchd', wants: 'flows', asks: moved, says: /ovs-vswitchd hangs/, then: /nw_src=10\.0\.0\.9/ },
  {
    daemon: 'ovs-vswitchd',
    wants: 'a port',
    asks: portOf(2),
    says: /ovs-vswitchd (hangs|has not put the change into effect)/,
    then: /in_port=2/,
  },
  { daemon: 'ovsdb-server', wants: 'a port', asks: portOf(2), says: /the OVSDB at .* does not answer/, then: /in_port=2/ },
]

describe('Open vSwitch that hangs', { skip: ovsSkip }, () => {
  let own: SwitchUnderTest
  before(async () => {
    own = await startSwitch()
    await own.plug(['mgz1', 'mgz2'])
  })
  after(() => own.node.stop())

  for (const { daemon, wants, asks, says, then } of cases)
    test(`${daemon} that is asked for ${wants} while it hangs is named, and does it once it goes on`, async (t) => {
      await own.empty()
      const { loop, plane } = await looping(t, own)
      assert.equal(loop.problem, undefined)
      const goOn = own.node.hang(daemon)
      t.after(goOn)
      loop.pieces.set(portPiece, asks.uid, asks)
      const applied = loop.applied(timeLimit(600_000, realClock))
      await until(() => says.test(loop.problem ?? ''), `${daemon} is named`, 30_000)
      // What explain asks, who reads flows from vswitchd and rows as they were heard of last.
      if (daemon === 'ovs-vswitchd')
        await assert.rejects(
          explainLive(plane, plane.renderer.render(portPiece, portOf(1)), timeLimit(20_000, realClock)),
          /ovs-vswitchd hangs/,
        )
      await held()
      assert.match(loop.problem ?? '', says)
      goOn()
      await applied
      await until(() => loop.problem === undefined, 'nothing is wrong any more', 30_000)
      assert.match(await own.node.ofctl('dump-flows', bridge), then)
    })
})
