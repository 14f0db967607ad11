import { memory, memoryVpc } from '../../workers/drivers/holder/memory.ts'
import { driverLaws } from '../laws/driver.ts'
import { journeys, scope, wants } from './holder-wants.ts'

driverLaws('memory', {
  journeys,
  async open() {
    const world = memoryVpc()
    const other = { ...scope, port: { namespace: 'a', name: 'q', uid: 'other' }, known: [] }
    await memory(world).apply(
      {
        do: 'createPort',
        scope: other,
        addresses: ['10.0.0.8'],
        mac: '02:00:00:00:00:08',
        macNeedsLock: true,
        portID: 'theirs',
        securityGroups: [],
        hostIP: undefined,
        identity: undefined,
        claim: undefined,
      },
      new AbortController().signal,
    )
    const lines = (mine: boolean): Promise<string[]> =>
      Promise.resolve([
        ...[...world.ports].filter(([uid]) => (uid === 'port') === mine).map(([, port]) => JSON.stringify(port)),
        ...[...world.taken]
          .filter(([, uid]) => (uid === 'port') === mine)
          .map(([key]) => key)
          .sort(),
      ])
    return {
      instance: (through) =>
        Promise.resolve({ driver: memory({ ...world, ...(through && { way: through.way }) }), wants: wants(() => undefined) }),
      ours: () => lines(true),
      theirs: () => lines(false),
      close: () => Promise.resolve(),
    }
  },
})
