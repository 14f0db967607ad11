// The models of the three data planes do alike with what our renderers make: each is asked the same of the same node.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Endpoint, LocalPort, Segment } from '../../core/node/wanted.ts'
import { arpSha, ethDst, ipTtl, ipv4Src, tunDst, tunId, tunSrc } from '../../core/pipeline/openflow/fields.ts'
import { ipv4Value, macValue } from '../../core/pipeline/openflow/values.ts'
import { itemsOf } from '../../core/plan/node/items.ts'
import { wantedOf } from '../bess/wants.ts'
import { piecesOf } from '../laws/node-wanted.ts'
import { Dice } from './dice.ts'
import { Process } from './process.ts'
import { Scheduler } from './scheduler.ts'
import { frameOf, hexOf, outerOf } from '../../core/pipeline/model/bytes.ts'
import { dataplaneOf, planeOf, type Plane } from './world/planes/index.ts'
import { planeNames, tunnel, type PlaneName } from './world/planes/plane.ts'
import { KernelNet } from './world/routing/kernel.ts'
import { onWire, readField, type Frame } from '../../core/pipeline/model/frame.ts'
import { datagram, question } from './world/switch/frame.ts'

const from = { mac: '02:00:00:00:00:01', address: '10.0.0.1' }
const from6 = { mac: '02:00:00:00:00:01', address: '2001:db8::1' }

test('a frame written as bytes and read again is the same frame', () => {
  const sent = [
    question(from, '10.0.0.2'),
    question(from6, '2001:db8::2'),
    datagram(from, { mac: 0x020000000002, address: '10.0.0.2' }),
    datagram(from6, { mac: 0x020000000002, address: '2001:db8::2' }),
  ]
  for (const frame of sent) {
    const read = frameOf(hexOf(frame))
    for (const [field, value] of frame) assert.equal(read.get(field), value, field.name)
    assert.equal(hexOf(onWire(read)), hexOf(frame))
  }
  const outerBytes = 14 + 20 + 8 + 8
  assert.equal(outerOf({ vni: 5001, from: 1, to: 2, l4Port: 4789 }).length, outerBytes * 2)
})

const [here, there, nobody] = ['192.0.2.1', '192.0.2.2', '192.0.2.9']
const portOf = (number: number, vni: number, address: string): LocalPort => ({
  uid: `u${number}`,
  of: { kind: 'Port', namespace: 'a', name: `p${number}` },
  number,
  ifcName: `mgz${number}`,
  attachment: { kind: 'vni', vni },
  mac: `02:00:00:00:00:0${number}`,
  addresses: [address],
  allowedAddressPairs: [],
  portSecurity: true,
  type: 'kernel',
  mtu: 1450,
})
const ports = [portOf(1, 5001, '10.0.0.1'), portOf(2, 5001, '10.0.0.2'), portOf(3, 5002, '10.0.0.2'), portOf(4, 5001, '10.0.1.4')]
const [one, two, , other] = ports as [LocalPort, LocalPort, LocalPort, LocalPort]
const far: Endpoint = { vni: 5001, address: '10.0.0.7', mac: '02:00:00:00:00:77', hostIP: there }
const segments: readonly Segment[] = [5001, 5002].map((vni) => ({
  vni,
  subnets: [
    { cidr: '10.0.0.0/24', gateway: '10.0.0.254' },
    { cidr: '10.0.1.0/24', gateway: '10.0.1.254' },
  ],
  flood: false,
  hosts: vni === 5001 ? [there] : [],
  numbers: [],
}))

async function filled(name: PlaneName): Promise<Plane> {
  const model = planeOf(name, {
    address: here,
    hasLink: (ifcName) => ports.some((port) => port.ifcName === ifcName),
    kernel: new KernelNet(),
  })
  const scheduler = new Scheduler({ traces: false })
  const process = new Process('agent', { scheduler, dice: new Dice(1) })
  const plane = dataplaneOf(model, 'n1', process)
  const wanted = piecesOf(wantedOf(ports, { segments, endpoints: [far] }))
  const put = [...itemsOf(plane.renderer, wanted)]
  const applied = plane.apply({ drop: [], put }, new AbortController().signal)
  await scheduler.until(1_000, () => true)
  await applied
  return model
}

const addressed = ({ mac, addresses: [address = ''] }: LocalPort) => ({ mac, address })
const to = ({ mac, addresses: [address = ''] }: LocalPort) => ({ mac: macValue(mac), address })
const outs = (plane: Plane, frame: Frame, by: string): readonly string[] => plane.take(frame, by).map(({ at }) => at)
const gateway = (plane: Plane): number => {
  const answer = plane.take(question(addressed(one), '10.0.0.254'), one.ifcName).find(({ at }) => at === one.ifcName)
  return Number(readField(answer!.frame, arpSha))
}

for (const name of planeNames)
  describe(`the model of ${name}`, () => {
    test('carries within a VNI, and never into another one with the same addresses', async () => {
      const plane = await filled(name)
      assert.deepEqual(outs(plane, datagram(addressed(one), to(two)), one.ifcName), [two.ifcName])
      assert.deepEqual(outs(plane, datagram(addressed(one), to(ports[2]!)), one.ifcName), [])
    })

    test('takes nothing from a Port that is not its own', async () => {
      const plane = await filled(name)
      assert.deepEqual(outs(plane, datagram({ mac: one.mac, address: '10.0.0.66' }, to(two)), one.ifcName), [])
      assert.deepEqual(outs(plane, datagram({ mac: '02:00:00:00:00:66', address: '10.0.0.1' }, to(two)), one.ifcName), [])
    })

    test('sends what is for another node into the tunnel, and takes from it what a node that is known sends', async () => {
      const plane = await filled(name)
      const [sent] = plane.take(datagram(addressed(one), { mac: macValue(far.mac), address: far.address }), one.ifcName)
      assert.deepEqual(
        [sent?.at, sent && readField(sent.frame, tunDst), sent && readField(sent.frame, tunId)],
        [tunnel, ipv4Value(there), 5001],
      )
      const came = (vni: number, host: string): Frame =>
        new Map(datagram({ mac: far.mac, address: far.address }, to(two))).set(tunId, vni).set(tunSrc, ipv4Value(host))
      assert.deepEqual(outs(plane, came(5001, there), tunnel), [two.ifcName])
      assert.deepEqual(outs(plane, came(5001, nobody), tunnel), [])
      assert.deepEqual(outs(plane, came(5002, there), tunnel), [])
    })

    test('routes to another Subnet of the VNI, with a hop less and the MAC of whom it is for', async () => {
      const plane = await filled(name)
      const frame = datagram(addressed(one), { mac: gateway(plane), address: '10.0.1.4' })
      const [routed, ...more] = plane.take(frame, one.ifcName)
      assert.deepEqual([routed?.at, more], [other.ifcName, []])
      assert.equal(readField(routed!.frame, ethDst), macValue(other.mac))
      assert.equal(readField(routed!.frame, ipTtl), 63)
      assert.equal(readField(routed!.frame, ipv4Src), ipv4Value('10.0.0.1'))
    })

    test('lets a question of a neighbour be answered, by itself or by whom it is about', async () => {
      const plane = await filled(name)
      assert.ok(outs(plane, question(addressed(one), '10.0.0.2'), one.ifcName).some((at) => at === one.ifcName || at === two.ifcName))
      assert.deepEqual(
        outs(plane, question(addressed(one), '10.0.0.7'), one.ifcName).filter((at) => at === one.ifcName),
        [one.ifcName],
      )
    })
  })
