// TCP connections between pods of a lab, by programs that run inside of them.
import { spawn } from 'node:child_process'
import type { Namespace } from '../namespaces.ts'
import { until } from '../../platform/programs/until.ts'

const l4Port = 8080
/** A refusal drops packets: who is not answered within this is not. */
export const answerSeconds = 2

const inside = (namespace: Namespace, script: string) =>
  spawn('ip', ['netns', 'exec', namespace.name, process.execPath, '-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })

/** Every line that comes in is sent back. @returns stops it */
export const listens = (namespace: Namespace): Promise<() => Promise<void>> =>
  serves(
    namespace,
    `require('node:net').createServer((s) => s.on('error', () => {}).pipe(s)).listen(${l4Port}, '0.0.0.0', () => console.log('listens'))`,
  )

/** @param script of Node.js: a server that prints something once it listens. @returns stops it */
export async function serves(namespace: Namespace, script: string): Promise<() => Promise<void>> {
  const server = inside(namespace, script)
  const ended = new Promise<void>((resolve) => server.once('exit', () => resolve()))
  await new Promise((resolve) => server.stdout.once('data', resolve))
  return async () => {
    server.kill('SIGKILL')
    await ended
  }
}

/**
 * Whether a new connection is answered.
 *
 * @param withinSeconds programs that are begun among it: on a machine with far more to do than it has cores, an answer is late
 */
export async function connects(from: Namespace, address: string, withinSeconds = answerSeconds): Promise<boolean> {
  const ask = `exec 3<>/dev/tcp/${address}/${l4Port}; echo here >&3; read -r answer <&3; test "$answer" = here`
  const { code } = await from.exec('timeout', String(withinSeconds), 'bash', '-c', ask)
  return code === 0
}

/** A connection that is open and answered; `ends` says whether its answers stop within some seconds. */
export async function heldOpen(from: Namespace, address: string): Promise<{ ends(): Promise<boolean> }> {
  const client = inside(
    from,
    `const s = require('node:net').connect(${l4Port}, '${address}'); s.on('error', () => process.exit());
     s.on('data', () => console.log('answered')); setInterval(() => s.write('here\\n'), 200); setTimeout(() => process.exit(), 60000)`,
  )
  let answers = 0
  client.stdout.on('data', () => answers++)
  await until(() => Promise.resolve(answers > 0), 'the connection is answered', 10_000)
  return {
    async ends() {
      try {
        await until(() => isQuiet(() => answers), 'no answer comes any more', 20_000)
        return true
      } catch {
        return false
      } finally {
        client.kill('SIGKILL')
      }
    },
  }
}

/** No answer in a time in which five should come. */
async function isQuiet(answers: () => number): Promise<boolean> {
  const before = answers()
  await new Promise((resolve) => setTimeout(resolve, 1_000))
  return answers() === before
}

const datagrams = 500
const datagramL4Port = 9001

/** Of so many datagrams of 1,000 bytes, one a millisecond (8 Mbit/s), the share that arrives. */
export async function shareArriving(from: Namespace, to: Namespace, address: string): Promise<number> {
  const receiver = inside(
    to,
    `const s = require('node:dgram').createSocket('udp4', () => process.stdout.write('.'))
     s.bind(${datagramL4Port}, () => process.stdout.write('.')); setTimeout(process.exit, 60000)`,
  )
  let count = 0
  receiver.stdout.on('data', (piece: Buffer) => (count += piece.length))
  try {
    await until(() => Promise.resolve(count > 0), 'somebody listens', 10_000)
    const sender = inside(
      from,
      `const s = require('node:dgram').createSocket('udp4'); let sent = 0
       const timer = setInterval(() => { s.send(Buffer.alloc(1000), ${datagramL4Port}, '${address}'); if (++sent === ${datagrams}) { clearInterval(timer); setTimeout(process.exit, 200) } }, 1)`,
    )
    await new Promise((resolve) => sender.once('exit', resolve))
    await until(() => isQuiet(() => count), 'no datagram comes any more', 10_000)
    return (count - 1) / datagrams
  } finally {
    receiver.kill('SIGKILL')
  }
}
