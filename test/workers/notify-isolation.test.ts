import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Notifier } from '../../core/contracts/notifier.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { until } from '../setup/until.ts'
import { makeVpc, openPost, changePhase, type Post, type PostOptions } from './notify-post.ts'
import { openReceiver, type Answer } from './notify-receiver.ts'

async function many(post: Post, count: number, url: (i: number) => string): Promise<void> {
  for (let i = 0; i < count; i++) await changePhase(post.store, await makeVpc(post.store, `v-${i}-${url(i).length}`, url(i)), 'ready')
}

/** One receiver that misbehaves and one that does not, on other hosts or on other paths of the same one. */
async function beside(
  bad: Answer,
  sameHost: boolean,
  run: (post: Post, parts: { badUrl: string; goodUrl: string; goodCount: () => number; badCount: () => number }) => Promise<void>,
  options: PostOptions = {},
): Promise<void> {
  const receiver = await openReceiver({
    answer: (received, response) => (received.path.startsWith('/good') ? 204 : bad(received, response)),
  })
  const other = await openReceiver()
  const post = await openPost(options)
  try {
    const base = receiver.url.replace('/told', '')
    const goodUrl = sameHost ? `${base}/good` : other.url
    await run(post, {
      badUrl: `${base}/bad`,
      goodUrl,
      goodCount: () => [...receiver.taken, ...other.taken].filter(({ path }) => path !== '/bad').length,
      badCount: () => receiver.heard.filter(({ path }) => path === '/bad').length,
    })
  } finally {
    await post.stop()
    await post.store.close()
    await receiver.close()
    await other.close()
  }
}

describe('a receiver that misbehaves delays nobody else', () => {
  for (const sameHost of [false, true]) {
    test(`one that never answers${sameHost ? ', not even other paths of its own host' : ''}`, () =>
      beside(
        () => undefined,
        sameHost,
        async (post, { badUrl, goodUrl, goodCount, badCount }) => {
          await many(post, 100, () => badUrl)
          await until(() => badCount() > 0, 'it hangs')
          await many(post, 50, () => goodUrl)
          await until(() => goodCount() === 50, 'all others are told', 10_000)
          // Told is before acknowledged: the last of them may take a moment more.
          await until(async () => (await post.left()).length <= 100, 'all others are acknowledged')
          assert.equal((await post.left()).length, 100)
          assert(badCount() <= 4, 'few are spent on one that has never answered')
        },
        { config: { callbackTimeoutMs: 60_000 } },
      ))
  }

  test('one that answers 429 is left alone for as long as it asks, by seconds or by date', async () => {
    for (const retryAfter of ['600', new Date(Date.now() + 600_000).toUTCString()]) {
      const clock = new TurnedClock(Date.now())
      let busy = true
      const answer: Answer = (_, response) => {
        if (!busy) return 204
        response.writeHead(429, { 'retry-after': retryAfter }).end()
        return undefined
      }
      await beside(
        answer,
        true,
        async (post, { badUrl, goodUrl, goodCount, badCount }) => {
          await many(post, 1, () => badUrl)
          await until(() => badCount() === 1, 'it is asked once')
          busy = false
          clock.advance(590_000)
          await many(post, 1, () => goodUrl)
          await until(() => goodCount() === 1, 'others go on')
          assert.equal(badCount(), 1)
          await until(async () => {
            // Time that passes while it answers would be its time limit's.
            if (badCount() === 1) clock.advance(11_000)
            return (await post.left()).length === 0
          }, 'it is told once its time has passed')
          assert.equal(badCount(), 2)
        },
        { clock, config: { callbackTimeoutMs: 600_000 } },
      )
    }
  })

  test('a refusal by one path does not close its host, whatever Retry-After it names', () =>
    beside(
      (_, response) => {
        response.writeHead(503, { 'retry-after': '99999999999' }).end()
        return undefined
      },
      true,
      async (post, { badUrl, goodUrl, goodCount }) => {
        await many(post, 20, () => badUrl)
        await many(post, 50, () => goodUrl)
        await until(() => goodCount() === 50, 'all others are told', 10_000)
      },
    ))

  test('one that may not be reached is tried by one sending at a time, said in one Event, and told of everything once it may be', async () => {
    let allowed = false
    let tries = 0
    const clock = new TurnedClock(Date.now())
    const notifier: Notifier = {
      send() {
        tries += 1
        return Promise.resolve(allowed ? { kind: 'accepted', status: 204 } : { kind: 'forbidden', reason: 'an address of ours' })
      },
      close: () => Promise.resolve(),
    }
    const post = await openPost({ notifier, clock, retry: { firstMs: 1_000, maxMs: 60_000 } })
    await many(post, 100, () => 'https://hooks.example.org/inside')
    await until(() => tries > 0, 'it is tried')
    for (let minute = 0; minute < 60; minute++) {
      clock.advance(60_000)
      for (let ticks = 0; ticks < 5; ticks++) await new Promise((resolve) => setImmediate(resolve))
    }
    assert.ok(tries > 5 && tries < 200, `${tries} tries of 100 objects in an hour`)
    assert.deepEqual(
      (await post.store.list('Event')).items.map(({ spec }) => spec.reason),
      ['CallbackForbidden'],
    )
    allowed = true
    await until(async () => {
      clock.advance(60_000)
      return (await post.left()).length === 0
    }, 'all are told')
    await post.stop()
    await post.store.close()
  })

  test('an endless answer is a success that is cut off at 64 KiB', () => {
    let written = 0
    let ended = 0
    const endless: Answer = (_, response) => {
      response.writeHead(200)
      const chunk = Buffer.alloc(16_384)
      const more = (): void => {
        while (!response.destroyed && response.write(chunk)) written += chunk.length
      }
      response.on('drain', more)
      response.on('close', () => (ended += 1))
      more()
      return undefined
    }
    return beside(endless, false, async (post, { badUrl }) => {
      await many(post, 5, () => badUrl)
      await post.empty()
      await until(() => ended === 5, 'we hang up')
      assert(written < 5 * 8 * 1024 * 1024, `${written} bytes were written, buffers of the kernel included`)
    })
  })

  test('a drip of headers ends by the timeout, and is tried again', () =>
    beside(
      (_, response) => {
        const drip = setInterval(() => response.socket?.write('x-drip: 1\r\n'), 20)
        response.on('close', () => clearInterval(drip))
        response.socket?.write('HTTP/1.1 200 OK\r\n')
        return undefined
      },
      false,
      async (post, { badUrl, badCount }) => {
        await many(post, 1, () => badUrl)
        await until(() => badCount() >= 3, 'it is tried again')
        assert.equal((await post.left()).length, 1)
      },
      { config: { callbackTimeoutMs: 150 } },
    ))

  test('garbage instead of HTTP, and a closed connection, are failures that are tried again', async () => {
    for (const bytes of [
      'SSH-2.0-OpenSSH_9.9\r\n',
      'HTTP/1.1 200 OK\r\ncontent-length: -1\r\n\r\n',
      `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
      '',
    ]) {
      await beside(
        (_, response) => {
          response.socket?.end(bytes)
          return undefined
        },
        false,
        async (post, { badUrl, badCount }) => {
          await many(post, 1, () => badUrl)
          await until(() => badCount() >= 2, 'it is tried again')
          assert.equal((await post.left()).length, 1)
        },
      )
    }
  })
})
