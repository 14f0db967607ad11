// VLANs of a physical network: access, trunk and selectivetrunk ports on two nodes whose uplinks are one wire.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { ipFrame, listen, pythonSkip, sendFrames, type Ear } from './raw-frames.ts'
import { startTwoNodes, type Pod, type TwoNodes } from './two-nodes.ts'

const vlan = (mode: 'access' | 'trunk' | 'selectivetrunk', ...vlans: number[]) =>
  ({ kind: 'vlan', physicalNetwork: 'physnet1', mode, vlans }) as const

describe('VLANs of a physical network on two nodes', { skip: ovsSkip || pythonSkip }, () => {
  let lab: TwoNodes
  let a: Pod, b: Pod, other: Pod, trunk: Pod, overlay: Pod
  before(async () => {
    lab = await startTwoNodes({ uplinks: true })
    const [one, two] = lab.nodes
    a = await lab.addPod(one, { name: 'a', attachment: vlan('access', 100), addresses: ['10.0.0.2'] })
    other = await lab.addPod(one, { name: 'o', attachment: vlan('access', 101), addresses: ['10.0.0.4'] })
    overlay = await lab.addPod(one, {
      name: 'v',
      attachment: { kind: 'vni', vni: 4_096 },
      addresses: ['10.0.0.6'],
      more: { portSecurity: false },
    })
    b = await lab.addPod(two, { name: 'b', attachment: vlan('access', 100), addresses: ['10.0.0.3'] })
    trunk = await lab.addPod(two, { name: 't', attachment: vlan('selectivetrunk', 100, 200), addresses: ['10.0.0.5'] })
    await lab.converge()
  })
  after(() => lab.close())

  test('access ports of one VLAN reach each other over the uplinks, those of another do not', async () => {
    assert.equal(await a.pings('10.0.0.3'), true)
    assert.equal(await other.pings('10.0.0.3'), false)
    assert.equal(await a.pings('10.0.0.4'), false)
    assert.equal(await a.pings('10.0.0.6'), false)
  })

  /** What a pod hears of a frame until `last` has come, each with its VLAN tag or none. */
  async function tagsHeard(ear: Ear, proto: string): Promise<(number | undefined)[]> {
    const of = (frame: string): boolean => frame.includes(proto)
    await until(() => ear.heard.some(of), 'a frame arrives')
    return ear.heard
      .filter(of)
      .map((frame) => (frame.slice(24, 28) === '8100' ? Number.parseInt(frame.slice(28, 32), 16) & 0xfff : undefined))
  }

  test('a trunk gets its VLANs with their tags, and no others', async () => {
    const ear = await listen(trunk.namespace, 'eth0')
    const frame = (pod: Pod, from: string): string =>
      ipFrame({ source: pod.port.mac, destination: 'ff:ff:ff:ff:ff:ff', from, to: '10.0.0.255' })
    await sendFrames(other.namespace, 'eth0', [frame(other, '10.0.0.4')])
    await sendFrames(a.namespace, 'eth0', [frame(a, '10.0.0.2')])
    assert.deepEqual(await tagsHeard(ear, '0a0000020a0000ff'), [100])
    assert.deepEqual(
      ear.heard.filter((each) => each.includes('0a0000040a0000ff')),
      [],
    )
    await ear.close()
  })

  test('a trunk sends into its VLANs; untagged frames and other tags go nowhere', async () => {
    const ear = await listen(b.namespace, 'eth0')
    const otherEar = await listen(other.namespace, 'eth0')
    const frame = (tag?: number): string =>
      ipFrame({
        source: trunk.port.mac,
        destination: 'ff:ff:ff:ff:ff:ff',
        from: '10.0.0.5',
        to: `10.0.0.${tag ?? 1}`,
        ...(tag === undefined ? {} : { tag }),
      })
    await sendFrames(trunk.namespace, 'eth0', [frame(), frame(101), frame(100)])
    assert.deepEqual(await tagsHeard(ear, '0a0000050a000064'), [undefined])
    assert.deepEqual(
      [...ear.heard, ...otherEar.heard].filter((each) => each.includes('0a0000050a000065') || each.includes('0a0000050a000001')),
      [],
    )
    await Promise.all([ear.close(), otherEar.close()])
  })

  test('an uplink carries what the ports of its node carry, and nothing once there are none', async () => {
    const [one, two] = lab.nodes
    const carried = async ({ ovs: { vsctl } }: typeof one): Promise<string> => (await vsctl('get', 'port', 'up0', 'trunks')).trim()
    assert.deepEqual([await carried(one), await carried(two)], ['[100, 101]', '[100, 200]'])
    // What somebody opens by hand is closed again.
    await one.ovs.vsctl('set', 'port', 'up0', 'trunks=[]')
    await lab.converge()
    assert.equal(await carried(one), '[100, 101]')
    const pods = two.pods.splice(0)
    await lab.converge()
    assert.equal(await carried(two), '[4095]')
    two.pods.push(...pods)
    await lab.converge()
    assert.equal(await carried(two), '[100, 200]')
  })

  test('a spoofed source gets nowhere in a VLAN too', async () => {
    const ear = await listen(b.namespace, 'eth0')
    const frame = (from: string): string => ipFrame({ source: a.port.mac, destination: b.port.mac, from, to: '10.0.0.3' })
    await sendFrames(a.namespace, 'eth0', [frame('10.0.0.77'), frame('10.0.0.2')])
    await until(() => ear.heard.includes(frame('10.0.0.2')), 'the true one arrives')
    assert.ok(!ear.heard.includes(frame('10.0.0.77')))
    await ear.close()
  })

  test('an access port cannot speak with a tag, nor reach the overlay', async () => {
    const ears = await Promise.all([b, overlay].map(({ namespace }) => listen(namespace, 'eth0')))
    const frame = (tag?: number): string =>
      ipFrame({
        source: a.port.mac,
        destination: 'ff:ff:ff:ff:ff:ff',
        from: '10.0.0.2',
        to: '10.0.0.200',
        ...(tag === undefined ? {} : { tag }),
      })
    await sendFrames(a.namespace, 'eth0', [frame(100), frame(200), frame()])
    await until(() => ears[0]!.heard.some((each) => each.startsWith(frame())), 'the untagged one arrives')
    assert.equal(ears[0]!.heard.filter((each) => each.includes('0a0000020a0000c8')).length, 1)
    assert.deepEqual(
      ears[1]!.heard.filter((each) => each.includes('0a0000020a0000c8')),
      [],
    )
    for (const ear of ears) await ear.close()
  })
})
