// QEMU's monitor (QEMU Machine Protocol): a line of JSON for each command, its answer, and what happens beside.
import type { Socket } from 'node:net'
import { until } from '../../platform/programs/until.ts'

interface MonitorLine {
  readonly return?: unknown
  readonly error?: { readonly desc: string }
  readonly event?: string
  readonly data?: Readonly<Record<string, unknown>>
}

export interface Monitor {
  /** @throws Error with the monitor's words */
  execute(command: string, named?: object): Promise<void>
  /** Resolves once it has told of that, now or since it was opened. */
  told(event: string, of: (named: Readonly<Record<string, unknown>>) => boolean): Promise<void>
}

const answerMs = 20_000

/** Takes a connected socket; one command at a time. */
export async function openMonitor(socket: Socket): Promise<Monitor> {
  let text = ''
  const answers: MonitorLine[] = []
  const events: MonitorLine[] = []
  socket.on('data', (chunk: Buffer) => {
    const lines = (text += chunk.toString()).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines.filter((each) => each.trim() !== '')) {
      const answer = JSON.parse(line) as MonitorLine
      if (answer.event !== undefined) events.push(answer)
      else if (answer.return !== undefined || answer.error !== undefined) answers.push(answer)
    }
  })
  socket.on('error', () => undefined)
  async function execute(command: string, named: object = {}): Promise<void> {
    socket.write(`${JSON.stringify({ execute: command, arguments: named })}\n`)
    await until(() => answers.length > 0, `the monitor answers ${command}`, answerMs)
    const { error } = answers.shift()!
    if (error !== undefined) throw new Error(`${command}: ${error.desc}`)
  }
  await execute('qmp_capabilities')
  return {
    execute,
    told: (event, of) =>
      until(() => events.some((each) => each.event === event && of(each.data ?? {})), `the monitor tells of ${event}`, answerMs),
  }
}
