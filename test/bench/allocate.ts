// Addresses per second: pick and lock, against creating the very same locks with their addresses known.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Draft } from '../../core/contracts/store.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { addressLockNameOf } from '../../core/net/names.ts'
import { openCaches, type Caches } from '../../platform/cache/caches.ts'
import { realClock } from '../../platform/clock.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { Addresses } from '../../workers/addresses/free-addresses.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'
import { inFlight, measured, median, rate, type Measured } from './lib/rounds.ts'

export const description = 'addresses locked per second: a /16 to its last address, 65,536 of a /64, and at 99 % full'

const width = 50
const rounds = 3
const vni = 5001

interface AllocationBase {
  readonly store: SqliteStore
  readonly addresses: Addresses
  readonly subnet: Resource<'Subnet'>
  /** Until the watch has told of all that was written: freed addresses are free from then on. */
  readonly told: () => Promise<void>
  readonly close: () => Promise<void>
}

/** A store in a file with FULL, its caches, and one Subnet. */
async function base(spec: Resource<'Subnet'>['spec']): Promise<AllocationBase> {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-bench-'))
  const store = SqliteStore.open(join(folder, 'bench.sqlite'))
  const caches: Caches = openCaches(store)
  const abort = new AbortController()
  const subnet = await store.create<'Subnet'>({ kind: 'Subnet', metadata: { name: 's', namespace: 'bench' }, spec })
  await caches.start(abort.signal)
  const addresses = new Addresses({ caches, clock: realClock, random: Math.random, restMs: 0 })
  return {
    store,
    addresses,
    subnet,
    async told() {
      const { items } = await store.list('IPLock')
      while (caches.IPLock.size !== items.length) await new Promise((resolve) => setImmediate(resolve))
    },
    async close() {
      abort.abort()
      await store.close()
      await rm(folder, { recursive: true })
    },
  }
}

const lock = (address: string): Draft => ({
  kind: 'IPLock',
  metadata: { name: addressLockNameOf(vni, address)!, namespace: 'bench' },
  spec: {
    vni,
    address,
    subnet: 's',
    mac: '02:00:00:00:00:01',
    holder: { kind: 'Port', namespace: 'bench', name: 'p', uid: '00000000-0000-4000-8000-000000000000' },
  },
})

async function allocate({ store, addresses, subnet }: AllocationBase, family: 'ipv4' | 'ipv6'): Promise<string> {
  const picks = addresses.open()
  const offer = picks.pick(subnet, family)
  if (offer === undefined || !('address' in offer)) throw new Error('the block is full before its last address')
  await store.commit([{ do: 'create', draft: lock(offer.address) }])
  picks.settle(() => 'used')
  return offer.address
}

/** The rates of a fresh block allocated whole, and of the same locks created in the same order in a fresh store. */
async function whole(spec: Resource<'Subnet'>['spec'], family: 'ipv4' | 'ipv6', count: number): Promise<{ value: number; floor: number }> {
  const ours = await base(spec)
  const taken: string[] = []
  const value = await rate(count, () => inFlight(width, count, async () => void taken.push(await allocate(ours, family))))
  if (new Set(taken).size !== count) throw new Error('an address was given out twice')
  await ours.close()
  const bare = await base(spec)
  const drafts = taken.map(lock)
  const floor = await rate(count, () => inFlight(width, count, (i) => bare.store.commit([{ do: 'create', draft: drafts[i]! }])))
  await bare.close()
  return { value, floor }
}

async function medians(run: () => Promise<{ value: number; floor: number }>): Promise<{ value: number; floor: Measured }> {
  const all: { value: number; floor: number }[] = []
  for (let i = 0; i < rounds; i++) all.push(await run())
  return { value: median(all.map((each) => each.value)), floor: measured(all.map((each) => each.floor)) }
}

/** Seconds per allocation with 99 % of a /16 taken, over those with next to none taken. */
async function fullVersusEmpty(usable: number): Promise<number> {
  const at = await base({ vpc: 'v', ipv4: { cidr: '10.1.0.0/16' } })
  const batch = Math.floor(usable / 100) - 10
  const burst = async (): Promise<number> => {
    const taken: string[] = []
    const perSecond = await rate(batch, () => inFlight(width, batch, async () => void taken.push(await allocate(at, 'ipv4'))))
    await at.store.commit(
      taken.map((address) => ({ do: 'delete', ref: { kind: 'IPLock', namespace: 'bench', name: addressLockNameOf(vni, address)! } })),
    )
    await at.told()
    return perSecond
  }
  const bursts = async (): Promise<number> => {
    const all: number[] = []
    for (let i = 0; i < 9; i++) all.push(await burst())
    return median(all.slice(1))
  }
  const empty = await bursts()
  await inFlight(width, Math.floor(usable * 0.99), () => allocate(at, 'ipv4'))
  const full = await bursts()
  await at.close()
  return empty / full
}

export default async function allocateBench(): Promise<readonly Metric[]> {
  // KOS's rule: base, base + 1 and broadcast are not handed out.
  const usable = 65_536 - 3
  const v4 = await medians(() => whole({ vpc: 'v', ipv4: { cidr: '10.1.0.0/16' } }, 'ipv4', usable))
  const v6 = await medians(() => whole({ vpc: 'v', ipv6: { cidr: '2001:db8::/64' } }, 'ipv6', 65_536))
  return [
    againstFloor('v4-16.rate', 'locks/s', v4, { atLeast: 0.7 }),
    againstFloor('v6-64.rate', 'locks/s', v6, { atLeast: 0.7 }),
    absolute('v4-16.full-vs-empty', 'times the cost', await fullVersusEmpty(usable), { atMost: 2 }),
  ]
}
