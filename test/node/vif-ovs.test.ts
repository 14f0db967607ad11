// Ports of a cloud whose bridge is somebody else's Open vSwitch: with a Linux bridge in between, and with what others change put right.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { reaches } from '../../lab/nodes/ping.ts'
import { hybridNames } from '../../core/net/names.ts'
import type { SwitchItem } from '../../core/pipeline/items.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { localPortOf } from '../../core/plan/node/pieces.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { Inside, Links } from '../../agent/links/links.ts'
import { linkGroup } from '../../agent/links/pod-namespace.ts'
import { makeLinks } from '../../agent/links/plumbing.ts'
import { openNetlink } from '../../agent/netlink/addon.ts'
import type { Netlink } from '../../agent/netlink/netlink.ts'
import { realClock } from '../../platform/clock.ts'
import { thing } from '../core/plan-things.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { builtAddon, openSpaces, type Space, type Spaces } from './kernel.ts'
import { startSwitch, type SwitchUnderTest } from './switch.ts'

const cloudIDs = ['11111111-aaaa-4000-8000-000000000001', '22222222-bbbb-4000-8000-000000000002'] as const
const portOf = (nth: 0 | 1): LocalPort => {
  const vif = { node: 'here', plug: 'bridge', bridge: 'br-int', interfaceID: cloudIDs[nth], hybrid: true } as const
  const status = { addresses: [`10.9.0.${nth + 1}`], mac: `fa:16:3e:00:00:0${nth + 1}`, phase: 'pending' as const, vif }
  return localPortOf(thing('Port', `p${nth}`, { subnet: 'there', node: 'here' }, { status }), { number: nth + 1, mtu: 1400 })!
}

describe('hybrid plugs into the Open vSwitch of a cloud', { skip: ovsSkip }, () => {
  let lab: SwitchUnderTest
  let spaces: Spaces
  let pods: readonly Space[]
  let links: Links
  let hand: Netlink
  let plane: ReturnType<SwitchUnderTest['plane']>
  let woken = 0
  const ports = [portOf(0), portOf(1)] as const
  const inside = (nth: 0 | 1): Inside => ({
    netns: pods[nth]!.path,
    ifname: 'eth0',
    addresses: [`10.9.0.${nth + 1}/24`],
    routes: [],
    checksumsInSoftware: true,
  })
  const vsctl = (...args: readonly string[]): Promise<string> => lab.node.vsctl(...args)
  const { signal } = new AbortController()

  before(async () => {
    lab = await startSwitch()
    const home = `/run/netns/${lab.node.namespace.name}`
    const addon = await builtAddon()
    spaces = openSpaces()
    pods = [await spaces.make(), await spaces.make()]
    hand = await openNetlink(addon, home)
    const onProblem = (err: unknown): void => assert.fail(err as Error)
    links = makeLinks({
      clock: realClock,
      netlink: await openNetlink(addon, home),
      home,
      reaper: await openNetlink(addon, home),
      onProblem,
    })
    await vsctl('add-br', 'br-int', '--', 'set', 'bridge', 'br-int', 'datapath_type=netdev')
    await vsctl('add-br', 'br-other', '--', 'set', 'bridge', 'br-other', 'datapath_type=netdev')
    plane = lab.plane({ netlink: () => openNetlink(addon, home) })
    await plane.open(signal)
    plane.onDrift(() => void woken++)
  })
  after(async () => {
    await plane.close()
    await links.close()
    await hand.close()
    await spaces.close()
    await lab.node.stop()
  })

  /** @returns how many items were not as they should be */
  async function reach(): Promise<number> {
    const wanted = ports.flatMap((port) => plane.renderer.render(portPiece, port)) as readonly SwitchItem[]
    const seen = await plane.observe(undefined, signal)
    const put = wanted.filter(({ key, text }) => seen.get(key) !== text)
    const keys = new Set(wanted.map(({ key }) => key))
    const gone = [...seen].filter(([key]) => !keys.has(key) && /^(?:port|hybrid)\//.test(key)).map(([key, text]) => plane.itemOf(key, text))
    const drop = [...put.flatMap(({ key }) => (seen.has(key) ? [plane.itemOf(key, seen.get(key)!)] : [])), ...gone]
    if (put.length + drop.length > 0) await plane.apply({ drop, put }, signal)
    return put.length + drop.length
  }
  const [outer, other] = cloudIDs.map((id) => hybridNames(id).outer) as [string, string]
  const idOf = async (): Promise<string> => (await vsctl('get', 'Interface', outer, 'external_ids:iface-id')).trim().replaceAll('"', '')

  test('the interface is in a Linux bridge of its own, whose other end is on the switch by the ID of the cloud, and packets pass', async () => {
    for (const nth of [0, 1] as const) await links.ensure(ports[nth], inside(nth))
    assert.ok((await reach()) > 0)
    assert.equal(await reach(), 0)
    assert.deepEqual(
      ports.map(({ ifcName }) => ifcName),
      ['tap11111111-aa', 'tap22222222-bb'],
    )
    assert.deepEqual((await vsctl('list-ports', 'br-int')).trim().split('\n').sort(), [outer, other].sort())
    assert.equal(await idOf(), cloudIDs[0])
    assert.ok(await reaches(pods[0]!.namespace, '10.9.0.2', { tries: 10 }))
  })

  test('an ID that others change is seen and put right, and what else its owner has written stays', async () => {
    await vsctl('set', 'Interface', outer, 'external_ids:ovn-installed=true')
    assert.equal(await reach(), 0, 'that is nothing of ours')
    const before = woken
    await vsctl('set', 'Interface', outer, 'external_ids:iface-id=another')
    await until(() => woken > before, 'somebody has noticed', 5_000)
    assert.ok((await reach()) > 0)
    assert.equal(await idOf(), cloudIDs[0])
    assert.match(await vsctl('get', 'Interface', outer, 'external_ids'), /ovn-installed="?true/)
    assert.equal(await reach(), 0)
  })

  test('a port that others move to another bridge comes back, and so does what they take away in between', async () => {
    for (const meddle of [
      () => vsctl('del-port', outer, '--', 'add-port', 'br-other', outer, '--', 'set', 'Port', outer, 'external_ids:megrez=port'),
      () => hand.request([{ do: 'dropLink', of: { index: 0, ifname: outer } }]),
      () => hand.request([{ do: 'dropLink', of: { index: 0, ifname: hybridNames(cloudIDs[0]).bridge } }]),
    ]) {
      const before = woken
      await meddle()
      await until(() => woken > before, 'somebody has noticed', 5_000)
      for (let tries = 0; (await reach()) > 0 && tries < 5; tries++);
      assert.equal((await vsctl('port-to-br', outer)).trim(), 'br-int')
      assert.ok(await reaches(pods[0]!.namespace, '10.9.0.2', { tries: 10 }))
    }
  })

  test('at the end nothing of ours is left, and the bridges are', async () => {
    const all = await plane.observe(undefined, signal)
    await plane.apply({ drop: [...all].map(([key, text]) => plane.itemOf(key, text)), put: [] }, signal)
    for (const { ifcName } of ports) await links.remove(ifcName)
    await links.reap()
    await until(async () => (await vsctl('list-ports', 'br-int')).trim() === '', 'no port is left', 10_000)
    const left = (await hand.list('links')).filter(({ group, ifname }) => group === linkGroup.hybrid || /^(?:q|tap[12])/.test(ifname))
    assert.deepEqual(left, [])
    assert.match(await vsctl('list-br'), /br-int\nbr-other/)
  })
})
