// A server that misbehaves for ever gets about one request a second at first, one in fifteen seconds later, and never a storm.
// node:test fails on every rejection that nobody handles.
import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { event, FakeApi, listBody, listed, rawPort, refuse, status, stays, Watched, type Reply } from './reflector-fake.ts'

const rounds = 12

interface Misbehaviour {
  readonly list?: Reply
  readonly watch?: Reply
  /** How many lists each round costs. */
  readonly listsEach: number
}

const wellListed = listed(10, [rawPort('p', 5)])
const saying =
  (text: string): Reply =>
  (_query, response) =>
    void response.end(text)
const brokenOff =
  (text: string): Reply =>
  (_query, response) =>
    void response.writeHead(200).write(text, () => response.destroy())

const misbehaviours: Readonly<Record<string, Misbehaviour>> = {
  'closes each watch at once': { watch: saying(''), listsEach: 0 },
  'breaks each watch off': { watch: brokenOff(event('ADDED', rawPort('p', 5)).slice(0, 30)), listsEach: 0 },
  'resets each connection of a watch': { watch: (_query, response) => void response.destroy(), listsEach: 0 },
  'answers 410 to each watch': { watch: refuse(410), listsEach: 1 },
  'says 410 as an event of each watch': { watch: saying(event('ERROR', JSON.parse(status(410)) as object)), listsEach: 1 },
  'says 500 as an event of each watch': { watch: saying(event('ERROR', JSON.parse(status(500)) as object)), listsEach: 0 },
  'answers 429 to each watch': { watch: refuse(429), listsEach: 0 },
  'answers 500 to each watch': { watch: refuse(500), listsEach: 0 },
  'answers 503 to each watch': { watch: refuse(503), listsEach: 0 },
  'answers 403 to each watch': { watch: refuse(403), listsEach: 0 },
  'sends an event that is cut off': { watch: saying(event('ADDED', rawPort('p', 11)).slice(0, 30)), listsEach: 0 },
  'sends a line that is no JSON': { watch: saying('{"type":"ADDED","object":{\n'), listsEach: 1 },
  'sends a line that is no event': { watch: saying('{"type":"ADDED","object":null}\nnull\n'), listsEach: 1 },
  'sends what is no text at all': { watch: (_query, response) => void response.end(Buffer.from([0xff, 0xfe, 10, 0, 10])), listsEach: 1 },
  'answers 410 to each list': { list: refuse(410), listsEach: 1 },
  'answers 429 to each list': { list: refuse(429), listsEach: 1 },
  'answers 500 to each list': { list: refuse(500), listsEach: 1 },
  'answers 404 to each list, as without the CRD': {
    list: (_query, response) => void response.writeHead(404).end('404 page not found'),
    listsEach: 1,
  },
  'cuts each list off': { list: (_query, response) => void response.end(listBody(10, [rawPort('p', 5)]).slice(0, -9)), listsEach: 1 },
  'breaks each list off': { list: brokenOff('{"items":['), listsEach: 1 },
  'answers each list with something else': { list: saying('[]'), listsEach: 1 },
}

describe('a server that never behaves is asked ever more slowly, and found when it does', () => {
  let watched: Watched
  beforeEach(() => {
    watched = new Watched()
  })
  afterEach(() => watched.stop())

  for (const [name, { list = wellListed, watch = stays, listsEach }] of Object.entries(misbehaviours)) {
    test(name, async () => {
      await watched.start((api) => Object.assign(api, { list, watch }))
      const pauses: number[] = []
      for (let round = 0; round < rounds; round++) pauses.push(await watched.passPause())
      // With the shortest of all jitters.
      assert.deepEqual(pauses.slice(0, 7), [800, 1600, 3200, 6400, 12800, 15000, 15000])
      const { asked } = watched.api
      const lists = asked.filter((each) => !each.watch).length
      assert.ok(lists <= 1 + listsEach * rounds, `${lists} lists`)
      assert.ok(asked.length <= 2 * (rounds + 1), `${asked.length} requests`)
      heal(watched.api)
      await watched.until((log) => log.at(-1) === 'put healed@21')
      assert.equal(watched.log.filter((line) => line.includes('healed@21')).length, 1)
    })
  }

  test('a server that gives one event with each watch and closes it is not asked faster than once in 0.8 s', async () => {
    let version = 10
    await watched.start((api) => {
      api.watch = (_query, response) => void response.end(event('ADDED', rawPort(`p${++version}`, version)))
    })
    for (let round = 0; round < rounds; round++) assert.equal(await watched.passPause(), 800)
    assert.equal(watched.api.asked.filter((each) => !each.watch).length, 1)
  })

  test('what the server asks for in Retry-After is waited for, of a watch and of a list', async () => {
    await watched.start((api) => {
      api.list = refuse(429, { 'retry-after': '40' })
    })
    assert.equal(await watched.passPause(), 40_000)
    watched.api.list = wellListed
    watched.api.watch = refuse(503, { 'retry-after': '50' })
    await watched.until((log) => log.length === 1)
    assert.equal(await watched.passPause(), 50_000)
  })
})

/** Does everything right from now on, with one event that is new. */
function heal(api: FakeApi): void {
  api.list = listed(20, [rawPort('p', 5)])
  api.watch = (_query, response) => void response.writeHead(200).write(event('ADDED', rawPort('healed', 21)))
}
