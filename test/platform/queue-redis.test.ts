import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigInvalid } from '../../core/errors.ts'
import { encodeKey } from '../../platform/queue/encode.ts'
import { Failures } from '../../platform/queue/failures.ts'
import { readRedisAddress } from '../../platform/queue/redis.ts'

const places = {
  '/run/redis.sock': { kind: 'one', path: '/run/redis.sock' },
  'redis://:secret@redis.example.org:6380/2': { kind: 'one', url: 'redis://:secret@redis.example.org:6380/2' },
  'rediss://redis.example.org': { kind: 'one', url: 'rediss://redis.example.org' },
  'redis+sentinel://a.example.org,b.example.org:26380/mymaster': {
    kind: 'sentinel',
    nodes: [
      { host: 'a.example.org', l4Port: 26379 },
      { host: 'b.example.org', l4Port: 26380 },
    ],
    master: 'mymaster',
    database: 0,
    login: {},
    tls: false,
  },
  'rediss+sentinel://megrez:p%40ss@[2001:db8::1]:26379/mymaster/3': {
    kind: 'sentinel',
    nodes: [{ host: '2001:db8::1', l4Port: 26379 }],
    master: 'mymaster',
    database: 3,
    login: { username: 'megrez', password: 'p@ss' },
    tls: true,
  },
  'redis+cluster://:secret@192.0.2.1:7000,192.0.2.2': {
    kind: 'cluster',
    nodes: [
      { host: '192.0.2.1', l4Port: 7000 },
      { host: '192.0.2.2', l4Port: 6379 },
    ],
    login: { password: 'secret' },
    tls: false,
  },
}
for (const [given, place] of Object.entries(places)) test(`${given} is a place`, () => assert.deepEqual(readRedisAddress(given), place))

for (const given of [
  'redis.example.org:6379',
  'http://redis.example.org',
  'redis://',
  'redis+sentinel://:secret@a.example.org',
  'redis+cluster://:secret@a:b:c',
  '',
]) {
  test(`'${given.replace('secret', '…')}' is no place, and the refusal repeats no password`, () => {
    assert.throws(
      () => readRedisAddress(given),
      (err: unknown) => err instanceof ConfigInvalid && err.message.includes('MEGREZ_REDIS') && !err.message.includes('secret'),
    )
  })
}

test('encoded keys hold no colon, are no whole numbers, and differ where the keys do', () => {
  const keys = ['7', 'a:b', 'a%3Ab', 'a%253Ab', 'a%b', 'Port:blue/web-0', '2001:db8::1', 'k7', '']
  const encoded = keys.map(encodeKey)
  for (const each of encoded) assert.ok(!each.includes(':') && !Number.isInteger(Number(each)), each)
  assert.equal(new Set(encoded).size, keys.length)
})

test('failures are counted by key until they are forgotten, and cannot fill the memory', () => {
  const failures = new Failures()
  assert.deepEqual([failures.count('a'), failures.count('a'), failures.count('b')], [1, 2, 1])
  failures.forget('a')
  assert.equal(failures.count('a'), 1)
  for (let i = 0; i < 100_000; i++) failures.count(`key ${i}`)
  assert.equal(failures.count('b'), 1)
  assert.equal(failures.count('key 99999'), 2)
})
