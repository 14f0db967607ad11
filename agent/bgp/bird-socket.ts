// BIRD's control socket: one connection for each command.
import { connect } from 'node:net'
import { Replies, welcome, type Reply } from '../../core/bgp/bird/replies.ts'

/** @throws Error where nothing answers */
export function askBird(path: string, command: string, signal: AbortSignal): Promise<Reply & { readonly version: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<Reply & { readonly version: string }>()
  const replies = new Replies()
  let version = ''
  const socket = connect({ path, signal })
  socket.setEncoding('utf8')
  socket.on('error', reject)
  socket.on('close', () => reject(new Error('BIRD has hung up')))
  socket.on('data', (piece: string) => {
    for (const reply of replies.push(piece)) {
      if (reply.code !== welcome) resolve({ ...reply, version })
      else {
        version = /^BIRD (\S+)/.exec(reply.text)?.[1] ?? ''
        socket.write(`${command}\n`)
      }
    }
  })
  return promise.finally(() => socket.destroy())
}
