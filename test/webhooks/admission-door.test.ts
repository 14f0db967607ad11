// Who is heard by admission, and at which paths.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpsRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { StoreUnavailable } from '../../core/errors.ts'
import type { Registration } from '../../core/plan/registration.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { RbacDenied } from '../../platform/kube/answers.ts'
import { silentLog } from '../../platform/log.ts'
import { makeMetrics } from '../../platform/metrics.ts'
import { issueLeaf, makeAuthority, type Issued } from '../../platform/tls/authority.ts'
import { followFiles } from '../../platform/tls/files.ts'
import { reservationBound } from '../../webhooks/admission/bound.ts'
import { RegisteredPaths } from '../../webhooks/admission/paths.ts'
import type { buildAdmission } from '../../webhooks/server.ts'
import { until } from '../setup/until.ts'
import { ask, furnish, openAdmission, podWith, reviewOf, type AdmissionTestServer, type Answer } from './admission-test-server.ts'

let cluster: AdmissionTestServer
before(async () => {
  cluster = await openAdmission()
  await furnish(cluster)
})
after(() => cluster.close())

const at = (before: string, former: Readonly<Record<string, number>> = {}): Registration => ({
  metadata: { resourceVersion: '1', annotations: { 'megrez.io/former-paths': JSON.stringify(former) } },
  webhooks: [{ clientConfig: { service: { path: `${before}/mutate-pods` } } }],
})

/** An API server of which only the registration is asked. */
function registry(first: readonly Registration[]) {
  const clock = new TurnedClock()
  const said = { now: first as readonly Registration[] | Error, reads: 0 }
  const read = async (): Promise<readonly Registration[]> => {
    said.reads++
    if (said.now instanceof Error) throw said.now
    return said.now
  }
  const door = new RegisteredPaths({ read, clock, log: silentLog() })
  return { said, clock, door, server: cluster.server({ door }) }
}
/** Turns the clock until it has answered: looks are some time apart. */
async function answerTo({ clock, server }: ReturnType<typeof registry>, path: string): Promise<Answer> {
  let answer: Answer | undefined
  void ask(server, path, reviewOf(podWith(undefined))).then((said) => (answer = said))
  await until(() => {
    if (answer === undefined) clock.advance(200)
    return answer !== undefined
  }, 'an answer')
  return answer!
}
const isServed = async (place: ReturnType<typeof registry>, before: string): Promise<boolean> => {
  const { allowed, status } = await answerTo(place, `${before}/mutate-pods`)
  if (!allowed) assert.equal(status?.code, 404)
  return allowed
}

describe('admission answers', () => {
  test('where it is registered, and at the path that anybody can guess only while that is registered', async () => {
    const place = registry([at('/secret')])
    assert.deepEqual(
      [
        await isServed(place, '/secret'),
        await isServed(place, ''),
        await isServed(place, '/other'),
        await isServed(place, '/secret/secret'),
      ],
      [true, false, false, false],
    )
    place.said.now = [at('')]
    assert.deepEqual([await isServed(place, ''), await isServed(place, '/other')], [true, false])
    place.said.now = [at('/secret')]
    place.clock.advance(10_000)
    assert.ok(await isServed(place, ''), 'an API server may not have heard yet')
    place.clock.advance(300_000)
    assert.deepEqual([await isServed(place, ''), await isServed(place, '/secret')], [false, true])
    place.door.close()
  })

  test('for a day at a path that somebody changed by hand', async () => {
    const place = registry([at('/one')])
    assert.ok(await isServed(place, '/one'))
    place.said.now = [at('/two')]
    assert.ok(await isServed(place, '/two'))
    place.clock.advance(86_300_000)
    assert.ok(await isServed(place, '/one'))
    place.clock.advance(100_000)
    assert.deepEqual([await isServed(place, '/one'), await isServed(place, '/two')], [false, true])
    place.door.close()
  })

  test('at a path that was registered this very moment, before any watch could tell, and at the former until its time', async () => {
    const place = registry([at('/one')])
    assert.ok(await isServed(place, '/one'))
    place.said.now = [at('/two', { '/one': place.clock.now() + 3_600_000 })]
    assert.deepEqual([await isServed(place, '/two'), await isServed(place, '/one')], [true, true])
    place.clock.advance(3_600_000)
    assert.deepEqual([await isServed(place, '/two'), await isServed(place, '/one')], [true, false])
    place.door.close()
  })

  test('at the former path after a restart too, and nowhere while nothing is registered', async () => {
    const restarted = registry([at('/two', { '/one': Date.parse('2027-01-01') })])
    assert.ok(await isServed(restarted, '/one'))
    const before = registry([])
    assert.deepEqual([await isServed(before, ''), before.door.problem()], [false, undefined])
    before.said.now = [at('/first')]
    assert.ok(await isServed(before, '/first'), 'the registration came after the server')
    for (const each of [restarted, before]) each.door.close()
  })

  test('what it knows while the registration cannot be read, and says that it does not know the rest', async () => {
    const place = registry([at('/one')])
    assert.ok(await isServed(place, '/one'))
    place.said.now = new StoreUnavailable({ reason: 'gone for lunch' })
    assert.equal((await answerTo(place, '/one/mutate-pods')).allowed, true)
    const { status } = await answerTo(place, '/two/mutate-pods')
    assert.deepEqual([status?.code, /gone for lunch/.test(status?.message ?? '')], [503, true])
    place.said.now = [at('/two')]
    assert.ok(await isServed(place, '/two'), 'it looks again')
    place.door.close()
  })

  test('nobody, and is not ready, where it has never been allowed to look; at the plain path too where it no longer is: a rollback', async () => {
    const never = registry([])
    never.said.now = new RbacDenied({ reason: '403 may not' })
    assert.equal((await answerTo(never, '/mutate-pods')).status?.code, 503)
    assert.match(never.door.problem() ?? '', /may not/)
    const rolledBack = registry([at('/one')])
    assert.equal(await isServed(rolledBack, ''), false)
    rolledBack.said.now = new RbacDenied({ reason: '403 may not' })
    assert.deepEqual(
      [await isServed(rolledBack, ''), await isServed(rolledBack, '/one'), await isServed(rolledBack, '/two')],
      [true, true, false],
    )
    for (const each of [never, rolledBack]) each.door.close()
  })

  test('however many guess, the API server is asked five times a second at most, and a guess is told no path', async () => {
    const place = registry([at('/secret')])
    assert.ok(await isServed(place, '/secret'))
    const [reads, from] = [place.said.reads, place.clock.now()]
    let done = 0
    for (let i = 0; i < 500; i++)
      void ask(place.server, `/guess${i}/mutate-pods`, '').then(({ status }) => {
        assert.doesNotMatch(JSON.stringify(status), /secret/)
        done++
      })
    await until(() => {
      place.clock.advance(50)
      return done === 500
    }, 'all are answered')
    assert.ok(place.said.reads - reads <= (place.clock.now() - from) / 200 + 1, `${place.said.reads - reads} looks`)
    place.door.close()
  })
})

describe('admission with the authority of clients', () => {
  const life = { now: Date.now(), ms: 3_600_000 }
  const own = makeAuthority('server', life)
  const theirs = makeAuthority('api server', life)
  const later = makeAuthority('api server', life)
  const pair = issueLeaf(own, ['127.0.0.1'], life)
  let folder: string
  let place: { cert: string; key: string; clientCa: string }
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-door-'))
    place = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key'), clientCa: join(folder, 'client-ca.crt') }
    await Promise.all([writeFile(place.cert, pair.cert), writeFile(place.key, pair.key), writeFile(place.clientCa, theirs.cert)])
  })
  after(() => rm(folder, { recursive: true }))

  async function listening(
    clientNames: readonly string[] = [],
  ): Promise<{ readonly url: string; readonly clock: TurnedClock; readonly server: ReturnType<typeof buildAdmission> }> {
    const clock = new TurnedClock()
    const certificate = await followFiles(place, { clock, log: silentLog() })
    const server = cluster.server({ certificate, clientNames })
    server.server.once('close', () => certificate.close())
    await server.listen({ host: '127.0.0.1', port: 0 })
    return { url: `https://127.0.0.1:${(server.server.address() as AddressInfo).port}/mutate-pods`, clock, server }
  }
  /** The answer, or how the connection ended. */
  const call = (url: string, shown?: Issued): Promise<Answer | string> =>
    new Promise((resolve) => {
      const request = httpsRequest(
        url,
        {
          method: 'POST',
          ca: own.cert,
          agent: false,
          headers: { 'content-type': 'application/json' },
          ...(shown && { cert: shown.cert, key: shown.key }),
        },
        (response) => {
          let text = ''
          response
            .setEncoding('utf8')
            .on('data', (piece: string) => (text += piece))
            .on('end', () => resolve((JSON.parse(text) as { response: Answer }).response))
            .on('error', (err: NodeJS.ErrnoException) => resolve(err.code ?? ''))
        },
      )
      request.on('error', (err: NodeJS.ErrnoException) => resolve(err.code ?? '')).end(JSON.stringify(reviewOf(podWith(undefined))))
    })
  const isHeard = async (url: string, shown?: Issued): Promise<boolean> => {
    const said = await call(url, shown)
    return typeof said !== 'string' && said.allowed
  }
  const client = (authority: Issued): Issued => issueLeaf(authority, ['api.example.org'], life, 'clientAuth')

  test('hears whom it has signed, and neither strangers nor who shows nothing', async () => {
    const { url } = await listening()
    const stranger = makeAuthority('api server', life)
    assert.deepEqual([await isHeard(url, client(theirs)), await isHeard(url, client(stranger)), await isHeard(url)], [true, false, false])
    assert.match(String(await call(url)), /CERTIFICATE_REQUIRED/, 'the API server shows this to whoever made the pod')
  })

  test('hears those of the names it was given, all others are answered as if nothing was there', async () => {
    const right = await listening(['kube-apiserver', 'megrez'])
    assert.ok(await isHeard(right.url, client(theirs)), 'our own authority signs for CN=megrez')
    const wrong = await listening(['kube-apiserver'])
    const said = (await call(wrong.url, client(theirs))) as Answer
    assert.deepEqual([said.allowed, said.status?.code], [false, 404])
  })

  test('takes another authority without a restart, and keeps the one it has where the new one is none', async () => {
    const { url, clock } = await listening()
    await writeFile(place.clientCa, theirs.cert + later.cert)
    await until(async () => {
      clock.advance(10_000)
      return isHeard(url, client(later))
    }, 'the new authority counts')
    assert.ok(await isHeard(url, client(theirs)), 'the one before too')
    await writeFile(place.clientCa, 'nothing')
    for (let i = 0; i < 3; i++) {
      clock.advance(10_000)
      assert.deepEqual([await isHeard(url, client(later)), await isHeard(url)], [true, false])
    }
  })
})

describe('what admission keeps for pods of one namespace', () => {
  const fixed = (host: number, more: Readonly<Record<string, unknown>> = {}) =>
    reviewOf(
      podWith([{ ip: `10.0.0.${host}` }], {
        metadata: { name: `p${host}`, namespace: 'a', uid: `11111111-1111-4111-8111-1111111111${host}` },
      }),
      more,
    )
  const locks = async (): Promise<readonly string[]> =>
    (await cluster.store.list('IPLock')).items.map(({ spec }) => spec.address ?? '').sort()

  test('is bounded by the second: above it a pod is admitted with a warning and nothing is kept, a dry run counts for nothing', async () => {
    const clock = new TurnedClock()
    const metrics = makeMetrics()
    const server = cluster.server({ bound: reservationBound(1, clock, metrics) })
    for (let i = 0; i < 5; i++) assert.equal((await ask(server, '/validate-pods', fixed(50, { dryRun: true }))).warnings, undefined)
    const answers = [
      await ask(server, '/validate-pods', fixed(51)),
      await ask(server, '/validate-pods', fixed(52)),
      await ask(server, '/validate-pods', fixed(53)),
    ]
    assert.deepEqual(
      answers.map(({ allowed }) => allowed),
      [true, true, true],
    )
    assert.deepEqual(
      answers.map(({ warnings = [] }) => warnings.length),
      [0, 0, 1],
    )
    assert.match(answers[2]?.warnings?.[0] ?? '', /more than 1 addresses and Ports a second are asked for in namespace a: nothing is kept/)
    assert.deepEqual(await locks(), ['10.0.0.51', '10.0.0.52'])
    clock.advance(1_000)
    assert.equal((await ask(server, '/validate-pods', fixed(54))).warnings, undefined)
    assert.deepEqual(await locks(), ['10.0.0.51', '10.0.0.52', '10.0.0.54'])
    assert.match(await metrics.registry.metrics(), /megrez_reservations_total\{how="beyond"\} 1/)
  })

  test('of one namespace takes nothing from another', () => {
    const bound = reservationBound(1, new TurnedClock(), makeMetrics())
    assert.deepEqual(
      ['a', 'a', 'a', 'b'].map((namespace) => bound.take(namespace, 1)),
      [true, true, false, true],
    )
    assert.deepEqual([reservationBound(0, new TurnedClock(), makeMetrics()).take('a', 1_000)], [true], '0 is no bound')
  })
})
