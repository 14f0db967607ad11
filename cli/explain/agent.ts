// What the agent of this machine says of a Port, over its own socket: that is root's alone.
import { createConnection } from 'node:net'
import type { Resource } from '../../core/kinds/index.ts'
import { explainVariable, type PortExplained } from '../../core/node/explained.ts'
import { CliError } from '../context.ts'

/** @throws CliError where no agent answers, or it has no such Port */
export async function askAgent(socket: string, key: string, signal: AbortSignal): Promise<PortExplained<Resource<'Port'>>> {
  const text = await answered(socket, `${explainVariable}=${key}\0\0`, signal).catch((err: unknown) => {
    throw new CliError(3, `no agent answers on ${socket}: ${err instanceof Error ? err.message : String(err)}`)
  })
  const answer = JSON.parse(text) as PortExplained<Resource<'Port'>> | { readonly msg: string }
  if ('msg' in answer) throw new CliError(1, answer.msg)
  return answer
}

/** One request and one answer a connection, each up to its end. */
async function answered(path: string, request: string, signal: AbortSignal): Promise<string> {
  const socket = createConnection({ path, allowHalfOpen: true })
  const stop = (): void => void socket.destroy(new Error('given up'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    socket.end(request)
    const chunks: Buffer[] = []
    for await (const chunk of socket as AsyncIterable<Buffer>) chunks.push(chunk)
    return Buffer.concat(chunks).toString()
  } finally {
    signal.removeEventListener('abort', stop)
  }
}
