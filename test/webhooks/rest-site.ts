// REST, workers and dispatcher on one store, and a receiver that they may tell.
import { openReceiver, type Answer, type Receiver } from '../workers/notify-receiver.ts'
import { openSubscriptionCluster, type SubscriptionCluster } from '../workers/subscriptions-test-cluster.ts'
import { ask, openHarness, type Harness } from './rest-harness.ts'

export interface Site {
  readonly rest: Harness
  readonly whole: SubscriptionCluster
  readonly receiver: Receiver
  /** With an admin's token, over REST. */
  call(line: string, more?: Parameters<Harness['ask']>[1]): ReturnType<Harness['ask']>
}

/** @param publicUrl where REST is said to be for those outside */
export async function using(run: (site: Site) => Promise<void>, answer: Answer = () => 204, publicUrl?: string): Promise<void> {
  const receiver = await openReceiver({ answer })
  const rest = await openHarness((store) => store, undefined, 100, { callbackAllow: ['127.0.0.0/8'], callbackHttp: true })
  const whole = await openSubscriptionCluster({ store: rest.store, config: { publicUrl } })
  const app = rest.another({ testWaitMs: 20_000, publicUrl })
  try {
    await run({ rest, whole, receiver, call: (line, more) => ask(app, rest.token, line, more) })
  } finally {
    await app.close()
    await whole.close()
    await rest.close()
    await receiver.close()
  }
}
