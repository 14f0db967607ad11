// Receivers in memory, for whoever tests what is told and not how it travels. URLs are `memory:` and a behaviour.
import type { Delivery, Notifier, Receipt } from '../../core/contracts/notifier.ts'

export class MemoryNotifier implements Notifier {
  readonly received: Delivery[] = []

  send(delivery: Delivery, signal: AbortSignal): Promise<Receipt> {
    const behaviour = delivery.url.slice('memory:'.length)
    if (signal.aborted) return Promise.resolve({ say: 'slow', reason: 'ended' })
    if (behaviour === 'forbidden') return Promise.resolve({ say: 'forbidden', reason: 'memory' })
    if (behaviour === 'down') return Promise.resolve({ say: 'unreachable', reason: 'memory' })
    this.received.push(delivery)
    if (behaviour === 'breaks') return Promise.resolve({ say: 'slow', reason: 'memory' })
    if (behaviour === 'hangs')
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ say: 'slow', reason: 'ended' })))
    const status = Number(behaviour)
    return Promise.resolve({ say: status >= 200 && status < 300 ? 'accepted' : 'refused', status })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
