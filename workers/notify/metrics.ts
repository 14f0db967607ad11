// What is measured of notices on their way.
import type { Notifier } from '../../core/contracts/notifier.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { Clock } from '../../platform/clock.ts'
import type { MetricSet } from '../../platform/metrics/set.ts'

/** The same notifier, each sending timed. */
export function timedNotifier(notifier: Notifier, set: MetricSet, clock: Clock): Notifier {
  const took = set.histogram('megrez_delivery_seconds')
  return {
    async send(delivery, signal) {
      const began = clock.elapsed()
      let outcome = 'failed'
      try {
        const receipt = await notifier.send(delivery, signal)
        outcome = receipt.kind
        return receipt
      } finally {
        took({ outcome }, (clock.elapsed() - began) / 1000)
      }
    },
    close: () => notifier.close(),
  }
}

/** Takes how long after its change a notice was accepted. */
export function deliveryAges(set: MetricSet, clock: Clock): (notice: Resource<'Notice'>) => void {
  const age = set.histogram('megrez_delivery_age_seconds')
  return ({ spec }) => age({}, Math.max(0, clock.now() - Date.parse(spec.time)) / 1000)
}
