import { test } from 'node:test'
import assert from 'node:assert/strict'
import { Endpoints } from '../../core/node/endpoints.ts'
import type { Endpoint } from '../../core/node/wanted.ts'
import { seeded } from '../workers/test-cluster.ts'
import { trials } from '../setup/trials.ts'

const vni = 5000
const byAddress = (a: Endpoint, b: Endpoint): number => (a.address < b.address ? -1 : 1)

/** None in the first half: it is when policies come that there are any. */
const drawIdentity = (step: number, below: (n: number) => number): Partial<Endpoint> =>
  step < 1_000 || below(3) === 0 ? {} : { identity: 1 + below(0xfffffe) }

test('endpoints are what a Map of them would be, whatever comes and goes, and however it is spelled', () => {
  for (let seed = 1; seed <= trials(30); seed++) {
    const random = seeded(seed)
    const below = (n: number): number => Math.floor(random() * n)
    // The last ones are no spellings of ours: kept as they came, and apart from what they stand for.
    const addresses = [
      ...Array.from({ length: 300 }, (_, i) => `10.64.${i % 3}.${i & 255}`),
      ...Array.from({ length: 60 }, (_, i) => `2001:db8::${(i + 1).toString(16)}`),
      '::ffff:1.2.3.4',
      '2001:DB8::1',
      '010.1.1.1',
      '',
    ]
    const macs = [...Array.from({ length: 20 }, (_, i) => `02:00:00:00:00:${i.toString(16).padStart(2, '0')}`), '02:AA:00:00:00:01', 'none']
    const [endpoints, map] = [new Endpoints(vni), new Map<string, Endpoint>()]
    for (let step = 0; step < 2_000; step++) {
      const address = addresses[below(addresses.length)]!
      if (random() < (step < 1_000 ? 0.3 : 0.6)) assert.equal(endpoints.delete(address), map.delete(address))
      else {
        const endpoint = { vni, address, mac: macs[below(macs.length)]!, hostIP: `192.0.2.${below(9)}`, ...drawIdentity(step, below) }
        endpoints.set(endpoint)
        map.set(address, endpoint)
      }
      assert.equal(endpoints.size, map.size)
      assert.deepEqual(endpoints.get(address), map.get(address))
      assert.equal(endpoints.has(address), map.has(address))
    }
    assert.deepEqual([...endpoints.values()].sort(byAddress), [...map.values()].sort(byAddress))
    assert.deepEqual([...endpoints.keys()].sort(), [...map.keys()].sort())
    for (const some of [[], ...macs.map((mac) => [mac]), macs])
      assert.deepEqual(
        [...endpoints.withMacs(some)].sort(byAddress),
        [...map.values()].filter(({ mac }) => some.includes(mac)).sort(byAddress),
      )
  }
})

test('more hosts than a row has room for are known all the same', () => {
  const endpoints = new Endpoints(vni)
  const at = (i: number): Endpoint => ({
    vni,
    address: `10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`,
    mac: '02:00:00:00:00:01',
    hostIP: `host ${i}`,
  })
  const count = 66_000
  for (let i = 0; i < count; i++) endpoints.set(at(i))
  assert.equal(endpoints.size, count)
  for (const i of [0, 65_535, 65_536, count - 1]) assert.deepEqual(endpoints.get(at(i).address), at(i))
})
