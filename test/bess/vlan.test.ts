// VLANs of a physical network on the real bessd, with a node of Open vSwitch at the other end of the wire.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { ovs } from '../../agent/dataplanes/ovs.ts'
import { noNamespaces, must } from '../../lab/namespaces.ts'
import { startOvsNode } from '../../lab/programs/ovs.ts'
import type { Dataplane } from '../../core/contracts/dataplane.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { ipFrame, listen, pythonSkip, sendFrames, type Ear } from '../node/raw-frames.ts'
import { until } from '../setup/until.ts'
import { bessSkip, openTestNodes, pings, plug, settle, signal, wantedOf, type TestNodes } from './test-nodes.ts'

const skip = bessSkip || pythonSkip || ((await noNamespaces()) ?? false)
const vlan = (mode: 'access' | 'trunk' | 'selectivetrunk', ...vlans: number[]) =>
  ({ kind: 'vlan', physicalNetwork: 'physnet1', mode, vlans }) as const
const macOf = (n: number): string => `02:00:00:00:01:0${n}`
const everybody = 'ff:ff:ff:ff:ff:ff'

interface Pod {
  readonly namespace: Parameters<typeof listen>[0]
  readonly port: LocalPort
}

/** Its tag, or none, of each frame with these bytes. */
const tagsOf = ({ heard }: Ear, bytes: string): (number | undefined)[] =>
  heard
    .filter((frame) => frame.includes(bytes))
    .map((frame) => (frame.slice(24, 28) === '8100' ? Number.parseInt(frame.slice(28, 32), 16) & 0xfff : undefined))

describe('VLANs through bessd', { skip }, () => {
  let cluster: TestNodes
  let plane: Dataplane
  let a: Pod, same: Pod, other: Pod, trunk: Pod, loose: Pod, far: Pod, farTrunk: Pod
  const ports: LocalPort[] = []
  before(async () => {
    cluster = await openTestNodes()
    const node = await cluster.node('a', '192.168.50.1')
    const there = await startOvsNode({ name: `${cluster.prefix}o`, folder: join(cluster.folder, 'o') })
    cluster.onClose(() => there.stop())
    await cluster.underlay.join(there, '192.168.50.2')
    await must(
      'ip',
      'link',
      'add',
      'up0',
      'netns',
      node.namespace.name,
      'type',
      'veth',
      'peer',
      'name',
      'up0',
      'netns',
      there.namespace.name,
    )
    for (const { namespace } of [node, there]) {
      await namespace.ip('link', 'set', 'up0', 'up')
      await namespace.exec('ethtool', '-K', 'up0', 'tx', 'off')
    }
    const pod = async (number: number, attachment: LocalPort['attachment'], more: Partial<LocalPort> = {}): Promise<Pod> => {
      const made = await node.pod({ number, vni: 0, address: `10.0.0.${number}`, mac: macOf(number), more: { attachment, ...more } })
      ports.push(made.port)
      return made
    }
    a = await pod(1, vlan('access', 100))
    same = await pod(2, vlan('access', 100))
    other = await pod(3, vlan('access', 101))
    trunk = await pod(4, vlan('selectivetrunk', 100, 200))
    loose = await pod(5, vlan('access', 100), { portSecurity: false })
    plane = await node.plane({ uplinks: { physnet1: 'up0' } })
    await settle(plane, wantedOf(ports))

    const away = async (number: number, attachment: LocalPort['attachment']): Promise<Pod> => {
      const namespace = await cluster.namespace(`op${number}`)
      const ifcName = `mgz${number}`
      await plug(there.namespace, namespace, { ifcName, mac: macOf(number), cidr: `10.0.0.${number}/24` })
      return {
        namespace,
        port: { ...a.port, uid: `far-${number}`, number, ifcName, mac: macOf(number), addresses: [`10.0.0.${number}`], attachment },
      }
    }
    far = await away(7, vlan('access', 100))
    farTrunk = await away(8, vlan('trunk', 100, 200))
    const switched = ovs({
      node: 'o',
      db: there.db,
      runDir: there.folder,
      bridge: 'mgz-int',
      datapath: 'netdev',
      tunnelAddress: '192.168.50.2',
      tunnelL4Port: 4789,
      uplinks: { physnet1: 'up0' },
      clock: realClock,
      random: Math.random,
      log: silentLog(),
    })
    cluster.onClose(() => switched.close())
    await switched.open(signal)
    await settle(switched, wantedOf([far.port, farTrunk.port]))
  })
  after(() => cluster.close())

  const frame = (
    pod: Pod,
    to: string,
    more: { readonly tag?: number; readonly destination?: string; readonly from?: string } = {},
  ): string =>
    ipFrame({
      source: pod.port.mac,
      destination: more.destination ?? everybody,
      from: more.from ?? pod.port.addresses[0]!,
      to,
      ...(more.tag === undefined ? {} : { tag: more.tag }),
    })
  /** Its addresses: no two frames here have the same. */
  const bytesOf = (sent: string): string => sent.slice(sent.indexOf('4500002a') + 24).slice(0, 16)

  test('access ports of one VLAN reach each other here and over the wire, those of another do not; nothing is left to do', async () => {
    assert.equal(await settle(plane, wantedOf(ports)), false)
    assert.deepEqual((await plane.open(signal))['vlan:physnet1'], true)
    assert.equal(await pings(a.namespace, '10.0.0.2'), true, 'here')
    assert.equal(await pings(a.namespace, '10.0.0.7', { count: 6 }), true, 'to Open vSwitch')
    assert.equal(await pings(far.namespace, '10.0.0.2'), true, 'from Open vSwitch')
    assert.equal(await pings(far.namespace, '10.0.0.5'), true, 'to a port without port security')
    assert.equal(await pings(other.namespace, '10.0.0.1'), false, 'another VLAN, here')
    assert.equal(await pings(other.namespace, '10.0.0.7'), false, 'another VLAN, over the wire')
  })

  test('a trunk gets its VLANs with their tags and sends into them; untagged frames, other tags and tags of an access port go nowhere', async () => {
    const ears = await Promise.all([a, other, trunk, far, farTrunk].map(({ namespace }) => listen(namespace, 'eth0')))
    const [atA, atOther, atTrunk, atFar, atFarTrunk] = ears as [Ear, Ear, Ear, Ear, Ear]
    const sent = {
      untagged: frame(trunk, '10.0.1.1'),
      foreign: frame(trunk, '10.0.1.2', { tag: 101 }),
      here: frame(trunk, '10.0.1.3', { tag: 100 }),
      only: frame(trunk, '10.0.1.4', { tag: 200 }),
      twice: frame(a, '10.0.1.5', { tag: 100 }),
      plain: frame(a, '10.0.1.6'),
    }
    await sendFrames(trunk.namespace, 'eth0', [sent.untagged, sent.foreign, sent.here, sent.only])
    await sendFrames(other.namespace, 'eth0', [frame(other, '10.0.1.7')])
    await sendFrames(a.namespace, 'eth0', [sent.twice, sent.plain])
    const last = bytesOf(sent.plain)
    await until(() => [atTrunk, atFar, atFarTrunk].every((ear) => tagsOf(ear, last).length > 0), 'the last frame is everywhere')
    assert.deepEqual(
      [atTrunk, atFar, atFarTrunk].map((ear) => tagsOf(ear, last)),
      [[100], [undefined], [100]],
    )
    assert.deepEqual(
      [atA, atFar, atFarTrunk].map((ear) => tagsOf(ear, bytesOf(sent.here))),
      [[undefined], [undefined], [100]],
    )
    assert.deepEqual(
      [atA, atOther, atFar, atFarTrunk].map((ear) => tagsOf(ear, bytesOf(sent.only))),
      [[], [], [], [200]],
    )
    for (const never of [sent.untagged, sent.foreign])
      assert.deepEqual(
        [atA, atOther, atFar, atFarTrunk].flatMap((ear) => tagsOf(ear, bytesOf(never))),
        [],
      )
    assert.deepEqual(
      [atOther, atTrunk, atFar, atFarTrunk].flatMap((ear) => tagsOf(ear, bytesOf(sent.twice))),
      [],
    )
    assert.deepEqual(
      [atA, atTrunk, atFar, atFarTrunk].flatMap((ear) => tagsOf(ear, bytesOf(frame(other, '10.0.1.7')))),
      [],
    )
    assert.equal(tagsOf(atA, last).length, 1, 'it hears what it sent leave, and it does not come back')
    await Promise.all(ears.map((ear) => ear.close()))
  })

  test('a source that is not its own goes nowhere; what goes to nobody known leaves by the wire, and to ports that may have more MACs', async () => {
    const ears = await Promise.all([same, loose, far].map(({ namespace }) => listen(namespace, 'eth0')))
    const [atSame, atLoose, atFar] = ears as [Ear, Ear, Ear]
    const [spoofed, unknown, last] = [
      frame(a, '10.0.2.1', { from: '10.0.0.77' }),
      frame(a, '10.0.2.2', { destination: '02:00:00:00:99:99' }),
      frame(a, '10.0.2.3'),
    ]
    await sendFrames(a.namespace, 'eth0', [spoofed, unknown, last])
    await until(() => [atSame, atLoose, atFar].every((ear) => tagsOf(ear, bytesOf(last)).length > 0), 'the last frame is everywhere')
    assert.deepEqual(
      [atSame, atLoose, atFar].flatMap((ear) => tagsOf(ear, bytesOf(spoofed))),
      [],
    )
    assert.deepEqual(
      [atSame, atLoose, atFar].map((ear) => tagsOf(ear, bytesOf(unknown)).length),
      [0, 1, 1],
    )
    await Promise.all(ears.map((ear) => ear.close()))
  })

  test('a trunk that gets another VLAN, and a port that goes, change nothing for the others', async () => {
    const more = ports
      .map((port) => (port.number === trunk.port.number ? { ...port, attachment: vlan('selectivetrunk', 100, 101) } : port))
      .filter(({ number }) => number !== loose.port.number)
    await settle(plane, wantedOf(more))
    assert.equal(await settle(plane, wantedOf(more)), false)
    const ear = await listen(trunk.namespace, 'eth0')
    const sent = frame(other, '10.0.3.1')
    await sendFrames(other.namespace, 'eth0', [sent])
    await until(() => tagsOf(ear, bytesOf(sent)).length > 0, 'the trunk has the other VLAN too')
    assert.deepEqual(tagsOf(ear, bytesOf(sent)), [101])
    await ear.close()
    assert.equal(await pings(a.namespace, '10.0.0.7'), true)
  })
})
