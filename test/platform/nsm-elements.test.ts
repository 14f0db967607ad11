// Elements of a connection's chain by themselves: order, ends, limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mechanismOf } from '../../core/nsm/connection/mechanisms.ts'
import { Connection, eventTypes, MonitorScopeSelector, type ConnectionDraft } from '../../core/wire/nsm/connection.ts'
import { timestampOf } from '../../core/wire/nsm/well-known.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { begin } from '../../platform/nsm/connection/begin.ts'
import { chainOf, type Element } from '../../platform/nsm/connection/chain.ts'
import { callersOnly } from '../../platform/nsm/connection/server/authorize.ts'
import { EventHub } from '../../platform/nsm/connection/server/event-hub.ts'
import { expire } from '../../platform/nsm/connection/server/expire.ts'
import { receiveNamespaces } from '../../platform/nsm/connection/server/namespaces.ts'
import { quota } from '../../platform/nsm/connection/server/quota.ts'
import { notYet } from '../../platform/nsm/connection/server/serve.ts'
import { giveTunnel } from '../../platform/nsm/connection/server/tunnel.ts'
import { ConnectionMemory, type Visit } from '../../platform/nsm/connection/visit.ts'
import { until } from '../setup/until.ts'

const read = (draft: ConnectionDraft): Connection => Connection.decode(Connection.encode(draft))
const visit = (draft: ConnectionDraft, leftMs = 0): Visit => ({
  connection: read(draft),
  preferences: [],
  caller: { leftMs, deadlineMs: Number.MAX_SAFE_INTEGER },
  kept: new ConnectionMemory(),
  again: notYet,
})
const everything = MonitorScopeSelector.decode(new Uint8Array())

/** Answers when it is let, and keeps what came. */
function gate() {
  const waiting: (() => void)[] = []
  const events: string[] = []
  const element: Element = {
    name: 'gate',
    async request({ connection }) {
      events.push(`request ${connection.payload}`)
      await new Promise<void>((resolve) => waiting.push(resolve))
      if (connection.payload === 'bad') throw new Error('no')
      return connection
    },
    async close({ connection }) {
      events.push(`close ${connection.payload}`)
    },
  }
  return { element, events, waiting, open: () => waiting.shift()?.() }
}

test('events of one connection come one after the other, and Close closes what was answered last', async () => {
  const { element, events, waiting, open } = gate()
  const chain = chainOf([begin(new TurnedClock()), element])
  const first = chain.request(visit({ id: 'a', payload: '1' }))
  const second = chain.request(visit({ id: 'a', payload: 'bad' }))
  const closing = chain.close(visit({ id: 'a', payload: 'whatever' }))
  const other = chain.request(visit({ id: 'b', payload: 'other' }))
  await until(() => waiting.length === 2, 'two are let in')
  assert.deepEqual(events, ['request 1', 'request other'])
  open()
  await first
  open()
  await other
  await until(() => waiting.length === 1, 'the next one is let in')
  open()
  await assert.rejects(second, /no/)
  await closing
  assert.deepEqual(events, ['request 1', 'request other', 'request bad', 'close 1'])
  await chain.close(visit({ id: 'a' }))
  assert.equal(events.length, 4, 'it is closed once')
  await assert.rejects(chain.request(visit({ payload: 'x' })), /Id must not be zero valued/)
})

test('no more than 64 events of one connection wait', async () => {
  const { element, open, waiting } = gate()
  const chain = chainOf([begin(new TurnedClock()), element])
  const all = Array.from({ length: 65 }, () => chain.request(visit({ id: 'a' })))
  await assert.rejects(all[64]!, /64 events of this connection wait already/)
  const rest = Promise.all(all.slice(0, 64))
  let isOver = false
  void rest.then(() => (isOver = true))
  await until(() => {
    if (waiting.length > 0) open()
    return isOver
  }, 'the others are answered')
})

test('a connection is closed at the end of its caller’s token less what the call had left, unless it is refreshed', async () => {
  const clock = new TurnedClock()
  const closed: string[] = []
  const end: Element = { name: 'end', close: async ({ connection }) => void closed.push(connection.id) }
  const chain = chainOf([begin(clock), expire(clock), end])
  const asking = (lifeMs: number, leftMs: number): Visit => {
    const path = { index: 1, pathSegments: [{ expires: timestampOf(clock.now() + lifeMs) }, {}] }
    return visit({ id: 'a', path }, leftMs)
  }
  await chain.request(asking(10_000, 1_000))
  clock.advance(8_000)
  await chain.request(asking(10_000, 1_000))
  clock.advance(8_999)
  assert.deepEqual(closed, [])
  clock.advance(1)
  await until(() => closed.length === 1, 'it is closed')
  await assert.rejects(chain.request(visit({ id: 'b' })), /expiration for the previous path segment cannot be nil: id:"b"/)
  assert.deepEqual(closed, ['a', 'b'], 'what is behind is closed too')
})

test('one client has so many connections and no more, and its place again once one is closed', async () => {
  const chain = chainOf([begin(new TurnedClock()), quota(2)])
  await chain.request(visit({ id: 'a' }))
  await chain.request(visit({ id: 'b' }))
  await chain.request(visit({ id: 'b' }))
  await assert.rejects(chain.request(visit({ id: 'c' })), /2 connections here, as many as may be/)
  await chain.close(visit({ id: 'a' }))
  await chain.request(visit({ id: 'c' }))
})

test('a monitor hears of all connections first, then of each change, and is ended where it reads nothing', async () => {
  const hub = new EventHub()
  const ending = new AbortController()
  const quick = hub.monitor(everything, ending.signal)
  const slow = hub.monitor(everything, ending.signal)
  assert.deepEqual((await quick.next()).value, { type: eventTypes.INITIAL_STATE_TRANSFER, connections: new Map() })
  await slow.next()
  const connection = read({ id: 'a' })
  for (let i = 0; i < 1_001; i++) {
    hub.update(connection)
    const { value } = await quick.next()
    assert.equal(value?.type, eventTypes.UPDATE)
  }
  await assert.rejects(slow.next(), /more than 1000 events behind/)
  hub.delete(connection)
  assert.equal((await quick.next()).value?.type, eventTypes.DELETE)
  ending.abort()
  assert.equal((await quick.next()).done, true)
})

test('a forwarder that takes its nsmgr’s word hears nobody else, and what it does by itself goes on', async () => {
  const passed: string[] = []
  const last: Element = {
    name: 'last',
    request: async ({ connection }) => (passed.push('request'), connection),
    close: async () => void passed.push('close'),
  }
  const chain = chainOf([callersOnly((spiffeId) => spiffeId === 'spiffe://a/nsmgr'), last])
  const from = (caller: object): Visit => {
    const asked = visit({ id: 'a' })
    return { ...asked, caller: { ...asked.caller, ...caller } }
  }
  for (const caller of [{}, { identity: { spiffeId: 'spiffe://a/other' } }]) {
    await assert.rejects(chain.request(from(caller)), /no sufficient privileges/)
    await assert.rejects(chain.close(from(caller)), /no sufficient privileges/)
  }
  await chain.request(from({ identity: { spiffeId: 'spiffe://a/nsmgr' } }))
  await chain.close(from({ isOwn: true }))
  assert.deepEqual(passed, ['request', 'close'])
})

test('namespaces that came with a call are held while the connection stands: of those named, the one it is carried by', async () => {
  const open = new Set<string>()
  const arrived = new Set(['4/1', '4/2'])
  const files = {
    take: async ({ device, inode }: { readonly device: bigint; readonly inode: bigint }) => {
      const name = `${device}/${inode}`
      if (!arrived.has(name)) return undefined
      open.add(name)
      return { fd: 0, close: () => void open.delete(name) }
    },
  }
  const kernel = (url: string) => ({ cls: 'LOCAL', type: 'KERNEL', parameters: new Map([['inodeURL', url]]) })
  let isRefused = false
  const choose: Element = {
    name: 'choose',
    request: async ({ connection, preferences }) => {
      if (isRefused) throw new Error('no')
      return { ...connection, mechanism: connection.mechanism ?? preferences[1]! }
    },
  }
  const chain = chainOf([receiveNamespaces(), choose])
  const asked = (...urls: readonly string[]): Visit => {
    const one = visit({ id: 'a' })
    return { ...one, preferences: urls.map(kernel), caller: { ...one.caller, files } }
  }
  await assert.rejects(chain.request(asked('inode://4/1', 'inode://4/3')), /no descriptor of inode:\/\/4\/3/)
  isRefused = true
  await assert.rejects(chain.request(asked('inode://4/1', 'inode://4/2')), /^Error: no$/)
  assert.deepEqual([...open], [])
  isRefused = false
  const first = asked('inode://4/1', 'inode://4/2')
  const connection = await chain.request(first)
  assert.deepEqual([...open], ['4/2'])
  await chain.close({ ...first, connection })
  assert.deepEqual([...open], [])
})

test('whoever asks for a tunnel gets a VNI that is nobody else’s, has it again when it asks again, and gives it back at its Close', async () => {
  const place = { address: '10.0.0.1', l4Port: 14_789, vniMin: 100, vniMax: 105, isShared: false, mtu: 1_450 }
  let drawn = 0
  const element = giveTunnel(place, () => (drawn++ % 20) / 20)
  const chain = chainOf([element])
  const asking = (from: string, more: Readonly<Record<string, string>> = {}): Visit => {
    const mechanism = mechanismOf('vxlan', new Map(Object.entries({ src_ip: from, ...more })))
    return visit({ id: from, mechanism })
  }
  const vniFor = async (asked: Visit): Promise<number> => Number((await chain.request(asked)).mechanism?.parameters.get('vni'))
  await assert.rejects(chain.request(asking('nobody')), /needs a src_ip/)
  const three = [asking('10.0.0.2'), asking('10.0.0.3'), asking('10.0.0.4')]
  const given = []
  for (const each of three) given.push(await vniFor(each))
  assert.deepEqual(given.toSorted(), [101, 103, 105], 'odd ones, as they are above our address')
  await assert.rejects(chain.request(asking('10.0.0.5')), /no VNI of 100 to 105 is free/)
  assert.equal(await vniFor(three[0]!), given[0])
  await assert.rejects(chain.request(asking('10.0.0.6', { vni: String(given[0]) })), /another connection/)
  await assert.rejects(chain.request(asking('10.0.0.6', { vni: '5001' })), /is not among 100 to 105/)
  await chain.close(three[0]!)
  assert.equal(await vniFor(asking('10.0.0.6', { vni: String(given[0]) })), given[0], 'what it had before a restart of ours')
})
