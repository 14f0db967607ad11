// megrez listen: a receiver of notices for a terminal. It verifies them, and prints one a line, each before it is answered.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { listener } from '../../receiver/listener.ts'
import { Order } from '../../receiver/order.ts'
import { isSecret, type Notice } from '../../receiver/verify.ts'
import { flagLines, helpFlag, readArgs, type Flags } from '../args.ts'
import { CliError, fallen, type Context, type Exit } from '../context.ts'

export const flags: Flags = {
  secret: {
    type: 'string',
    multiple: true,
    value: 'whsec_…',
    meaning: 'what notices are signed with; several while one is being replaced',
  },
  port: { type: 'string', short: 'p', value: 'NUMBER', meaning: 'TCP port on loopback; a free one unless given' },
  json: { type: 'boolean', meaning: 'a line of JSON for each, the whole body in it' },
  ...helpFlag,
}
export const usage = `megrez listen --secret whsec_… [--port NUMBER]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const secrets = given.texts('secret')
  if (secrets.length === 0) throw new CliError(2, 'say what notices are signed with: --secret whsec_…')
  const wrong = secrets.find((secret) => !isSecret(secret))
  if (wrong !== undefined)
    throw new CliError(2, `--secret ${JSON.stringify(wrong)} signs nothing: a secret is whsec_ and the base64 of at least 24 bytes`)
  const l4Port = Number(given.text('port') ?? '0')
  if (!Number.isInteger(l4Port) || l4Port < 0 || l4Port > 65_535) throw new CliError(2, '--port is a number from 0 to 65535')
  const order = new Order()
  const print = given.has('json') ? (notice: Notice) => `${JSON.stringify(notice)}\n` : (notice: Notice) => lineOf(notice, order)
  const server = createServer(listener({ secrets, take: (notice) => context.out(print(notice)) }))
  await new Promise<void>((resolve, reject) =>
    server
      .once('error', (err: NodeJS.ErrnoException) =>
        reject(
          new CliError(
            1,
            err.code === 'EADDRINUSE' ? `TCP port ${l4Port} is in use: choose another with --port, or none for a free one` : err.message,
          ),
        ),
      )
      .listen(l4Port, '127.0.0.1', resolve),
  )
  context.err(`listening at http://127.0.0.1:${(server.address() as AddressInfo).port}/\n`)
  await fallen(context.signal)
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  return 0
}

interface NotifiedObject {
  readonly kind?: string
  readonly metadata?: { readonly namespace?: string; readonly name?: string; readonly uid?: string }
}

interface Whole extends NotifiedObject {
  readonly resource?: NotifiedObject
  readonly data?: NotifiedObject
  readonly resourceKind?: string
  readonly resourceName?: string
  readonly resourceId?: string
}

/** The object inside, whichever profile it came in: bare, as a SOL notification's resource, as a CloudEvent's content. */
function lineOf({ id, sequence, phase, body }: Notice, order: Order): string {
  const whole = body as Whole
  const { kind = '', metadata = {} } = whole.resource ?? whole.data ?? withoutObject(whole)
  const where = metadata.namespace === undefined ? '' : `${metadata.namespace}/`
  const again = order.see(metadata.uid ?? id, sequence) === 'repeat' ? '  (again)' : ''
  return `${String(sequence).padStart(3)} ${phase.padEnd(11)} ${kind} ${where}${metadata.name ?? ''}${again}\n`
}

/** A SOL notification may be SHORT. */
function withoutObject(whole: Whole): NotifiedObject {
  const { resourceKind: kind, resourceName: name, resourceId: uid } = whole
  return kind === undefined || name === undefined || uid === undefined ? whole : { kind, metadata: { name, uid } }
}
