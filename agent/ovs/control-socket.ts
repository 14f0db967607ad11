// ovs-vswitchd's control socket, as ovs-appctl(8) has it: JSON-RPC 1.0, one command a connection.
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { messageOf } from '../../core/errors.ts'
import { JsonFrames } from '../../core/wire/ovsdb/json-frames.ts'

/** Characters of an answer. */
const answerMax = 1_048_576

/** @param runDir where ovs-vswitchd has its pidfile, whose number is in the socket's name */
export async function controlSocketIn(runDir: string): Promise<string> {
  const pidfile = join(runDir, 'ovs-vswitchd.pid')
  const pid = await readFile(pidfile, 'utf8').catch((err: unknown) => {
    throw new Error(`the control socket of ovs-vswitchd is not known: ${messageOf(err)}`, { cause: err })
  })
  return join(runDir, `ovs-vswitchd.${Number.parseInt(pid, 10)}.ctl`)
}

/** @throws Error with what it says where it refuses the command, or does not answer */
export function appctl(path: string, command: string, args: readonly string[], signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const frames = new JsonFrames(answerMax)
  const socket = connect({ path, signal })
  socket.setEncoding('utf8')
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('ovs-vswitchd has hung up')))
  socket.on('data', (piece: string) => {
    try {
      const [answer] = frames.push(piece)
      if (answer === undefined) return
      const { result, error } = answer as { readonly result?: unknown; readonly error?: unknown }
      if (typeof result === 'string') resolve(result)
      else reject(new Error(`ovs-vswitchd refuses ${command}: ${String(error).trim()}`))
    } catch (err) {
      reject(err)
    }
  })
  socket.write(JSON.stringify({ id: 0, method: command, params: args }))
  return promise.finally(() => socket.destroy())
}
