import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { prometheusMeter } from '../../platform/kube/watch/meter.ts'
import { MetricSet } from '../../platform/metrics/set.ts'
import { bookmark, event, listBody, listed, rawPort, refuse, soon, status, stays, Watched } from './reflector-fake.ts'

describe('a reflector', () => {
  let watched: Watched
  beforeEach(() => {
    watched = new Watched()
  })
  afterEach(() => watched.stop())
  const lists = () => watched.api.asked.filter((each) => !each.watch)
  const watches = () => watched.api.asked.filter((each) => each.watch)
  /** Lets the open watch end as the server ends it at its time. */
  const endWatch = (): void => {
    for (const each of watched.api.watches) each.end()
  }

  test('lists in pages, then watches from the version of the list, with bookmarks, for five to ten minutes', async () => {
    await watched.start(
      (api) => {
        api.list = (query, response) => {
          if (query['continue'] === 'second') response.end(listBody(10, [rawPort('c', 4)]))
          else response.end(listBody(10, [rawPort('a', 3), rawPort('b', 5)], 'second'))
        }
      },
      { within: { namespace: 'a', labels: 'x=y', fields: { '.spec.node': 'n,1' } } },
    )
    await watched.untilWatching()
    assert.deepEqual(watched.log, ['all a@3 b@5 c@4'])
    assert.deepEqual(
      lists().map(({ query }) => [query['limit'], query['continue'], query['resourceVersion']]),
      [
        ['500', undefined, undefined],
        ['500', 'second', undefined],
      ],
    )
    const { query } = watches()[0]!
    assert.equal(query['resourceVersion'], '10')
    assert.equal(query['allowWatchBookmarks'], 'true')
    assert.equal(query['labelSelector'], 'x=y')
    assert.equal(query['fieldSelector'], 'spec.node=n\\,1')
    assert.ok(Number(query['timeoutSeconds']) >= 300 && Number(query['timeoutSeconds']) <= 600)
  })

  test('gives every step in order, and what stands between, however the bytes are cut', async () => {
    await watched.start((api) => {
      api.list = listed(10, [rawPort('p', 5)])
    })
    await watched.untilWatching()
    const text = Buffer.from(
      event('ADDED', rawPort('q', 11, { subnet: 'grün-蓝' })) +
        event('MODIFIED', rawPort('p', 12)) +
        event('DELETED', rawPort('q', 13)) +
        bookmark(14),
    )
    for (const response of watched.api.watches) {
      response.socket?.setNoDelay(true)
      for (const byte of text) await new Promise((done) => response.write(Uint8Array.of(byte), done))
    }
    await watched.until((log) => log.includes('mark 14'))
    assert.deepEqual(watched.log, ['all p@5', 'put q@11', 'put p@12', 'gone q@13', 'mark 14'])
    const put = watched.changes[1]
    assert.equal(put?.type === 'put' && put.item.spec.subnet, 'grün-蓝')
  })

  test('goes on at once from where it was when a watch ends at its time, without a list', async () => {
    await watched.start(() => undefined)
    await watched.untilWatching()
    watched.api.say(event('ADDED', rawPort('p', 11)) + bookmark(12))
    await watched.until((log) => log.includes('mark 12'))
    watched.clock.advance(60_000)
    endWatch()
    await watched.untilWatching(2)
    assert.equal(watches()[1]?.query['resourceVersion'], '12')
    assert.equal(watches()[1]?.at, watched.clock.now())
    assert.equal(lists().length, 1)
  })

  test('forgives after a watch that lived: the pause begins anew', async () => {
    await watched.start((api) => {
      api.watch = refuse(500)
    })
    for (const pause of [800, 1600, 3200]) assert.equal(await watched.passPause(), pause)
    watched.api.watch = stays
    await watched.untilWatching(4)
    watched.clock.advance(6_000)
    watched.api.watch = refuse(500)
    endWatch()
    assert.equal(await watched.passPause(), 800)
  })

  test('gives up a watch that is silent for 90 s, answered or not, and takes bookmarks for life', async () => {
    await watched.start((api) => {
      api.watch = () => undefined
    })
    await soon(
      () => watches().length === 1,
      () => 'a watch is asked for',
    )
    watched.clock.advance(89_000)
    assert.equal(watched.api.watches.size, 1)
    watched.api.watch = stays
    watched.clock.advance(1_000)
    await watched.passPause()
    await watched.untilWatching(2)
    for (let minute = 1; minute <= 4; minute++) {
      watched.clock.advance(60_000)
      watched.api.say(bookmark(10 + minute))
      await watched.until((log) => log.includes(`mark ${10 + minute}`))
    }
    assert.equal(watches().length, 2)
    watched.clock.advance(90_000)
    await watched.passPause()
    await watched.untilWatching(3)
    assert.equal(watches()[2]?.query['resourceVersion'], '14')
    assert.equal(lists().length, 1)
  })

  test('takes a trickle of bytes without an event for silence', async () => {
    await watched.start(() => undefined)
    await watched.untilWatching()
    for (let i = 0; i < 9; i++) {
      watched.api.say(' ')
      watched.clock.advance(10_000)
    }
    await watched.passPause()
    await watched.untilWatching(2)
  })

  test('does not outlive the time it asked for by more than half', async () => {
    await watched.start(() => undefined)
    await watched.untilWatching()
    const seconds = Number(watches()[0]?.query['timeoutSeconds'])
    for (let at = 0; at < seconds * 1.5 - 60; at += 60) {
      watched.clock.advance(60_000)
      watched.api.say(bookmark(100 + at))
      await watched.until((log) => log.includes(`mark ${100 + at}`))
    }
    watched.clock.advance(60_000)
    await watched.passPause()
    await watched.untilWatching(2)
  })

  test('does not take a slow reader for a dead server', async () => {
    let go: () => void = () => undefined
    const gate = new Promise<void>((resolve) => (go = resolve))
    await watched.start(() => undefined, { take: () => (watched.changes.length === 2 ? gate : Promise.resolve()) })
    await watched.untilWatching()
    watched.api.say(event('ADDED', rawPort('p', 11)))
    await watched.until((log) => log.length === 2)
    watched.api.say(event('ADDED', rawPort('q', 12)))
    watched.clock.advance(200_000)
    go()
    await watched.until((log) => log.length === 3)
    assert.deepEqual(watched.log, ['all', 'put p@11', 'put q@12'])
    assert.equal(watches().length, 1)
  })

  test('after a gap it gives all that is left, asks for no older state, and says nothing twice', async () => {
    await watched.start((api) => {
      api.list = listed(10, [rawPort('stays', 5), rawPort('goes', 6)])
    })
    await watched.untilWatching()
    watched.api.list = listed(30, [rawPort('stays', 5)])
    watched.api.say(event('MODIFIED', rawPort('goes', 20)) + event('ERROR', JSON.parse(status(410)) as object))
    await watched.passPause()
    await watched.untilWatching(2)
    watched.api.say(
      event('MODIFIED', rawPort('stays', 5)) +
        event('MODIFIED', rawPort('stays', 31)) +
        event('MODIFIED', rawPort('stays', 31)) +
        bookmark(32),
    )
    await watched.until((log) => log.includes('mark 32'))
    assert.deepEqual(watched.log, ['all stays@5 goes@6', 'put goes@20', 'all stays@5', 'put stays@31', 'mark 32'])
    const { resourceVersion, resourceVersionMatch } = lists()[1]!.query
    assert.deepEqual([resourceVersion, resourceVersionMatch], ['20', 'NotOlderThan'])
  })

  test('an object made anew under the same name is gone before it comes, although nobody said so', async () => {
    await watched.start((api) => {
      api.list = listed(10, [rawPort('p', 5)])
    })
    await watched.untilWatching()
    watched.api.say(event('ADDED', rawPort('p', 12, { uid: 'another' })))
    await watched.until((log) => log.length === 3)
    assert.deepEqual(watched.log, ['all p@5', 'gone p@12', 'put p@12'])
    assert.deepEqual(
      watched.changes.slice(1).map((change) => change.type !== 'all' && change.type !== 'mark' && change.item.metadata.uid),
      ['uid-p', 'another'],
    )
  })

  test('an event from before what was given is no event, and a deletion needs no version of its own', async () => {
    await watched.start((api) => {
      api.list = listed(20, [rawPort('p', 15), rawPort('q', 16)])
    })
    await watched.untilWatching()
    watched.api.say(
      event('MODIFIED', rawPort('p', 14)) +
        event('DELETED', rawPort('p', 13)) +
        event('ADDED', rawPort('p', 15)) +
        event('DELETED', rawPort('q', 16)) +
        bookmark(21),
    )
    await watched.until((log) => log.includes('mark 21'))
    assert.deepEqual(watched.log, ['all p@15 q@16', 'gone q@16', 'mark 21'])
  })

  test('does not go back in time: an older list is asked for again as the latest, and only that is believed', async () => {
    await watched.start((api) => {
      api.list = listed(100, [rawPort('p', 50)])
      api.watch = refuse(410)
    })
    await watched.until((log) => log.length === 1)
    watched.api.list = listed(90, [rawPort('p', 40)])
    await watched.passPause()
    await soon(
      () => lists().length === 2,
      () => 'a second list',
    )
    // A replica that lags is passed over.
    watched.api.list = listed(110, [rawPort('p', 60)])
    watched.api.watch = stays
    await watched.passPause()
    await watched.untilWatching(2)
    assert.deepEqual(watched.log, ['all p@50', 'all p@60'])
    assert.equal(lists()[2]?.query['resourceVersion'], undefined)
    assert.equal(lists()[2]?.query['limit'], undefined)
  })

  test('follows a server whose past was restored from a backup', async () => {
    await watched.start((api) => {
      api.list = listed(100, [rawPort('p', 50)])
    })
    await watched.untilWatching()
    watched.api.list = (query, response, request) =>
      (query['resourceVersion'] === undefined
        ? listed(70, [rawPort('p', 40)])
        : refuse(504, {}, 'Too large resource version: 100, current: 70'))(query, response, request)
    watched.api.say(event('ERROR', JSON.parse(status(504, 'Too large resource version: 100, current: 70')) as object))
    await watched.passPause()
    await watched.passPause()
    await watched.untilWatching(2)
    assert.deepEqual(watched.log, ['all p@50', 'all p@40'])
    assert.equal(watches()[1]?.query['resourceVersion'], '70')
  })

  test("asks for everything in one page where the pages' past is no longer kept", async () => {
    await watched.start((api) => {
      api.list = (query, response, request) => {
        if (query['continue'] !== undefined) refuse(410)(query, response, request)
        else if (query['limit'] === undefined) response.end(listBody(20, [rawPort('a', 3), rawPort('b', 15)]))
        else response.end(listBody(10, [rawPort('a', 3)], 'second'))
      }
    })
    assert.equal(await watched.passPause(), 800)
    await watched.until((log) => log.length === 1)
    assert.deepEqual(watched.log, ['all a@3 b@15'])
  })

  test('goes on from a given version without a list, and lists once that is no longer kept', async () => {
    await watched.start(() => undefined, { within: { from: '7' } })
    await watched.untilWatching()
    watched.api.say(event('DELETED', rawPort('unknown', 8)))
    await watched.until((log) => log.length === 1)
    assert.equal(lists().length, 0)
    watched.api.say(event('ERROR', JSON.parse(status(410)) as object))
    await watched.passPause()
    await watched.until((log) => log.length === 2)
    assert.deepEqual(watched.log, ['gone unknown@8', 'all'])
  })

  test('ends by its signal at once while it watches, and leaves no connection open', async () => {
    await watched.start(() => undefined)
    await watched.untilWatching()
    await watched.end()
    await soon(
      () => watched.api.watches.size === 0,
      () => 'the watch is closed',
    )
  })

  test('ends by its signal at once while it lists, pauses, or waits for a watch to be answered', async () => {
    for (const prepare of [
      (given: Watched) => void (given.api.list = () => undefined),
      (given: Watched) => void (given.api.list = refuse(500)),
      (given: Watched) => void (given.api.watch = () => undefined),
    ]) {
      const other = new Watched()
      await other.start(() => prepare(other))
      await soon(
        () => other.api.asked.length > 0,
        () => 'it is under way',
      )
      await other.stop()
      assert.equal(other.clock.nextIn, Infinity)
    }
  })

  test('tells how often it listed and began again, why, and how long nothing was heard', async () => {
    const metrics = new MetricSet({ ofProcess: false })
    await watched.start(
      (api) => {
        api.watch = refuse(410)
      },
      { meter: prometheusMeter(metrics) },
    )
    await watched.passPause()
    await watched.passPause()
    watched.api.watch = stays
    await watched.untilWatching(3)
    watched.clock.advance(30_000)
    const told = await metrics.registry.metrics()
    assert.match(told, /megrez_watch_relists_total\{kind="Port"\} 3/)
    assert.match(told, /megrez_watch_restarts_total\{kind="Port",reason="gone"\} 2/)
    assert.match(told, /megrez_watch_last_event_age_seconds\{kind="Port"\} 30/)
    assert.match(told, /megrez_kube_requests_total\{verb="list",resource="ports",code="200"\} 3/)
    await watched.end()
    assert.doesNotMatch(await metrics.registry.metrics(), /last_event_age_seconds\{/)
  })
})
