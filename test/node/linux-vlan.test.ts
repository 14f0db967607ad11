// VLANs of a physical network on the Linux data plane: access, trunk and selectivetrunk ports on two nodes whose uplinks are one wire.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import type { Spaces } from './kernel.ts'
import { addPod, reaches, want, withNodes, type Node, type Pod } from './linux-nodes.ts'
import { ipFrame, listen, pythonSkip, sendFrames, type Ear } from './raw-frames.ts'

const vlan = (mode: 'access' | 'trunk' | 'selectivetrunk', ...vlans: number[]) =>
  ({ kind: 'vlan', physicalNetwork: 'physnet1', mode, vlans }) as const
const everybody = 'ff:ff:ff:ff:ff:ff'
/** Broadcast from an address; the last octet of what it is sent to tells frames apart. */
const frame = ({ port }: Pod, to: number, tag?: number): string =>
  ipFrame({ source: port.mac, destination: everybody, from: port.addresses[0]!, to: `10.0.0.${to}`, ...(tag === undefined ? {} : { tag }) })
const hex = (address: string): string =>
  address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')

/**
 * The tags, or none, with which frames from a pod to an octet were heard. They are sent until they arrive: a port that has just come up
 * forwards once the kernel has heard of it.
 */
const tagsOf = ({ heard }: Ear, from: Pod, to: number): (number | undefined)[] => {
  const frames = heard.filter((each) => each.includes(`${hex(from.port.addresses[0]!)}${hex(`10.0.0.${to}`)}`))
  return [...new Set(frames.map((each) => (each.slice(24, 28) === '8100' ? Number.parseInt(each.slice(28, 32), 16) & 0xfff : undefined)))]
}

const inVlan = (
  spaces: Spaces,
  node: Node,
  host: number,
  { attachment, ...more }: Partial<LocalPort> & Pick<LocalPort, 'attachment'>,
): Promise<Pod> => addPod(spaces, node, { vni: 1, host, more: { attachment, ...more } })

describe('VLANs over the Linux data plane', { skip: ovsSkip || pythonSkip }, () => {
  test('access ports of one VLAN reach each other on a node and over the uplinks, with one MAC in two VLANs too; others, and the overlay, do not', () =>
    withNodes(async (spaces, [one, two]) => {
      const a = await inVlan(spaces, one, 2, { attachment: vlan('access', 100) })
      const [near, far] = [
        await inVlan(spaces, one, 3, { attachment: vlan('access', 100) }),
        await inVlan(spaces, two, 4, { attachment: vlan('access', 100) }),
      ]
      const other = await inVlan(spaces, one, 5, { attachment: vlan('access', 101) })
      // Whoever learned where MACs are would send a's frames here.
      await inVlan(spaces, two, 6, { attachment: vlan('access', 101), mac: near.port.mac })
      await addPod(spaces, one, { vni: 5001, host: 7, more: { portSecurity: false } })
      for (const { port } of [near, far]) for (const address of port.addresses) await until(() => reaches(a, address), `${address} answers`)
      await until(() => reaches(other, '10.0.0.6'), 'the other VLAN is carried as well')
      for (const [from, to] of [
        [a, '10.0.0.5'],
        [other, '10.0.0.4'],
        [a, '10.0.0.7'],
      ] as const)
        assert.equal(await reaches(from, to), false, to)
    }))

  test('a trunk gets its VLANs with their tags and no others, and sends into them alone; untagged frames and other tags go nowhere', () =>
    withNodes(async (spaces, [one, two]) => {
      const a = await inVlan(spaces, one, 2, { attachment: vlan('access', 100) })
      const other = await inVlan(spaces, one, 4, { attachment: vlan('access', 101) })
      const trunk = await inVlan(spaces, two, 5, { attachment: vlan('selectivetrunk', 100, 200) })
      const second = await inVlan(spaces, one, 6, { attachment: vlan('trunk', 101, 200) })
      const [atA, atOther, atTrunk, atSecond] = await Promise.all(
        [a, other, trunk, second].map(({ space }) => listen(space.namespace, 'eth0')),
      )
      await until(async () => {
        await sendFrames(other.space.namespace, 'eth0', [frame(other, 201)])
        await sendFrames(a.space.namespace, 'eth0', [frame(a, 202, 100), frame(a, 203, 200), frame(a, 201)])
        return tagsOf(atTrunk!, a, 201).length > 0 && tagsOf(atSecond!, other, 201).length > 0
      }, 'frames of access ports arrive')
      assert.deepEqual(tagsOf(atTrunk!, a, 201), [100])
      assert.deepEqual(
        [202, 203].flatMap((to) => tagsOf(atTrunk!, a, to)),
        [],
        'an access port speaks without tags',
      )
      assert.deepEqual([tagsOf(atTrunk!, other, 201), tagsOf(atSecond!, other, 201)], [[], [101]])
      await until(async () => {
        await sendFrames(trunk.space.namespace, 'eth0', [
          frame(trunk, 204),
          frame(trunk, 205, 101),
          frame(trunk, 206, 200),
          frame(trunk, 207, 100),
        ])
        return tagsOf(atA!, trunk, 207).length > 0 && tagsOf(atSecond!, trunk, 206).length > 0
      }, 'frames of a trunk arrive')
      assert.deepEqual([tagsOf(atA!, trunk, 207), tagsOf(atSecond!, trunk, 206)], [[undefined], [200]])
      assert.deepEqual(
        [atA!, atOther!, atSecond!].flatMap((ear) => [204, 205].flatMap((to) => tagsOf(ear, trunk, to))),
        [],
      )
      await Promise.all([atA, atOther, atTrunk, atSecond].map((ear) => ear!.close()))
    }))

  test('a false source gets nowhere in a VLAN too, nor within a tag; other VLANs of a running port are taken over at once', () =>
    withNodes(async (spaces, [one, two]) => {
      const a = await inVlan(spaces, one, 2, { attachment: vlan('access', 100) })
      const trunk = await inVlan(spaces, one, 3, { attachment: vlan('trunk', 100, 101) })
      const b = await inVlan(spaces, two, 4, { attachment: vlan('access', 100), portSecurity: false })
      const ear = await listen(b.space.namespace, 'eth0')
      const says = (pod: Pod, from: string, tag?: number): string =>
        ipFrame({ source: pod.port.mac, destination: b.port.mac, from, to: '10.0.0.4', ...(tag === undefined ? {} : { tag }) })
      await until(async () => {
        await sendFrames(a.space.namespace, 'eth0', [says(a, '10.0.0.77'), says(a, '10.0.0.2')])
        await sendFrames(trunk.space.namespace, 'eth0', [says(trunk, '10.0.0.78', 100), says(trunk, '10.0.0.3', 100)])
        return ['0a000002', '0a000003'].every((from) => ear.heard.some((each) => each.includes(`${from}0a000004`)))
      }, 'the true ones arrive')
      assert.deepEqual(
        ear.heard.filter((each) => /0a00004[de]0a000004/.test(each)),
        [],
      )
      await ear.close()
      const moved: LocalPort = { ...b.port, attachment: vlan('access', 101) }
      await want(two, `port ${moved.uid}`, two.plane.renderer.render(portPiece, moved))
      assert.equal(await reaches(a, '10.0.0.4'), false)
      const there = await inVlan(spaces, one, 9, { attachment: vlan('access', 101) })
      await until(() => reaches(there, '10.0.0.4'), 'it is reached in its new VLAN')
    }))
})
