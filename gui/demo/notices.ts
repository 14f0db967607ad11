// What the demo's Subscriptions are told, pulled while it plays: a browser is no receiver, and a Subscription without a sink keeps what it
// would be sent.
import { signal } from '@preact/signals'
import { demoSelector } from '../../examples/demo-steps.ts'
import { client, create, Refusal, taken } from '../contract/api.ts'

export interface DemoNotice {
  readonly id: string
  readonly what: string
  readonly sequence: number
  readonly phase: string
}
export const noticesOfDemo = signal<readonly DemoNotice[]>([])

const name = 'doppler'
const everyMs = 400
/** A minute more than it plays. They go with that. */
const keepSeconds = 120
/** By namespace: where its reading goes on. */
const cursors = new Map<string, string>()
let reading: AbortController | undefined

/** Its Subscription in a namespace; one that the demo has made there before is the same. */
export async function subscribe(namespace: string): Promise<void> {
  if (cursors.has(namespace)) return
  const [label = '', value = ''] = demoSelector.split('=')
  await create('Subscription', namespace, {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Subscription',
    metadata: { name, labels: { [label]: value } },
    spec: { keepSeconds },
  }).catch((err: unknown) => {
    if (!(err instanceof Refusal && err.status === 409)) throw err
  })
  cursors.set(namespace, '')
}

export const notices = {
  start(): void {
    notices.stop()
    noticesOfDemo.value = []
    cursors.clear()
    reading = new AbortController()
    void keepReading(reading.signal)
  },
  /** What was read stays until the next demo. */
  stop(): void {
    reading?.abort()
  },
}

async function keepReading(end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    for (const namespace of [...cursors.keys()]) await readOn(namespace, end)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}

/** A server that is away for a moment is asked again; a Subscription that is gone has no more to tell. */
async function readOn(namespace: string, end: AbortSignal): Promise<void> {
  const after = cursors.get(namespace) ?? ''
  try {
    const { items, next } = taken(
      await client.GET('/v1/namespaces/{namespace}/subscriptions/{name}/events', {
        params: { path: { namespace, name }, query: { ...(after !== '' && { after }) } },
        signal: end,
      }),
    )
    cursors.set(namespace, next)
    if (items.length > 0 && !end.aborted) noticesOfDemo.value = [...noticesOfDemo.value, ...items.map(shownOf)]
  } catch (err) {
    if (err instanceof Refusal && err.status === 404) cursors.delete(namespace)
  }
}

function shownOf({
  id,
  sequence,
  phase,
  event,
}: {
  readonly id: string
  readonly sequence: number
  readonly phase: string
  readonly event: object
}) {
  const { kind, metadata } = event as { readonly kind: string; readonly metadata: { readonly namespace?: string; readonly name: string } }
  return { id, sequence, phase, what: `${kind} ${metadata.namespace ?? ''}/${metadata.name}` }
}
