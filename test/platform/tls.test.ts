import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type TLSSocket } from 'node:tls'
import { after, before, describe, test } from 'node:test'
import { TurnedClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { followFiles } from '../../platform/tls/files.ts'
import { openKeyring, type Keyring, type KeyringOptions } from '../../platform/tls/keyring.ts'
import { nextRotation, type Authority, type Lives, type Ring } from '../../platform/tls/rotation.ts'
import { until } from '../setup/until.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'megrez-tls-'))
})
after(() => rm(folder, { recursive: true }))

const hour = 3_600_000
const lives: Lives = { authorityMs: 900 * hour, leafMs: 30 * hour, overlapMs: 2 * hour }
const options = (clock: TurnedClock): KeyringOptions => ({
  names: ['localhost', '127.0.0.1'],
  clock,
  random: () => 0,
  log: silentLog(),
  lives,
})

/** The certificate that a client is shown, having judged it by the bundle. */
function shown(l4Port: number, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket: TLSSocket = connect({ host: '127.0.0.1', port: l4Port, servername: 'localhost', ca }, () => {
      resolve(socket.getPeerX509Certificate()?.fingerprint256 ?? '')
      socket.destroy()
    })
    socket.once('error', reject)
  })
}
async function served<T>(source: Keyring, use: (l4Port: number) => Promise<T>): Promise<T> {
  const server = createServer(source.current(), (_request, response) => response.end('ok'))
  const forget = source.on((now) => server.setSecureContext(now))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  try {
    return await use((server.address() as AddressInfo).port)
  } finally {
    forget()
    await new Promise((resolve) => server.close(resolve))
  }
}

describe('a keyring', () => {
  test('makes an authority and a leaf that a client takes for each of its names', async () => {
    const ring = await openKeyring(await mkdtemp(join(folder, 'k-')), options(new TurnedClock(Date.now())))
    const leaf = new X509Certificate(ring.current().cert)
    assert.equal(leaf.checkHost('localhost'), 'localhost')
    assert.equal(leaf.checkIP('127.0.0.1'), '127.0.0.1')
    assert.equal(leaf.checkHost('example.org'), undefined)
    assert.ok(await served(ring, (l4Port) => shown(l4Port, ring.bundle())))
    ring.close()
  })
  test('is the same after a restart, and readable by its owner only', async () => {
    const place = await mkdtemp(join(folder, 'k-'))
    const clock = new TurnedClock(Date.now())
    const first = await openKeyring(place, options(clock))
    const second = await openKeyring(place, options(clock))
    assert.deepEqual(second.current(), first.current())
    assert.equal((await stat(join(place, 'tls.json'))).mode & 0o777, 0o600)
    assert.equal(await readFile(first.caFile, 'utf8'), first.bundle())
    first.close()
    second.close()
  })
  test('names that were added get a new leaf', async () => {
    const place = await mkdtemp(join(folder, 'k-'))
    const clock = new TurnedClock(Date.now())
    const first = await openKeyring(place, options(clock))
    const second = await openKeyring(place, { ...options(clock), names: ['localhost', 'example.org'] })
    assert.notEqual(second.current().cert, first.current().cert)
    assert.equal(second.bundle(), first.bundle())
    first.close()
    second.close()
  })
  test('renews its leaf at two thirds of its life while a server runs, and clients of the same bundle stay content', async () => {
    // Renewal falls into the past of the clients' own clock.
    const clock = new TurnedClock(Date.now() - 21 * hour)
    const ring = await openKeyring(await mkdtemp(join(folder, 'k-')), options(clock))
    const bundle = ring.bundle()
    await served(ring, async (l4Port) => {
      const [before, { cert }] = [await shown(l4Port, bundle), ring.current()]
      clock.advance(19 * hour)
      await until(() => {
        clock.advance(hour / 4)
        return ring.current().cert !== cert
      }, 'the leaf is renewed')
      assert.ok(clock.now() < ring.leafUntil())
      assert.notEqual(await shown(l4Port, bundle), before)
    })
    ring.close()
  })
  test('a folder with something else in it is refused by name', async () => {
    const place = await mkdtemp(join(folder, 'k-'))
    await writeFile(join(place, 'tls.json'), '{')
    await assert.rejects(openKeyring(place, options(new TurnedClock())), /tls\.json: holds no certificates of ours/)
  })
})

describe('rotation', () => {
  /** Turns a ring for years, an hour at a time; every leaf and bundle there was. */
  async function years(): Promise<readonly { at: number; leaf: string; by: string; bundle: readonly string[] }[]> {
    const seen: { at: number; leaf: string; by: string; bundle: readonly string[] }[] = []
    let ring: Ring = { authorities: [] }
    let made = 0
    for (let now = 0; now < 4_000 * hour; now += hour) {
      for (
        let rotation = nextRotation(ring, ['x'], now, { lives, jitterMs: 0 });
        rotation.do !== 'rest';
        rotation = nextRotation(ring, ['x'], now, { lives, jitterMs: 0 })
      ) {
        made++
        if (rotation.do === 'drop') ring = { ...ring, authorities: ring.authorities.filter((each) => each !== rotation.authority) }
        else if (rotation.do === 'makeAuthority')
          ring = {
            ...ring,
            authorities: [
              ...ring.authorities,
              { cert: `ca-${made}`, key: '', from: now, until: now + lives.authorityMs, signsFrom: rotation.signsFrom, lastLeaf: now },
            ],
          }
        else {
          const until = Math.min(now + lives.leafMs, rotation.by.until)
          ring = {
            authorities: ring.authorities.map((each): Authority => (each === rotation.by ? { ...each, lastLeaf: until } : each)),
            leaf: { cert: `leaf-${made}`, key: '', from: now, until, names: ['x'], by: rotation.by.cert },
          }
        }
      }
      seen.push({ at: now, leaf: ring.leaf!.cert, by: ring.leaf!.by, bundle: ring.authorities.map(({ cert }) => cert) })
    }
    return seen
  }
  test('at every hour the bundle of two hours before holds the authority of the leaf that is shown', async () => {
    const seen = await years()
    for (const [i, { by }] of seen.entries()) if (i >= 2) assert.ok(seen[i - 2]!.bundle.includes(by), `hour ${i}`)
  })
  test("at every hour the bundle still holds the authority of every leaf that was shown in a leaf's life", async () => {
    const seen = await years()
    for (const [i, { bundle }] of seen.entries())
      for (const { by } of seen.slice(Math.max(0, i - 9), i)) assert.ok(bundle.includes(by), `hour ${i}`)
  })
  test('authorities come and go: several over the years, two at a time at most', async () => {
    const seen = await years()
    assert.ok(new Set(seen.flatMap(({ bundle }) => bundle)).size >= 5)
    assert.ok(Math.max(...seen.map(({ bundle }) => bundle.length)) === 2)
    assert.ok(seen.filter(({ bundle }) => bundle.length === 1).length > seen.length / 2)
  })
})

describe('files', () => {
  test('that are replaced are read again, and halves that do not belong together are not taken', async () => {
    const clock = new TurnedClock(Date.now())
    const authority = makeAuthority('test', { now: Date.now(), ms: hour })
    const [one, two] = [
      issueLeaf(authority, ['localhost'], { now: Date.now(), ms: hour }),
      issueLeaf(authority, ['localhost'], { now: Date.now(), ms: hour }),
    ]
    const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
    await writeFile(files.cert, one.cert)
    await writeFile(files.key, one.key)
    const source = await followFiles(files, { clock, log: silentLog() })
    let changes = 0
    source.on(() => changes++)
    await writeFile(files.cert, two.cert)
    clock.advance(10_000)
    await writeFile(files.key, two.key)
    await until(() => {
      clock.advance(10_000)
      return source.current().cert === two.cert
    }, 'the new pair is taken')
    assert.equal(source.current().key, two.key)
    assert.equal(changes, 1)
    source.close()
  })
  test('that are not there are named', async () => {
    await assert.rejects(
      followFiles({ cert: join(folder, 'none.crt'), key: join(folder, 'none.key') }, { clock: new TurnedClock(), log: silentLog() }),
      /none\.crt/,
    )
  })
})
