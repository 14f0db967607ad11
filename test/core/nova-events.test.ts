// Nova's os-server-external-events, read and answered as Nova does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerOf, readEvents, type EventCode } from '../../core/wire/nova/external-events.ts'

const server_uuid = '00000000-0000-4000-8000-000000000001'
const event = { name: 'network-vif-plugged', server_uuid, status: 'completed', tag: 'port' }

test('what Nova would take is taken', () => {
  for (const taken of [
    event,
    { name: 'power-update', server_uuid, tag: 'POWER_ON' },
    { ...event, server_uuid: server_uuid.replaceAll('-', '') },
  ])
    assert.deepEqual(readEvents({ events: [taken] }), [taken])
})

const wrong: readonly (readonly [body: unknown, why: RegExp])[] = [
  [undefined, /^\/: takes \{"events"/],
  [[event], /^\/: takes/],
  [{ events: [event], more: 1 }, /and nothing else$/],
  [{ events: [] }, /^\/events: takes 1 to 1000 events$/],
  [{ events: Array.from({ length: 1001 }, () => event) }, /^\/events: takes 1 to 1000/],
  [{ events: [event, 'x'] }, /^\/events\/1: takes an object$/],
  [{ events: [{ ...event, port: 1 }] }, /^\/events\/0: has name, server_uuid, status, tag, and no other field$/],
  [{ events: [{ ...event, name: 'network-vif-moved' }] }, /^\/events\/0\/name: takes one of network-changed, network-vif-plugged/],
  [{ events: [{ tag: 'port' }] }, /^\/events\/0\/name/],
  [{ events: [{ ...event, name: ['network-changed'] }] }, /^\/events\/0\/name/],
  [{ events: [{ ...event, server_uuid: 'me' }] }, /^\/events\/0\/server_uuid: takes a UUID$/],
  [{ events: [{ ...event, status: 'done' }] }, /^\/events\/0\/status: takes one of failed, completed, in-progress$/],
  [{ events: [{ ...event, tag: 'x'.repeat(256) }] }, /^\/events\/0\/tag: takes a text of at most 255 characters$/],
  [{ events: [{ ...event, tag: null }] }, /^\/events\/0\/tag/],
]
for (const [body, why] of wrong)
  test(`refused as a whole: ${JSON.stringify(body ?? 'nothing').slice(0, 100)}`, () => {
    const read = readEvents(body)
    assert.match('wrong' in read ? read.wrong : 'taken', why)
  })

test('all taken is 200, some is 207 with a code of each, and none is 404', () => {
  const statusOf = (...codes: EventCode[]): number =>
    answerOf(
      codes.map(() => event),
      codes,
    ).status
  assert.deepEqual([statusOf(200, 200), statusOf(200, 404), statusOf(404, 422), statusOf(400)], [200, 207, 404, 404])
  assert.deepEqual(answerOf([event, event], [200, 404]).body, {
    events: [
      { ...event, status: 'completed', code: 200 },
      { ...event, status: 'failed', code: 404 },
    ],
  })
})
