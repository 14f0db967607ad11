// Streams of a unix socket that carry open files: bytes and files arrive, whoever does not read is not written to, and no file stays open.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { closeSync, constants, mkdtempSync, openSync, readdirSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect as netConnect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { describe, test, type TestContext } from 'node:test'
import { buildNative } from '../../agent/native/build.ts'
import { loadUnix } from '../../agent/native/unix.ts'
import { openFileSockets } from '../../agent/unix/file-sockets.ts'
import type { FileStream } from '../../agent/unix/file-stream.ts'
import { unclaimedMax } from '../../agent/unix/received-files.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'

const built = await buildNative('unix')
const skip = 'missing' in built && built.missing

/** A socket in a folder of its own, and both ends of connections to it. */
function openPlace(t: TestContext) {
  const sockets = openFileSockets({ clock: realClock, log: silentLog(), addon: loadUnix('path' in built ? built.path : '') })
  assert.ok(!('missing' in sockets))
  const folder = mkdtempSync(join(tmpdir(), 'megrez-files-'))
  const path = join(folder, 's')
  const accepted: FileStream[] = []
  const all: FileStream[] = []
  const listening = sockets.listen(path, (stream) => {
    stream.on('error', () => undefined)
    accepted.push(stream as FileStream)
    all.push(stream as FileStream)
  })
  t.after(() => {
    for (const stream of all) stream.destroy()
    listening.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const pair = async (): Promise<readonly [FileStream, FileStream]> => {
    const client = sockets.connect(path)
    client.on('error', () => undefined)
    all.push(client)
    await until(() => accepted.length > 0, 'the connection is accepted')
    return [client, accepted.shift()!]
  }
  const file = (name: string): string => {
    writeFileSync(join(folder, name), name)
    return join(folder, name)
  }
  /** Of this folder: other tests of this process have theirs. */
  const open = (): number =>
    readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(`${folder}/`)
      } catch {
        return false
      }
    }).length
  return { sockets, path, pair, file, open }
}

const named = (path: string) => {
  const { dev: device, ino: inode } = statSync(path, { bigint: true })
  return { device, inode }
}
const ended = (stream: FileStream): Promise<unknown> => (stream.closed ? Promise.resolve() : once(stream, 'close').catch(() => undefined))

describe('streams with files', { skip }, () => {
  test('bytes in pieces of any length arrive both ways, and each way ends by itself', async (t) => {
    const { pair } = openPlace(t)
    for (let n = 0; n < trials(200); n++) {
      const [a, b] = await pair()
      const pieces = Array.from({ length: 1 + Math.floor(Math.random() * 20) }, () =>
        Buffer.alloc(1 + Math.floor(Math.random() ** 4 * 300_000), Math.floor(Math.random() * 256)),
      )
      const heard = buffer(b)
      for (const piece of pieces) a.write(piece)
      a.end()
      const whole = Buffer.concat(pieces)
      assert.ok((await heard).equals(whole))
      const back = buffer(a)
      b.end(whole.subarray(0, whole.length / 2))
      assert.ok((await back).equals(whole.subarray(0, whole.length / 2)))
      await Promise.all([ended(a), ended(b)])
    }
  })

  test('whoever is not read holds what is written to it back, until it is', async (t) => {
    const [a, b] = await openPlace(t).pair()
    const piece = Buffer.alloc(65_536, 7)
    let [written, isWriting] = [0, true]
    const write = (): void => {
      while (isWriting && a.write(piece)) written++
      written++
    }
    a.on('drain', write)
    write()
    let before = -1
    await until(() => before === (before = written), 'nothing more is taken')
    assert.ok(written * piece.length < 4 * 2 ** 20, `${written} pieces were taken`)
    isWriting = false
    let got = 0
    b.on('data', (bytes: Buffer) => (got += bytes.length))
    a.end()
    await once(b, 'end')
    assert.equal(got, written * piece.length)
  })

  test('files that are open, or a path alone, come with bytes, are asked for by what they are, before or after, and are closed', async (t) => {
    const { pair, file, open } = openPlace(t)
    const [a, b] = await pair()
    const [one, two] = [file('one'), file('two')]
    b.resume()
    const early = b.files.take(named(two), 10_000)
    a.sendFile(openSync(one, 'r'))
    a.sendFile(openSync(two, constants.O_RDONLY | 0o10000000))
    a.write('x')
    const second = await early
    const first = await b.files.take(named(one), 10_000)
    const again = await b.files.take(named(one), 10_000)
    assert.equal(first!.fd, again!.fd)
    assert.equal(readlinkSync(`/proc/self/fd/${second!.fd}`), two)
    assert.equal(open(), 2)
    first!.close()
    first!.close()
    assert.equal(open(), 2, 'the other has it still')
    again!.close()
    assert.equal(await b.files.take(named(one), 0), undefined)
    assert.equal(await b.files.take(named(file('three')), 1), undefined)
    b.destroy()
    assert.equal(open(), 1, 'who has taken one keeps it')
    second!.close()
    assert.equal(open(), 0)
  })

  test('one that comes again while it is in use serves the next who asks', async (t) => {
    const { pair, file, open } = openPlace(t)
    const [a, b] = await pair()
    const one = file('one')
    let heard = 0
    b.on('data', (bytes: Buffer) => (heard += bytes.length))
    const send = async (nth: number): Promise<void> => {
      a.sendFile(openSync(one, 'r'))
      a.write('x')
      await until(() => heard === nth, 'it has come')
    }
    await send(1)
    const first = await b.files.take(named(one), 0)
    await send(2)
    await send(3)
    assert.equal(open(), 1)
    first!.close()
    const second = await b.files.take(named(one), 0)
    assert.ok(second, 'it was sent again')
    second.close()
    assert.equal(open(), 0)
  })

  test('a peer that sends more than anybody asks for is cut off, and nothing of it stays', async (t) => {
    const { pair, file, open } = openPlace(t)
    const [a, b] = await pair()
    b.resume()
    for (let n = 0; n <= unclaimedMax; n++) {
      a.sendFile(openSync(file(`f${n}`), 'r'))
      a.write('x')
    }
    await ended(b)
    assert.match(String(b.errored), /more than 64 files/)
    a.destroy()
    assert.equal(open(), 0)
  })

  test('files in flight are closed with whichever end goes, at any time', async (t) => {
    const { pair, file, open } = openPlace(t)
    const paths = Array.from({ length: 8 }, (_, n) => file(`f${n}`))
    for (let n = 0; n < trials(300); n++) {
      const [a, b] = await pair()
      if (n % 3 > 0) b.resume()
      for (const path of paths.slice(n % 5)) {
        a.sendFile(openSync(path, 'r'))
        if (Math.random() < 0.8) a.write(Buffer.alloc(1 + n))
      }
      if (n % 2 === 0) await new Promise(setImmediate)
      const [first, last] = Math.random() < 0.5 ? [a, b] : [b, a]
      first.destroy()
      if (n % 4 === 0) last.destroy()
      else await ended(last.resume().end())
    }
    await until(() => open() === 0, 'nothing is open')
  })

  test('Node.js’ own sockets speak with it, and its path is for owner and group', async (t) => {
    const { path, sockets } = openPlace(t)
    assert.equal(statSync(path).mode & 0o777, 0o660)
    const other = `${path}2`
    const listening = sockets.listen(other, (stream) => stream.pipe(stream))
    t.after(() => listening.close())
    const socket = netConnect(other)
    socket.end('hello')
    assert.equal(String(await buffer(socket)), 'hello')
    assert.throws(() => sockets.connect(`${path}3`), /ENOENT|No such file/)
    const fd = openSync('/dev/null', 'r')
    t.after(() => closeSync(fd))
    assert.equal(sockets.namespaceType(fd), 0)
    const net = openSync('/proc/self/ns/net', constants.O_RDONLY | 0o10000000)
    t.after(() => closeSync(net))
    assert.equal(sockets.namespaceType(net), 0x40000000)
  })
})
