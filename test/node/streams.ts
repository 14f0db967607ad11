// Datagrams that one pod sends another without end, and how many of them arrive.
import { spawn } from 'node:child_process'
import type { Namespace } from '../../lab/namespaces.ts'
import { until } from '../setup/until.ts'

export const streamL4Port = 4_500

export interface Stream {
  readonly sent: () => number
  readonly arrived: () => number
  end(): Promise<void>
}

/** A mark for each on its standard output. */
function running(inside: Namespace, script: string): { readonly marks: () => number; end(): Promise<void> } {
  const child = spawn('ip', ['netns', 'exec', inside.name, process.execPath, '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  let marks = 0
  child.stdout.on('data', (piece: Buffer) => (marks += piece.length))
  return {
    marks: () => marks,
    async end() {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** Each 5 ms; a destination that nobody resolves yet loses those before. */
export async function streamed(from: Namespace, { to, address }: { readonly to: Namespace; readonly address: string }): Promise<Stream> {
  const listener = running(
    to,
    `const s = require('node:dgram').createSocket('udp4', () => process.stdout.write('.')); s.bind(${streamL4Port}); setTimeout(process.exit, 300000)`,
  )
  const sender = running(
    from,
    `const s = require('node:dgram').createSocket('udp4')
     setInterval(() => s.send('x', ${streamL4Port}, '${address}', () => process.stdout.write('.')), 5); setTimeout(process.exit, 300000)`,
  )
  await until(() => Promise.resolve(sender.marks() > 10), 'datagrams are sent', 10_000)
  return {
    sent: sender.marks,
    arrived: listener.marks,
    async end() {
      await sender.end()
      await listener.end()
    },
  }
}
