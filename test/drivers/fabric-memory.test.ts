import type { VlanId } from '../../core/net/segment.ts'
import { closedPort, memory, memorySwitch } from '../../workers/drivers/fabric/memory.ts'
import { driverLaws } from '../laws/driver.ts'
import { journeys, linesOf, scope, vrfJourneys, vrfScope, vrfWants, wants } from './fabric-wants.ts'

for (const [what, laws] of Object.entries({
  'memory switch': { journeys, wants, scope },
  'memory switch, as a router': { journeys: vrfJourneys, wants: vrfWants, scope: vrfScope },
}))
  driverLaws(what, {
    journeys: laws.journeys,
    open() {
      const world = memorySwitch([
        ['a', closedPort()],
        ['b', { ours: new Map(), others: new Set([7 as VlanId]), mode: 'trunk' }],
        ['c', closedPort()],
        ['r', closedPort()],
        ['theirs', { ours: new Map(), others: new Set([100 as VlanId, 200 as VlanId]), mode: 'trunk' }],
      ])
      const signal = new AbortController().signal
      return Promise.resolve({
        instance: (through) =>
          Promise.resolve({
            driver: memory({
              ...world,
              get version() {
                return world.version
              },
              set version(v) {
                world.version = v
              },
              get batches() {
                return world.batches
              },
              set batches(n) {
                world.batches = n
              },
              ...(through && { way: through.way }),
            }),
            wants: laws.wants,
          }),
        ours: async () => linesOf(await memory(world).observe(laws.scope, signal)),
        theirs: () => Promise.resolve([...world.ports].flatMap(([name, { others }]) => [...others].map((vlan) => `${name} ${vlan}`))),
        close: () => Promise.resolve(),
      })
    },
  })
