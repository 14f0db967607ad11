import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { Phase } from '../../core/kinds/meta.ts'
import { noticeOf } from '../../core/plan/notify/notices.ts'
import { until } from '../setup/until.ts'
import { seeded } from './test-cluster.ts'
import { end, makeVpc, openPost, secret, secretsIn, changePhase, type Post, type PostOptions } from './notify-post.ts'
import { openReceiver, changesTaken, type Answer, type Receiver } from './notify-receiver.ts'

async function using(run: (post: Post, receiver: Receiver) => Promise<void>, options: PostOptions = {}, answer?: Answer): Promise<void> {
  const receiver = await openReceiver(answer === undefined ? {} : { answer })
  const post = await openPost(options)
  try {
    await run(post, receiver)
  } finally {
    await post.stop()
    await post.store.close()
    await receiver.close()
  }
}

/** Of the namespace that the objects here are in. */
const own = (configured: string): readonly string[] => secretsIn('a', configured)

describe('callbacks', () => {
  test('each change of phase is POSTed as the whole object, signed, and then forgotten', () =>
    using(async (post, receiver) => {
      const vpc = await makeVpc(post.store, 'blue', receiver.url)
      await changePhase(post.store, vpc, 'pending')
      await changePhase(post.store, vpc, 'ready')
      await post.empty()
      assert.deepEqual(changesTaken(receiver.taken, vpc.metadata.uid), ['1 pending', '2 ready'])
      const last = receiver.taken[1]!
      const {
        metadata: { resourceVersion: _, ...metadata },
        ...stored
      } = (await post.store.get(refOf(vpc)))!
      assert.deepEqual(JSON.parse(last.body), { ...stored, metadata })
      assert.equal(last.headers['content-type'], 'application/json')
      assert.equal(last.headers['user-agent'], 'megrez')
      assert.equal(last.headers['cookie'], undefined)
      const [theirs = ''] = own(secret)
      new Webhook(theirs).verify(last.body, last.headers)
      assert.throws(() => new Webhook(theirs).verify(`${last.body} `, last.headers))
      assert.throws(() => new Webhook(secret).verify(last.body, last.headers), 'the one that all are derived from signs nothing')
      assert.notEqual(receiver.taken[0]!.headers['webhook-id'], last.headers['webhook-id'])
    }))

  test('while a secret is being replaced, both the old and the new one verify', async () => {
    const next = `whsec_${Buffer.alloc(24, 9).toString('base64')}`
    await using(
      async (post, receiver) => {
        await changePhase(post.store, await makeVpc(post.store, 'blue', receiver.url), 'ready')
        await post.empty()
        const { body, headers } = receiver.taken[0]!
        for (const each of [...own(secret), ...own(next)]) new Webhook(each).verify(body, headers)
        assert.throws(() => new Webhook(`whsec_${Buffer.alloc(24, 1).toString('base64')}`).verify(body, headers))
      },
      { config: { callbackSecret: `${secret} ${next}` } },
    )
  })

  test("where receivers of before have not their namespace's secret yet, the one that all had signs too", () =>
    using(
      async (post, receiver) => {
        await changePhase(post.store, await makeVpc(post.store, 'blue', receiver.url), 'ready')
        await post.empty()
        const { body, headers } = receiver.taken[0]!
        for (const each of own(secret)) new Webhook(each).verify(body, headers)
        new Webhook(secret).verify(body, headers)
      },
      { config: { callbackSharedSignature: true } },
    ))

  test('a receiver that fails at random gets every change of every object, in order, one at a time', async () => {
    const random = seeded(11)
    await using(
      async (post, receiver) => {
        const phases: Phase[] = ['pending', 'ready', 'error', 'ready', 'terminating']
        const vpcs = await Promise.all(Array.from({ length: 20 }, (_, i) => makeVpc(post.store, `v${i}`, receiver.url)))
        for (const phase of phases) await Promise.all(vpcs.map((vpc) => changePhase(post.store, vpc, phase)))
        await post.empty()
        const wanted = phases.map((phase, i) => `${i + 1} ${phase}`)
        for (const vpc of vpcs) assert.deepEqual(changesTaken(receiver.taken, vpc.metadata.uid), wanted)
        assert.equal(receiver.mostAtOnce(), 1)
        assert(receiver.heard.length > receiver.taken.length)
        const ids = new Map(receiver.heard.map((each) => [each.headers['webhook-id'], `${each.uid} ${each.sequence}`]))
        assert.equal(ids.size, vpcs.length * phases.length, 'a retry has the id of the first try, and no two notices share one')
      },
      {},
      () => (random() < 0.3 ? 500 : 204),
    )
  })

  test('a receiver that was down gets all that it missed, in order, when it is back', async () => {
    const gone = await openReceiver()
    await gone.close()
    await using(async (post) => {
      const vpc = await makeVpc(post.store, 'blue', gone.url)
      for (const phase of ['pending', 'ready', 'error'] as const) await changePhase(post.store, vpc, phase)
      await until(() => post.left().then((left) => left.length === 3), 'three wait')
      const back = await openReceiver({ l4Port: gone.l4Port })
      await post.empty()
      assert.deepEqual(changesTaken(back.taken, vpc.metadata.uid), ['1 pending', '2 ready', '3 error'])
      await back.close()
    })
  })

  test('nothing is sent of a state that its object has not reached, and a rival may still replace it', () =>
    using(async (post, receiver) => {
      const vpc = await makeVpc(post.store, 'blue', receiver.url)
      const other = await makeVpc(post.store, 'red', receiver.url)
      const early = noticeOf({ ...vpc, status: { phase: 'error', sequence: 1 } }, { namespace: 'megrez-system' }, Date.now())!
      await post.store.commit([early])
      await changePhase(post.store, other, 'ready')
      await until(() => receiver.taken.length === 1, "the other object's notice arrives")
      const pending = (await post.left())[0]!
      const object = { ...vpc, status: { phase: 'ready', sequence: 1 } }
      await post.store.commit([
        { do: 'update', item: { ...pending, spec: { ...pending.spec, phase: 'ready', object } } },
        { do: 'patchStatus', ref: refOf(vpc), uid: vpc.metadata.uid, sections: { report: { phase: 'ready', sequence: 1 } } },
      ])
      await post.empty()
      assert.deepEqual(changesTaken(receiver.heard, vpc.metadata.uid), ['1 ready'])
    }))

  test('the end of an object is told with its last known state, after the object is gone', () =>
    using(async (post, receiver) => {
      const vpc = await makeVpc(post.store, 'blue', receiver.url)
      await changePhase(post.store, vpc, 'ready')
      await end(post.store, vpc)
      await post.empty()
      assert.equal(await post.store.get(refOf(vpc)), undefined)
      assert.deepEqual(changesTaken(receiver.taken, vpc.metadata.uid), ['1 ready', '2 deleted'])
      const last = JSON.parse(receiver.taken[1]!.body) as Resource<'Vpc'>
      assert.deepEqual([last.status?.phase, last.spec], ['deleted', vpc.spec])
    }))

  test('an object that nobody asks about any more is told of no more', async () => {
    await using(
      async (post, receiver) => {
        const vpc = await makeVpc(post.store, 'blue', receiver.url)
        await changePhase(post.store, vpc, 'ready')
        await until(() => receiver.heard.length > 0, 'it was tried')
        const item = (await post.store.get(refOf(vpc)))!
        const { callbackURL: _, ...spec } = item.spec
        await post.store.update({ ...item, spec })
        await post.empty()
        assert.equal(receiver.taken.length, 0)
      },
      {},
      () => 500,
    )
  })

  test("410 ends it: the rest of that object's notices are dropped, with an Event that says so", async () => {
    await using(
      async (post, receiver) => {
        const vpc = await makeVpc(post.store, 'blue', receiver.url)
        for (const phase of ['pending', 'ready', 'error'] as const) await changePhase(post.store, vpc, phase)
        await until(() => receiver.heard.length > 0, 'it was tried')
        receiver.answer = () => 410
        await post.empty()
        const events = (await post.store.list('Event')).items
        assert.deepEqual(
          events.map(({ spec }) => [spec.type, spec.reason, spec.regarding.name]),
          [['Warning', 'CallbackGone', 'blue']],
        )
      },
      {},
      () => 500,
    )
  })

  test('what its receiver has not taken by the horizon is given up, with an Event that says so', async () => {
    await using(
      async (post, receiver) => {
        const vpc = await makeVpc(post.store, 'blue', receiver.url)
        await changePhase(post.store, vpc, 'ready', Date.now() - 3_600_000)
        await post.empty()
        assert.equal(receiver.heard.length, 1, 'though late, it was tried')
        assert.deepEqual(
          (await post.store.list('Event')).items.map(({ spec }) => spec.reason),
          ['CallbackUndelivered'],
        )
      },
      { config: { callbackHorizonMs: 60_000 } },
      () => 500,
    )
  })

  test('a redirect is a failure and is not followed', async () => {
    const elsewhere = await openReceiver()
    const redirects = [301, 302, 303, 307, 308]
    await using(
      async (post, receiver) => {
        await changePhase(post.store, await makeVpc(post.store, 'blue', receiver.url), 'ready')
        await until(() => receiver.heard.length >= 6, 'it is tried again')
        assert.equal((await post.left()).length, 1)
        assert.equal(elsewhere.heard.length, 0)
      },
      {},
      (_, response) => {
        redirects.push(redirects.shift()!)
        response.writeHead(redirects.at(-1)!, { location: elsewhere.url }).end()
        return undefined
      },
    )
    await elsewhere.close()
  })

  test('a dispatcher that starts again goes on where the last one ended', async () => {
    await using(
      async (post, receiver) => {
        const vpcs = await Promise.all(Array.from({ length: 10 }, (_, i) => makeVpc(post.store, `v${i}`, receiver.url)))
        for (const phase of ['pending', 'ready'] as const) await Promise.all(vpcs.map((vpc) => changePhase(post.store, vpc, phase)))
        await until(() => receiver.heard.length > 3, 'some were tried')
        await post.stop()
        receiver.answer = () => 200
        const next = await openPost({ store: post.store })
        await next.empty()
        await next.stop()
        for (const vpc of vpcs) assert.deepEqual([...new Set(changesTaken(receiver.taken, vpc.metadata.uid))], ['1 pending', '2 ready'])
      },
      {},
      (received) => (received.sequence === 1 && received.uid.charCodeAt(0) % 2 === 0 ? 200 : 500),
    )
  })

  test('two dispatchers that do not know of each other lose nothing, and what is doubled has one id', async () => {
    await using(async (post, receiver) => {
      const rival = await openPost({ store: post.store })
      const vpcs = await Promise.all(Array.from({ length: 10 }, (_, i) => makeVpc(post.store, `v${i}`, receiver.url)))
      for (const phase of ['pending', 'ready', 'error'] as const) await Promise.all(vpcs.map((vpc) => changePhase(post.store, vpc, phase)))
      await post.empty()
      await rival.stop()
      for (const vpc of vpcs)
        assert.deepEqual([...new Set(changesTaken(receiver.taken, vpc.metadata.uid))].sort(), ['1 pending', '2 ready', '3 error'])
      assert.equal(new Set(receiver.heard.map(({ headers }) => headers['webhook-id'])).size, 30)
    })
  })

  test('an acknowledgement that the store did not take is written later; the notice is not sent again', async () => {
    await using(async (post, receiver) => {
      let refusals = 3
      const commit = post.store.commit.bind(post.store)
      post.store.commit = (writes) => (writes[0]?.do === 'delete' && refusals-- > 0 ? Promise.reject(new Error('cut off')) : commit(writes))
      await changePhase(post.store, await makeVpc(post.store, 'blue', receiver.url), 'ready')
      await post.empty()
      assert.equal(receiver.heard.length, 1)
    })
  })
})
