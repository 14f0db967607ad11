import { test } from 'node:test'
import assert from 'node:assert/strict'
import type { Resource } from '../../core/kinds/index.ts'
import { lockDraft, lockName } from '../../core/plan/builtin/locks.ts'
import { openCaches } from '../../platform/cache/caches.ts'
import { SqliteStore } from '../../platform/store/sqlite.ts'
import { Addresses } from '../../workers/addresses/free-addresses.ts'
import { setBackClock } from '../doubles/set-back-clock.ts'
import { seeded } from './test-cluster.ts'

const restMs = 60_000
const holder = { kind: 'Port', namespace: 'a', name: 'p', uid: 'u' }
const owner = { namespace: 'a', vni: 5000, subnet: 'one', holder }

async function base(ipv4: NonNullable<Resource<'Subnet'>['spec']['ipv4']>, seed = 1) {
  const store = SqliteStore.open(':memory:')
  const clock = setBackClock()
  const stop = new AbortController()
  const caches = openCaches(store)
  await caches.start(stop.signal)
  const addresses = new Addresses({ caches, clock, random: seeded(seed), restMs })
  const seen = async (): Promise<void> => {
    for (let ticks = 0; ticks < 3; ticks++) await new Promise((resolve) => setImmediate(resolve))
  }
  await store.create({ kind: 'Subnet', metadata: { namespace: 'a', name: 'one' }, spec: { vpc: 'blue', ipv4 } })
  const { metadata } = (await store.get({ kind: 'Subnet', namespace: 'a', name: 'one' }))!
  await store.patchStatus(
    { ref: { kind: 'Subnet', namespace: 'a', name: 'one' }, uid: metadata.uid },
    { segment: { vni: 5000, validated: true } },
  )
  await seen()
  const subnet = (): Resource<'Subnet'> => caches.Subnet.get('a/one')!
  return {
    store,
    clock,
    addresses,
    subnet,
    seen,
    /** Picks and locks; undefined when full. */
    async take(): Promise<string | undefined> {
      const picks = addresses.open()
      const offer = picks.pick(subnet(), 'ipv4')
      if (offer === undefined || !('address' in offer)) return undefined
      await store.create(lockDraft(lockName(5000, offer)!, owner, offer))
      picks.settle(() => 'used')
      await seen()
      return offer.address
    },
    async lock(address: string): Promise<void> {
      await store.create(lockDraft(lockName(5000, { address })!, owner, { address }))
      await seen()
    },
    async free(address: string): Promise<void> {
      await store.delete({ kind: 'IPLock', namespace: 'a', name: lockName(5000, { address })! })
      await seen()
    },
    async close(): Promise<void> {
      stop.abort()
      await store.close()
    },
  }
}

test('a block is handed out to its last address, each once, in no order that a rival could guess', async () => {
  const at = await base({ cidr: '10.0.0.0/26' })
  const given: string[] = []
  for (let next = await at.take(); next !== undefined; next = await at.take()) given.push(next)
  assert.deepEqual([...given].sort(), Array.from({ length: 61 }, (_, i) => `10.0.0.${i + 2}`).sort())
  assert.notDeepEqual(given, [...given].sort())
  await at.close()
})

test('takes, frees and the passing of time in any order: what is given out is free and rested, and nothing is lost', async () => {
  for (let seed = 1; seed <= 5; seed++) {
    const at = await base({ cidr: '10.0.0.0/28' }, seed)
    const random = seeded(seed)
    const all = Array.from({ length: 13 }, (_, i) => `10.0.0.${i + 2}`)
    const locked = new Set<string>()
    const restsUntil = new Map<string, number>()
    const takeOne = async (where: string): Promise<void> => {
      const free = all.filter((address) => !locked.has(address) && (restsUntil.get(address) ?? 0) <= at.clock.now())
      const next = await at.take()
      assert.equal(next === undefined, free.length === 0, where)
      if (next === undefined) return
      assert.ok(free.includes(next), `${where}: ${next} is not free`)
      locked.add(next)
    }
    const freeOne = async (): Promise<void> => {
      const address = [...locked][Math.floor(random() * locked.size)]
      if (address === undefined) return
      await at.free(address)
      locked.delete(address)
      restsUntil.set(address, at.clock.now() + restMs)
    }
    for (let i = 0; i < 150; i++) {
      const what = random()
      if (what < 0.5) await takeOne(`seed ${seed}, step ${i}`)
      else if (what < 0.9) await freeOne()
      else at.clock.advance(Math.floor(random() * restMs))
    }
    await at.close()
  }
})

test('an address that was picked and not locked is free at once, one that a rival locked first when the watch has told', async () => {
  const at = await base({ cidr: '10.0.0.0/29', pools: [{ first: '10.0.0.2', last: '10.0.0.2' }] })
  const pick = (): unknown => at.addresses.open().pick(at.subnet(), 'ipv4')
  const picks = at.addresses.open()
  assert.deepEqual(picks.pick(at.subnet(), 'ipv4'), { address: '10.0.0.2' })
  assert.deepEqual(Object.keys(pick() as object), ['full', 'againInMs'], 'set aside for the first')
  picks.settle(() => 'back')
  const again = at.addresses.open()
  assert.deepEqual(again.pick(at.subnet(), 'ipv4'), { address: '10.0.0.2' })
  again.settle(() => 'rival')
  assert.deepEqual(Object.keys(pick() as object), ['full', 'againInMs'])
  await at.lock('10.0.0.2')
  at.clock.advance(10_000)
  assert.deepEqual(Object.keys(pick() as object), ['full', 'againInMs'], "it is the rival's")
  await at.free('10.0.0.2')
  at.clock.advance(restMs)
  assert.deepEqual(pick(), { address: '10.0.0.2' })
  await at.close()
})

test('a changed pool is followed, and what rests goes on resting', async () => {
  const at = await base({ cidr: '10.0.0.0/24', pools: [{ first: '10.0.0.10', last: '10.0.0.11' }] })
  const first = await at.take()
  await at.free(first!)
  const subnet = at.subnet()
  await at.store.update({ ...subnet, spec: { ...subnet.spec, ipv4: { cidr: '10.0.0.0/24', pools: [{ first: first!, last: first! }] } } })
  await at.seen()
  assert.equal(await at.take(), undefined)
  at.clock.advance(restMs)
  assert.equal(await at.take(), first)
  await at.close()
})

test('an address rests for its time where the clock is set back meanwhile', async () => {
  const at = await base({ cidr: '10.0.0.0/24', pools: [{ first: '10.0.0.10', last: '10.0.0.10' }] })
  const only = await at.take()
  await at.free(only!)
  at.clock.setBack(3_600_000)
  at.clock.advance(restMs - 1_000)
  assert.equal(await at.take(), undefined)
  at.clock.advance(2_000)
  assert.equal(await at.take(), only)
  await at.close()
})
