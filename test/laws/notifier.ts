// The Notifier contract as a suite; the tests quote its promises by number.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Delivery, Notifier, Receipt } from '../../core/contracts/notifier.ts'
import { until } from '../setup/until.ts'

export interface Postbox {
  readonly notifier: Notifier
  /** The URL of a receiver that behaves so; `down` is nobody's, `forbidden` may not be reached. A number is a status that it answers. */
  readonly urlOf: (behaviour: number | 'hangs' | 'breaks' | 'down' | 'forbidden') => string
  /** What has come whole to the receivers. */
  readonly received: () => readonly Omit<Delivery, 'url'>[]
  readonly end: () => Promise<void>
}

const never = new AbortController().signal

export function notifierLaws(name: string, open: () => Promise<Postbox>): void {
  describe(`notifier laws: ${name}`, () => {
    let postbox: Postbox
    let count = 0
    const delivery = (url: string): Delivery => ({
      id: `msg_${++count}`,
      url,
      sequence: count,
      phase: 'ready',
      body: JSON.stringify({ count, text: 'Grüße, 世界' }),
    })
    const send = (behaviour: Parameters<Postbox['urlOf']>[0]): Promise<Receipt> =>
      postbox.notifier.send(delivery(postbox.urlOf(behaviour)), never)
    before(async () => {
      postbox = await open()
    })
    after(async () => {
      await postbox.notifier.close()
      await postbox.end()
    })

    const answers: Record<string, readonly number[]> = {
      accepted: [200, 201, 202, 204],
      refused: [301, 307, 400, 401, 404, 410, 429, 500, 503],
    }
    for (const [say, statuses] of Object.entries(answers))
      test(`1 the statuses ${statuses.join(', ')} are ${say}`, async () => {
        for (const status of statuses) assert.deepEqual(await send(status), { kind: say, status })
      })
    for (const [behaviour, say] of [
      ['breaks', 'slow'],
      ['down', 'unreachable'],
      ['forbidden', 'forbidden'],
    ] as const)
      test(`1 a receiver that is ${behaviour} is an answer: ${say}`, async () => assert.equal((await send(behaviour)).kind, say))

    test('2 what was accepted was received whole', async () => {
      const { url, ...sent } = delivery(postbox.urlOf(200))
      await postbox.notifier.send({ url, ...sent }, never)
      assert.deepEqual(
        postbox.received().find(({ id }) => id === sent.id),
        sent,
      )
    })

    test('3 a signal that falls ends a sending that hangs', async () => {
      const stop = new AbortController()
      const sent = delivery(postbox.urlOf('hangs'))
      const receipt = postbox.notifier.send(sent, stop.signal)
      await until(() => postbox.received().some(({ id }) => id === sent.id), 'it has been received')
      stop.abort()
      assert.equal((await receipt).kind, 'slow')
    })

    test('3 a signal that has fallen sends nothing', async () => {
      const sent = delivery(postbox.urlOf(200))
      assert.equal((await postbox.notifier.send(sent, AbortSignal.abort())).kind, 'slow')
      assert.equal(
        postbox.received().some(({ id }) => id === sent.id),
        false,
      )
    })

    test('4 receivers that hang keep nothing from others', async () => {
      const stop = new AbortController()
      const hanging = Array.from({ length: 20 }, () => postbox.notifier.send(delivery(postbox.urlOf('hangs')), stop.signal))
      for (let i = 0; i < 20; i++) assert.equal((await send(204)).kind, 'accepted')
      stop.abort()
      await Promise.all(hanging)
    })
  })
}
