// A Subscription: begun, paused and resumed, ended.
import { happeningKind } from '../happening.ts'
import { eventSinks, namespaces, subscriptionNames } from '../layout.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
export const subscribe = happeningKind<Named & { readonly sink: string; readonly merge: boolean; readonly kinds?: string[] }>({
  name: 'subscribe',
  fault: false,
  weight: 4,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.mostly(subscriptionNames),
    sink: dice.pick(eventSinks),
    merge: dice.chance(0.3),
    ...(dice.chance(0.5) && { kinds: [dice.pick(['Port', 'Subnet', 'Pod'])] }),
  }),
  run({ namespace, name, sink, merge, kinds }, { outside }) {
    const spec = { sink, merge, ...(kinds !== undefined && { filter: { kinds } }) }
    outside.spawn('subscribe', () => outside.create({ kind: 'Subscription', metadata: { namespace, name }, spec }, `operator:${namespace}`))
  },
})

export const pauseSubscription = happeningKind<Named & { readonly paused: boolean }>({
  name: 'pause-subscription',
  fault: false,
  weight: 2,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(subscriptionNames), paused: dice.chance(0.5) }),
  run({ namespace, name, paused }, { outside }) {
    outside.spawn('pause-subscription', () =>
      outside.edit({ kind: 'Subscription', namespace, name }, `operator:${namespace}`, (item) => ({
        ...item,
        spec: { ...item.spec, paused },
      })),
    )
  },
})

export const unsubscribe = happeningKind<Named>({
  name: 'unsubscribe',
  fault: false,
  weight: 2,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(subscriptionNames) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('unsubscribe', () => outside.remove({ kind: 'Subscription', namespace, name }, `operator:${namespace}`)),
})
