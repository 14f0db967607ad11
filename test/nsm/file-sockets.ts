// Unix sockets that bring open files, of the addon as it is built here.
import assert from 'node:assert/strict'
import { buildNative } from '../../agent/native/build.ts'
import { loadUnix } from '../../agent/native/unix.ts'
import { openFileSockets, type OpenedFileSockets } from '../../agent/unix/file-sockets.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'

export async function fileSockets(): Promise<OpenedFileSockets> {
  const built = await buildNative('unix')
  assert.ok('path' in built, JSON.stringify(built))
  const sockets = openFileSockets({ clock: realClock, log: silentLog(), addon: loadUnix(built.path) })
  assert.ok(!('missing' in sockets))
  return sockets
}
