// The data plane of an agent on the model of a kernel, in the order of the real one (agent/dataplanes/linux.ts): out of bridges before
// sources are let go, into bridges after they are guarded. Between any two of its requests its agent may end.
import type { Dataplane, NodeChange } from '../../../../../core/contracts/dataplane.ts'
import { LinkRefused } from '../../../../../core/errors.ts'
import { keyOf, linuxItemOf, type LinuxItem } from '../../../../../core/linux/linux-items.ts'
import { linuxRenderer } from '../../../../../core/linux/render.ts'
import { decidedBy, seenOf } from '../../../../../agent/dataplanes/linux/decided.ts'
import { isPolicy } from '../../../../../agent/dataplanes/linux/policies.ts'
import { elementsOf } from '../../../../../agent/dataplanes/linux/policy-elements.ts'
import { membersLast } from '../../../../../agent/dataplanes/linux/at-once.ts'
import { isDevice, isEntry } from '../../../../../agent/dataplanes/linux/requests.ts'
import type { Process } from '../../../process.ts'
import { following, wayTo } from '../way.ts'
import type { KernelModel } from './model.ts'

export function kernelPlane(model: KernelModel, node: string, process: Process): Dataplane<LinuxItem> {
  const way = (): Promise<void> => wayTo(model, process, () => new LinkRefused({ what: 'a request', reason: 'the machine ended' }))
  return {
    name: 'linux',
    renderer: linuxRenderer(model.options),
    async open() {
      await way()
      return { vxlan: true, routing: true, vlan: false, userspace: false }
    },
    async observe() {
      await way()
      return new Map(model.things.seen())
    },
    async parts() {
      await way()
      return seenOf(decidedBy([...model.things.all].filter(isPolicy).flatMap(elementsOf)))
    },
    async apply(change) {
      for (const request of requestsOf(change, model)) {
        await way()
        request()
      }
      await way()
    },
    itemOf: (key, text) => ({
      key,
      text,
      value: linuxItemOf(key, text),
      because: { rule: 'it was here', of: { kind: 'Node', name: node } },
    }),
    ...following(model.drift, process),
  }
}

const isOf =
  (...kinds: readonly LinuxItem['kind'][]) =>
  ({ kind }: LinuxItem): boolean =>
    kinds.includes(kind)
const isGuard = isOf('guarded', 'source', 'option', 'untagged', 'guest')
const isOfTraffic = isOf('limited', 'broadcast', 'marked', 'ruled')
const isTable = isOf('table', 'tunnels', 'policies', 'traffic', 'routes')

/** Those that have nothing to do are none. */
function requestsOf({ drop, put }: NodeChange<LinuxItem>, model: KernelModel): readonly (() => void)[] {
  const [drops, puts] = [drop.map(({ value }) => value), put.map(({ value }) => value)]
  const again = new Set(puts.map(keyOf))
  const dropping = (some: readonly LinuxItem[]): Request => [some, () => some.forEach((thing) => model.drop(thing))]
  const putting = (some: readonly LinuxItem[]): Request => [some, () => some.forEach((thing) => model.put(thing))]
  const both = (is: (thing: LinuxItem) => boolean): Request => {
    const [gone, come] = [drops.filter(is), puts.filter(is)]
    return [[...gone, ...come], () => (gone.forEach((thing) => model.drop(thing)), come.forEach((thing) => model.put(thing)))]
  }
  const guardsAndEntries = [...puts.filter(isGuard), ...membersLast(puts.filter(isEntry)).toReversed()]
  // A port that comes, without a device: one turn of a thread.
  if (drops.length === 0 && guardsAndEntries.length === puts.length) return [putting(guardsAndEntries)[1]]
  return [
    dropping(membersLast(drops.filter(isEntry)).filter((thing) => !again.has(keyOf(thing)))),
    dropping(drops.filter(isOf('router'))),
    dropping(drops.filter(isOf('gateway'))),
    both(isTable),
    both(isOf('known')),
    both(isGuard),
    putting(puts.filter(isOfTraffic)),
    both(isPolicy),
    dropping(drops.filter(isOfTraffic).filter((thing) => !again.has(keyOf(thing)))),
    dropping(drops.filter(isDevice)),
    putting(puts.filter(isDevice)),
    putting(membersLast(puts.filter(isEntry)).toReversed()),
    putting(puts.filter(isOf('router'))),
    putting(puts.filter(isOf('gateway'))),
  ].flatMap(([some, request]) => (some.length > 0 ? [request] : []))
}

type Request = readonly [of: readonly LinuxItem[], request: () => void]
