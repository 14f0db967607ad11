import { realClock } from '../../platform/clock.ts'
import { NamespaceSecrets } from '../../platform/signing.ts'
import { HttpNotifier } from '../../workers/notify/send/http.ts'
import { notifierLaws } from '../laws/notifier.ts'
import { MemoryNotifier } from './notify-memory.ts'
import { openReceiver } from './notify-receiver.ts'

notifierLaws('memory', () => {
  const notifier = new MemoryNotifier()
  return Promise.resolve({
    notifier,
    urlOf: (behaviour) => `memory:${behaviour}`,
    received: () => notifier.received.map(({ url: _, ...delivery }) => delivery),
    end: () => Promise.resolve(),
  })
})

notifierLaws('HTTP', async () => {
  const down = await openReceiver()
  await down.close()
  const receiver = await openReceiver({
    answer({ path }, response) {
      const behaviour = path.slice(1)
      if (behaviour === 'breaks') response.socket?.destroy()
      return Number.isNaN(Number(behaviour)) ? undefined : Number(behaviour)
    },
  })
  const base = receiver.url.replace('/told', '')
  const notifier = new HttpNotifier({
    settings: { callbackAllow: ['127.0.0.1/32'], callbackHttp: true },
    timeoutMs: 10_000,
    secrets: new NamespaceSecrets([], false),
    clock: realClock,
    random: Math.random,
  })
  return {
    notifier,
    urlOf: (behaviour) => (behaviour === 'down' ? down.url : behaviour === 'forbidden' ? 'https://10.0.0.1/' : `${base}/${behaviour}`),
    received: () =>
      receiver.heard.map(({ headers, body, sequence }) => ({ id: headers['webhook-id'] ?? '', sequence, phase: 'ready', body })),
    end: () => receiver.close(),
  }
})
