// What a proxy that runs is told: lists of addresses, each replaced as a whole and at once, without a connection that ends (HAProxy's
// management guide, `prepare acl`).
import { connect } from 'node:net'
import { LinkRefused } from '../../core/errors.ts'

/** What is said at once is 16 KiB at most (tune.bufsize). */
const linesAtOnce = 100
const answerMs = 5_000

export interface AddressList {
  /** As its configuration names the file. */
  readonly name: string
  /** map: each line has a value behind its address. */
  readonly kind: 'acl' | 'map'
  /** Addresses and blocks, nothing that a tenant has chosen otherwise. */
  readonly lines: readonly string[]
}

/** @throws LinkRefused */
export async function replaceList(socket: string, { name, kind, lines }: AddressList): Promise<void> {
  const prepared = await ask(socket, `prepare ${kind} ${name}`)
  const version = /^New version created: (\d+)$/m.exec(prepared)?.[1]
  if (version === undefined) throw refusalOf(name, prepared)
  for (let at = 0; at < lines.length; at += linesAtOnce) {
    const commands = lines.slice(at, at + linesAtOnce).map((line) => `add ${kind} @${version} ${name} ${line}`)
    await agreed(socket, name, commands.join(';'))
  }
  await agreed(socket, name, `commit ${kind} @${version} ${name}`)
}

async function agreed(socket: string, name: string, command: string): Promise<void> {
  const answer = await ask(socket, command)
  if (answer.trim() !== '') throw refusalOf(name, answer)
}

const refusalOf = (name: string, answer: string): Error =>
  new LinkRefused({ what: `another list ${name} of an inspector`, reason: answer.trim().slice(0, 200) || 'it says nothing' })

/** What is said on one line, whose answer ends with the connection. */
function ask(path: string, command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    const socket = connect({ path }, () => socket.write(`${command}\n`))
    socket.setTimeout(answerMs, () => socket.destroy(new Error(`no answer within ${answerMs} ms`)))
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.on('error', (cause) => reject(new LinkRefused({ what: 'the socket of an inspector', reason: cause.message })))
    socket.on('close', () => resolve(Buffer.concat(chunks).toString()))
  })
}
