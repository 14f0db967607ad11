// What a hop tells of connections, by one stream for all of them: over real gRPC, from a hub as servers have it.
import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { ChainForbidden } from '../../core/errors.ts'
import { Connection, ConnectionEvent, MonitorScopeSelector, monitorConnection, states } from '../../core/wire/nsm/connection.ts'
import { realClock } from '../../platform/clock.ts'
import { serverStream } from '../../platform/grpc/handlers.ts'
import { listenGrpc } from '../../platform/grpc/listen-grpc.ts'
import { method } from '../../platform/grpc/method.ts'
import { silentLog } from '../../platform/log.ts'
import { followConnection } from '../../platform/nsm/connection/hops/follow.ts'
import { Hops, type Hop } from '../../platform/nsm/connection/hops/hop.ts'
import { Owners } from '../../platform/nsm/connection/server/authorize.ts'
import { EventHub } from '../../platform/nsm/connection/server/event-hub.ts'
import { dialler } from '../../platform/nsm/dial.ts'
import { testTokens } from '../nsm/peers.ts'
import { until } from '../setup/until.ts'

const monitorMethod = method(monitorConnection, 'MonitorConnections', MonitorScopeSelector, ConnectionEvent)
const streams = 8
const [name, next] = ['forwarder-1', 'nse-1']

/** As it is here, or at the next hop. */
const connectionOf = (n: number, index: 0 | 1, state: number = states.UP): Connection =>
  Connection.decode(
    Connection.encode({
      id: index === 0 ? `here-${n}` : `there-${n}`,
      state,
      path: {
        index,
        pathSegments: [
          { name, id: `here-${n}` },
          { name: next, id: `there-${n}` },
        ],
      },
    }),
  )

async function served(t: TestContext, { tellsAll }: { readonly tellsAll: boolean }) {
  const hub = new EventHub()
  let [open, opened] = [0, 0]
  const handler = serverStream(monitorMethod, async function* (selector, { signal }) {
    if (!tellsAll && selector.pathSegments.some(({ id }) => id === '')) throw new ChainForbidden({ part: 'monitor' })
    open++
    opened++
    try {
      yield* hub.monitor(selector, signal)
    } finally {
      open--
    }
  })
  const listening = await listenGrpc({
    address: 'tcp://127.0.0.1:0',
    handlers: [handler],
    clock: realClock,
    log: silentLog(),
    limits: { streams },
  })
  const hops = new Hops(dialler(undefined))
  const hop = hops.take(listening.address)
  t.after(async () => {
    hops.close()
    await listening.stop(100)
  })
  return { hub, hop, stop: () => listening.stop(0), open: () => open, opened: () => opened }
}

function follow(hop: Hop, n: number) {
  const [heard, ending] = [[] as number[], new AbortController()]
  followConnection(hop, connectionOf(n, 0), ending.signal, {
    tokens: testTokens(),
    isNews: () => true,
    notify: ({ state }) => heard.push(state),
  })
  return { heard, end: () => ending.abort() }
}

test('many connections are followed by one stream, and each hears of itself', async (t) => {
  const { hub, hop, open, opened } = await served(t, { tellsAll: true })
  const all = Array.from({ length: 50 * streams }, (_, n) => follow(hop, n))
  await until(() => open() === 1, 'the stream is there')
  hub.update(connectionOf(7, 1, states.DOWN))
  hub.delete(connectionOf(9, 1))
  await until(() => all[9]!.heard.length === 1, 'the last is heard')
  assert.deepEqual(
    all.flatMap(({ heard }, n) => heard.map((state) => [n, state])),
    [
      [7, states.DOWN],
      [9, states.DOWN],
    ],
  )
  all.forEach(({ end }) => end())
  await until(() => open() === 0, 'nobody follows: the stream ends')
  const again = follow(hop, 7)
  await until(() => open() === 1, 'another one')
  hub.update(connectionOf(7, 1, states.DOWN))
  await until(() => again.heard.length === 1, 'it is heard')
  assert.deepEqual([opened(), all[7]!.heard.length], [2, 1])
})

test('a hop that does not tell of all is asked for each', async (t) => {
  const { hub, hop, open } = await served(t, { tellsAll: false })
  const [a, b] = [follow(hop, 1), follow(hop, 2)]
  await until(() => open() === 2, 'a stream each')
  const c = follow(hop, 3)
  await until(() => open() === 3, 'one more')
  hub.update(connectionOf(2, 1, states.DOWN))
  hub.update(connectionOf(3, 1, states.DOWN))
  await until(() => b.heard.length + c.heard.length === 2, 'they hear')
  assert.deepEqual([a.heard, b.heard, c.heard], [[], [states.DOWN], [states.DOWN]])
  b.end()
  await until(() => open() === 2, 'who ends ends its own alone')
})

for (const tellsAll of [true, false])
  test(`a hop that is gone is the end of all that are followed there${tellsAll ? '' : ', each by its own stream'}`, async (t) => {
    const { hop, stop, open } = await served(t, { tellsAll })
    const [gone, left] = [follow(hop, 1), follow(hop, 2)]
    await until(() => open() === (tellsAll ? 1 : 2), 'they follow')
    gone.end()
    await stop()
    await until(() => left.heard.length === 1, 'it is told')
    assert.deepEqual([gone.heard, left.heard], [[], [states.DOWN]])
  })

test('who has connections is told of these alone where the selector has no ids, whoever has none of nothing', () => {
  const owners = new Owners()
  const [mine, others] = [connectionOf(1, 1), connectionOf(2, 1)]
  owners.add('spiffe://a/mine', 'here-1')
  owners.add('spiffe://a/other', 'here-2')
  const all = MonitorScopeSelector.decode(MonitorScopeSelector.encode({ pathSegments: [{ name }] }))
  const judge = (spiffeId: string) => owners.judgeMonitor(all, { spiffeId } as never)
  assert.deepEqual([mine, others].map(judge('spiffe://a/mine')), [true, false])
  assert.throws(() => judge('spiffe://a/nobody'), ChainForbidden)
  assert.throws(
    () => owners.judgeMonitor(MonitorScopeSelector.decode(new Uint8Array()), { spiffeId: 'spiffe://a/mine' } as never),
    ChainForbidden,
  )
  const told = MonitorScopeSelector.decode(MonitorScopeSelector.encode({ pathSegments: [{ name, id: 'here-2' }] }))
  assert.throws(() => owners.judgeMonitor(told, { spiffeId: 'spiffe://a/mine' } as never), ChainForbidden)
})

test('the end of a connection is told to whom it was told, also once it is nobody’s', async () => {
  const hub = new EventHub()
  const ending = new AbortController()
  let isOwn = true
  const monitor = hub.monitor(MonitorScopeSelector.decode(new Uint8Array()), ending.signal, () => isOwn)
  await monitor.next()
  hub.update(connectionOf(1, 1))
  isOwn = false
  hub.update(connectionOf(2, 1))
  hub.delete(connectionOf(1, 1))
  hub.delete(connectionOf(2, 1))
  hub.update(connectionOf(1, 1))
  isOwn = true
  hub.update(connectionOf(3, 1))
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push(...((await monitor.next()).value as ConnectionEvent).connections.keys())
  assert.deepEqual(ids, ['there-1', 'there-1', 'there-3'])
  ending.abort()
})
