// The laws of a fabric driver on a real gNMI target, over TLS and with a password.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startGnmiTarget, type GnmiTarget } from '../../lab/programs/gnmi.ts'
import type { SwitchChange } from '../../core/contracts/fabric-driver.ts'
import type { VlanId } from '../../core/net/segment.ts'
import { encodings, parsePath, valueOf } from '../../core/wire/gnmi/gnmi.ts'
import { readInstances, readSubinterfaces } from '../../core/wire/gnmi/openconfig-vrfs.ts'
import { realClock } from '../../platform/clock.ts'
import { gnmi } from '../../workers/drivers/fabric/gnmi.ts'
import { openSession, type GnmiSession } from '../../workers/drivers/fabric/gnmi-session.ts'
import { linesOf, through, vrfScope, vrfWants } from '../drivers/fabric-wants.ts'
import { driverLaws } from '../laws/driver.ts'
import { ovsFolder } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'

const program = process.env.MEGREZ_TEST_GNMI
const skip = program === undefined ? 'MEGREZ_TEST_GNMI is not set: run it by node bootstrap.mjs test/run.ts fabric' : false
const signal = new AbortController().signal
const ethernet = (name: string, switched?: object) => ({
  name,
  config: { name, type: 'iana-if-type:ethernetCsmacd' },
  ...(switched && { 'openconfig-if-ethernet:ethernet': { 'openconfig-vlan:switched-vlan': { config: switched } } }),
})
const config = {
  'openconfig-interfaces:interfaces': {
    interface: [
      ethernet('a'),
      ethernet('b', { 'interface-mode': 'TRUNK', 'trunk-vlans': [7, '10..20'] }),
      ethernet('c', { 'interface-mode': 'TRUNK', 'native-vlan': 1, 'trunk-vlans': [1] }),
      {
        ...ethernet('r'),
        subinterfaces: {
          subinterface: [
            {
              index: 500,
              config: { index: 500, description: 'to the world' },
              'openconfig-vlan:vlan': { match: { 'single-tagged': { config: { 'vlan-id': 500 } } } },
            },
          ],
        },
      },
      ethernet('theirs', { 'interface-mode': 'ACCESS', 'access-vlan': 500 }),
    ],
  },
  'openconfig-network-instance:network-instances': {
    'network-instance': [
      {
        name: 'default',
        config: { name: 'default', type: 'openconfig-network-instance-types:DEFAULT_INSTANCE' },
        vlans: { vlan: [{ 'vlan-id': 500, config: { 'vlan-id': 500, name: 'prod' } }] },
      },
      {
        name: 'uplink',
        config: { name: 'uplink', type: 'openconfig-network-instance-types:L3VRF' },
        interfaces: { interface: [{ id: 'r.500', config: { id: 'r.500', interface: 'r', subinterface: 500 } }] },
      },
    ],
  },
}

describe('a switch over gNMI', { skip }, () => {
  let target: GnmiTarget
  const sessions: GnmiSession[] = []
  const session = (): GnmiSession => {
    const { address, ca, username, password } = target
    const made = openSession({
      target: address,
      tls: { ca },
      login: { user: username, password },
      clock: realClock,
      random: Math.random,
      reconnectMs: 100,
    })
    sessions.push(made)
    return made
  }
  const driverOf = (made: GnmiSession) => gnmi(made, { owner: 'megrez', networkInstance: 'default' })
  const whole = async (made: GnmiSession): Promise<string> =>
    JSON.stringify([await made.get('/interfaces', signal), await made.get('/network-instances', signal)])
  /** Network instances and who is in them, as the router has them. */
  const vrfsOf = async (made: GnmiSession): Promise<string[]> =>
    [...readInstances(await made.get('/network-instances', signal))].map(
      ([name, { description, members }]) => `${name} ${description} ${members.map(({ id }) => id).join()}`,
    )
  before(async () => {
    target = await startGnmiTarget({ program: program!, folder: ovsFolder(), config })
  })
  after(async () => {
    sessions.forEach((each) => each.close())
    await target.stop()
  })

  // A Set takes 0.1 s here, so the long ways are the in-process target's.
  driverLaws('gnmi', {
    journeys: [
      ['open', 'gone'],
      ['routed', 'moved to another VRF'],
      ['routed', 'gone'],
    ],
    seeds: 3,
    cutEach: 3,
    async open() {
      const driver = driverOf(session())
      const left = await driver.observe(vrfScope, signal)
      const changes = [...left].flatMap(([on, { ours, routed = new Map() }]): SwitchChange[] => [
        ...[...ours].map(([vlan, of]) => ({ do: 'close' as const, on, vlan, of })),
        ...[...routed].map(([vlan, { of }]) => ({ do: 'leave' as const, on, vlan, of })),
      ])
      if (changes.length > 0) await driver.apply({ do: 'setVlans', changes }, signal)
      return {
        instance: (passing) => Promise.resolve({ driver: passing === undefined ? driver : through(driver, passing.way), wants: vrfWants }),
        ours: async () => [...linesOf(await driver.observe(vrfScope, signal)), ...(await vrfsOf(session()))],
        theirs: async () =>
          (await whole(session())).match(/"10\.\.20"|"access-vlan":500|"name":"prod"|"id":"r\.500"|"index":500|"vlan-id":500/g) ?? [],
        close: () => driver.close(),
      }
    },
  })

  test('is left as it was found: lists, ranges, VLANs and ports of others', async () => {
    const looking = session()
    const driver = driverOf(session())
    const bare = async (): Promise<string> => (await whole(looking)).replaceAll(/"openconfig-if-ethernet:ethernet":\{[^{}]*\},?/g, '')
    const before = await bare()
    const change = (what: 'open' | 'close') => (['a', 'b', 'c'] as const).map((on) => ({ do: what, on, vlan: 100 as VlanId, of: 't' }))
    await driver.apply({ do: 'setVlans', changes: change('open') }, signal)
    assert.match(await whole(looking), /"trunk-vlans":\[7,"10\.\.20",100\]/)
    assert.match(await whole(looking), /"name":"megrez-t"/)
    await driver.apply({ do: 'setVlans', changes: change('close') }, signal)
    assert.equal(await bare(), before)
    await driver.close()
  })

  test('a router makes VRFs with the VLANs of L2Services, lets its own be, and is left as it was found', async () => {
    const looking = session()
    const driver = driverOf(session())
    const before = await whole(looking)
    const join = (vlan: number, vrf: string) => ({ do: 'join' as const, on: 'r', vlan: vlan as VlanId, of: `t${vlan}`, vrf })
    const leave = (vlan: number) => ({ do: 'leave' as const, on: 'r', vlan: vlan as VlanId, of: `t${vlan}` })
    const set = (...changes: SwitchChange[]): Promise<void> => driver.apply({ do: 'setVlans', changes }, signal)
    await set(join(100, 'blue'), join(200, 'blue'), join(300, 'red'))
    assert.deepEqual(await vrfsOf(looking), ['blue megrez-vrf r.100,r.200', 'default  ', 'red megrez-vrf r.300', 'uplink  r.500'])
    assert.match(await whole(looking), /"type":"openconfig-network-instance-types:L3VRF"/)
    assert.deepEqual(
      [...readSubinterfaces(await looking.get('/interfaces', signal)).get('r')!].map(([index, { description, vlan }]) => [
        index,
        description,
        vlan,
      ]),
      [
        [100, 'megrez-t100', 100],
        [200, 'megrez-t200', 200],
        [300, 'megrez-t300', 300],
        [500, 'to the world', 500],
      ],
    )
    await set(join(300, 'blue'), leave(100))
    assert.deepEqual(await vrfsOf(looking), ['blue megrez-vrf r.200,r.300', 'default  ', 'uplink  r.500'])
    let woken = 0
    const stop = driver.onDrift!(() => woken++)
    const member = parsePath('/network-instances/network-instance[name=blue]/interfaces/interface[id=r.300]')
    const its = { id: 'r.300', config: { id: 'r.300', interface: 'r', subinterface: 300 } }
    await until(async () => {
      await looking.set({ delete: [], replace: [], update: [{ path: member, val: valueOf(its, encodings.JSON_IETF) }] }, signal)
      await looking.set({ delete: [member], replace: [], update: [] }, signal)
      return woken > 0
    }, 'what somebody takes out of a VRF is heard of')
    stop()
    assert.equal((await driver.observe(vrfScope, signal)).get('r')?.routed?.get(300 as VlanId)?.vrf, undefined)
    await set(join(300, 'blue'))
    assert.deepEqual(await vrfsOf(looking), ['blue megrez-vrf r.200,r.300', 'default  ', 'uplink  r.500'])
    await assert.rejects(set(join(100, 'uplink')), /VRF uplink is somebody else's there/)
    await assert.rejects(set(join(500, 'blue')), /VLAN 500 of r is subinterface r\.500 there, which is somebody else's/)
    await set(leave(200), leave(300))
    assert.equal(await whole(looking), before)
    await driver.close()
  })

  test('tells of what others change', async () => {
    const driver = driverOf(session())
    let woken = 0
    const stop = driver.onDrift!(() => woken++)
    const other = driverOf(session())
    let vlan = 200
    await until(async () => {
      await other.apply({ do: 'setVlans', changes: [{ do: 'open', on: 'a', vlan: ++vlan as VlanId, of: 't' }] }, signal)
      return woken > 0
    }, 'a change by another session is heard of')
    stop()
    await other.apply(
      {
        do: 'setVlans',
        changes: Array.from({ length: vlan - 200 }, (_, i) => ({ do: 'close', on: 'a', vlan: (201 + i) as VlanId, of: 't' })),
      },
      signal,
    )
    await Promise.all([driver.close(), other.close()])
  })

  test('a wrong password is refused in its words', async () => {
    const wrong = openSession({
      target: target.address,
      tls: { ca: target.ca },
      login: { user: 'megrez', password: 'guess' },
      clock: realClock,
      random: Math.random,
    })
    sessions.push(wrong)
    await assert.rejects(driverOf(wrong).observe(vrfScope, signal), /UNAUTHENTICATED/)
  })
})
