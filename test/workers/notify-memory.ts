// Receivers in memory, for whoever tests what is told and not how it travels. URLs are `memory:` and a behaviour.
import type { Delivery, Notifier, Receipt } from '../../core/contracts/notifier.ts'

export class MemoryNotifier implements Notifier {
  readonly received: Delivery[] = []

  send(delivery: Delivery, signal: AbortSignal): Promise<Receipt> {
    const behaviour = delivery.url.slice('memory:'.length)
    if (signal.aborted) return Promise.resolve({ kind: 'slow', reason: 'ended' })
    if (behaviour === 'forbidden') return Promise.resolve({ kind: 'forbidden', reason: 'memory' })
    if (behaviour === 'down') return Promise.resolve({ kind: 'unreachable', reason: 'memory' })
    this.received.push(delivery)
    if (behaviour === 'breaks') return Promise.resolve({ kind: 'slow', reason: 'memory' })
    if (behaviour === 'hangs')
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve({ kind: 'slow', reason: 'ended' })))
    const status = Number(behaviour)
    return Promise.resolve({ kind: status >= 200 && status < 300 ? 'accepted' : 'refused', status })
  }

  close(): Promise<void> {
    return Promise.resolve()
  }
}
