// 100,000 addresses of other nodes into a real Open vSwitch: ours, from the wanted pieces to the switch's word that it is done; flow_mods
// written by hand; and ovs-ofctl with a bundle.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ovs } from '../../agent/dataplanes/ovs.ts'
import type { OvsNode } from '../../lab/programs/ovs.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { Endpoint } from '../../core/node/wanted.ts'
import type { SwitchValue } from '../../core/pipeline/ovsdb/switch.ts'
import { ipv4Value, macValue } from '../../core/pipeline/openflow/values.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { BareSwitch, bareFlowMods, bridge, endpoints, startBenchSwitch } from './lib/ovs.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'
import { interleaved, median, rate, show } from './lib/rounds.ts'

export const description =
  'flows per second for 100,000 remote addresses, against bare flow_mods and ovs-ofctl --bundle; one change at 100 and at 100,000'

const count = 100_000
const flowsEach = 2
const rounds = 3
const fewCount = 100
const signal = AbortSignal.timeout(880_000)

export default async function flows(): Promise<readonly Metric[]> {
  const node = await startBenchSwitch()
  const open = (name: string) =>
    ovs({
      node: 'bench',
      db: node.db,
      runDir: node.folder,
      bridge: name,
      datapath: 'netdev',
      tunnelAddress: '192.0.2.250',
      tunnelL4Port: 4789,
      uplinks: {},
      clock: realClock,
      random: Math.random,
      log: silentLog(),
    })
  const plane = open(bridge)
  const fewPlane = open('mgz-few')
  const bare = { switch: undefined as BareSwitch | undefined }
  try {
    await plane.open(signal)
    await plane.apply({ drop: [], put: plane.renderer.base() }, signal)
    bare.switch = new BareSwitch(node)
    const all = endpoints(count)
    const file = await ofctlFile(node, plane, all)
    const figures = await interleaved(rounds, {
      'flow_mods by hand': () => emptied(node, () => byHand(bare.switch!, all)),
      'ovs-ofctl --bundle': () => emptied(node, () => rate(count * flowsEach, () => node.ofctl('add-flows', bridge, '--bundle', file))),
      ours: () => emptied(node, () => rate(count * flowsEach, () => put(plane, all))),
    })
    show('flows/s', figures)
    const value = figures.ours.median
    await fewPlane.open(signal)
    await fewPlane.apply({ drop: [], put: fewPlane.renderer.base().filter((item) => item.value.kind === 'bridge') }, signal)
    await emptied(node, () => rate(count * flowsEach, () => put(plane, all)))
    const { few, many } = await oneChange(plane, fewPlane, all)
    console.log(`one change: ${(few * 1_000).toFixed(0)} µs beside ${fewCount} addresses, ${(many * 1_000).toFixed(0)} µs beside ${count}`)
    return [
      againstFloor('raw', 'flows/s', { value, floor: figures['flow_mods by hand'] }, { atLeast: 0.8 }),
      againstFloor('vs-ofctl-bundle', 'flows/s', { value, floor: figures['ovs-ofctl --bundle'] }, { atLeast: 1.2 }),
      absolute('one-change-100-vs-100k', 'times the cost', many / few, { atMost: 2 }),
    ]
  } finally {
    bare.switch?.close()
    await fewPlane.close()
    await plane.close()
    await node.stop()
  }
}

const put = (plane: Dataplane<SwitchValue>, all: readonly Endpoint[]): Promise<void> =>
  plane.apply({ drop: [], put: all.flatMap((endpoint) => plane.renderer.render(endpointPiece, endpoint)) }, signal)

/** Each round begins with a switch without flows, and is worth nothing unless all are there at its end. */
async function emptied(node: OvsNode, run: () => Promise<number>): Promise<number> {
  await node.ofctl('del-flows', bridge)
  const perSecond = await run()
  const there = Number(/flow_count=(\d+)/.exec(await node.ofctl('dump-aggregate', bridge))?.[1])
  if (there !== count * flowsEach) throw new Error(`${there} flows are there, not ${count * flowsEach}`)
  return perSecond
}

/** The pieces are known as numbers already; 64 KiB to a write, one barrier at the end. */
async function byHand(to: BareSwitch, all: readonly Endpoint[]): Promise<number> {
  const pieces = all.map(({ vni, address, mac, hostIP }) => ({ vni, ip: ipv4Value(address), mac: macValue(mac), host: ipv4Value(hostIP) }))
  return rate(count * flowsEach, async () => {
    const size = 64 * 1024
    let buffer = Buffer.allocUnsafe(size + 512)
    let at = 0
    for (const piece of pieces) {
      at = bareFlowMods(buffer, at, piece)
      if (at < size) continue
      await to.write(buffer.subarray(0, at))
      buffer = Buffer.allocUnsafe(size + 512)
      at = 0
    }
    await to.write(buffer.subarray(0, at))
    await to.barrier(7)
  })
}

/** What ovs-ofctl is to read: the switch's own words for our flows. */
async function ofctlFile(node: OvsNode, plane: Dataplane<SwitchValue>, all: readonly Endpoint[]): Promise<string> {
  await node.ofctl('del-flows', bridge)
  await put(plane, all)
  const dumped = await node.ofctl('dump-flows', bridge, '--no-stats', '--no-names')
  const path = join(node.folder, 'flows.txt')
  await writeFile(
    path,
    dumped
      .split('\n')
      .filter((line) => line.includes('cookie='))
      .join('\n'),
  )
  return path
}

/**
 * Milliseconds from the wanted piece to the switch's word: an address moves to another host, in turn beside few others and beside many, so
 * that a slow moment of the machine falls on both.
 */
async function oneChange(
  many: Dataplane<SwitchValue>,
  few: Dataplane<SwitchValue>,
  all: readonly Endpoint[],
): Promise<{ readonly few: number; readonly many: number }> {
  await put(few, all.slice(0, fewCount))
  const times = { few: [] as number[], many: [] as number[] }
  for (let i = 0; i < 400; i++) {
    const endpoint = { ...all[i % fewCount]!, hostIP: `198.51.100.${1 + (i % 200)}` }
    for (const [name, plane] of [
      ['few', few],
      ['many', many],
    ] as const) {
      const start = performance.now()
      await put(plane, [endpoint])
      times[name].push(performance.now() - start)
    }
  }
  return { few: median(times.few.slice(50)), many: median(times.many.slice(50)) }
}
