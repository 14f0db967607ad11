// Policies that select all Ports of a namespace: what they say is not done at a cloud, so that they close its Ports there, or leave them.
import { happeningKind } from '../happening.ts'

const tenants = ['a', 'b'] as const
const says = ['deny', 'allow', 'unsaid', 'gone'] as const

/** The second is before the first. */
export const closeCloudPorts = happeningKind<{
  readonly namespace: string
  readonly nth: number
  readonly onUnsupported: (typeof says)[number]
}>({
  name: 'close-cloud-ports',
  fault: false,
  weight: 0,
  draw: (dice) => ({ namespace: dice.pick(tenants), nth: dice.int(2), onUnsupported: dice.pick(says) }),
  run({ namespace, nth, onUnsupported }, { outside, site }) {
    const who = `operator:${namespace}`
    const ref = { kind: 'UnifiedNetworkPolicy', namespace, name: `closing-${nth}` } as const
    const spec = { podSelector: {}, priority: nth, ...((onUnsupported === 'deny' || onUnsupported === 'allow') && { onUnsupported }) }
    const isThere = site.truth.get(ref) !== undefined
    outside.spawn('close-cloud-ports', () => {
      if (onUnsupported === 'gone') return outside.remove(ref, who)
      if (isThere) return outside.edit(ref, who, (policy) => ({ ...policy, spec }))
      return outside.create({ kind: ref.kind, metadata: { namespace, name: ref.name }, spec }, who)
    })
  },
})
