// The data plane of an agent on the model of bessd, in the order of the real one (agent/dataplanes/bess/change.ts): a pause, what goes from
// the rules down to the ports, what comes from the ports up, and on. Killed in between, it leaves bessd paused, as the real one does.
import type { Dataplane, NodeChange } from '../../../../../core/contracts/dataplane.ts'
import { PeerRefused, PeerUnavailable } from '../../../../../core/errors.ts'
import {
  copyOfKey,
  type Element,
  type GraphItem,
  type LimitElement,
  type ModuleElement,
  type PortElement,
  type RuleElement,
} from '../../../../../core/graph/elements.ts'
import { graphRenderer } from '../../../../../core/graph/renderer.ts'
import type { Process } from '../../../process.ts'
import { following, wayTo } from '../way.ts'
import type { GraphModel } from './model.ts'

const target = 'bessd'

/** What each node has whatever happens on it, worked out once: an agent asks for it at each comparison. */
const bases = new Map<string, readonly GraphItem[]>()

export function graphPlane(model: GraphModel, node: string, process: Process): Dataplane<Element> {
  const renderer = graphRenderer(model.options)
  const base = bases.get(node) ?? renderer.base()
  bases.set(node, base)
  const way = (): Promise<void> =>
    wayTo(model, process, () => new PeerUnavailable({ target, method: 'any', reason: 'the connection was cut' }))
  return {
    name: 'bess',
    renderer: { ...renderer, base: () => base },
    async open() {
      await way()
      return { bess: 'model', userspace: true, vxlan: true, ct: false, meters: false, nd: false }
    },
    async observe() {
      await way()
      return new Map(model.graph.seen())
    },
    async apply(change) {
      refuseCopies(change.put.map(({ key }) => key))
      await way()
      model.pause(process.scheduler.now)
      try {
        for (const step of stepsOf(change, model)) {
          await way()
          step()
        }
      } finally {
        // Half a change is resumed too.
        await way().then(
          () => model.resume(process.scheduler.now),
          () => undefined,
        )
      }
    },
    itemOf: (key, text) => ({
      key,
      text,
      value: { kind: 'gone', key },
      because: { rule: 'it was here', of: { kind: 'Node', name: node } },
    }),
    ...following(model.drift, process),
  }
}

/** Each of them is done as a whole; between them whoever makes the change may end. */
function stepsOf({ drop, put }: NodeChange<Element>, model: GraphModel): readonly (() => void)[] {
  const { graph } = model
  const again = new Set(put.map(({ key }) => key))
  const gone = (kind: string): readonly string[] => drop.flatMap(({ key }) => (!again.has(key) && key.startsWith(`${kind}/`) ? [key] : []))
  const roles = (kind: string): readonly string[] => gone(kind).map((key) => key.slice(kind.length + 1))
  const made = put.map(({ value }) => value)
  return [
    () => gone('rule').forEach((key) => graph.dropRule(key)),
    () => {
      roles('limit').forEach((role) => graph.limits.delete(role))
      roles('module').forEach((role) => graph.dropModule(role))
      roles('port').forEach((role) => graph.ports.delete(role))
    },
    () => made.filter(isPort).forEach((port) => makePort(port, model)),
    () => made.filter(isModule).forEach((module) => graph.putModule(module)),
    () => made.filter(isLimit).forEach(({ role, bitsPerSecond }) => graph.limits.set(role, bitsPerSecond)),
    () => made.filter(isRule).forEach((rule) => graph.putRule(rule)),
  ]
}

const isPort = (element: Element): element is PortElement => element.kind === 'port'
const isModule = (element: Element): element is ModuleElement => element.kind === 'module'
const isLimit = (element: Element): element is LimitElement => element.kind === 'limit'
const isRule = (element: Element): element is RuleElement => element.kind === 'rule'

/** One that is there as it is wanted stays as it is. @throws PeerRefused where there is no such interface */
function makePort({ role, vdev }: PortElement, model: GraphModel): void {
  const { graph } = model
  if (graph.ports.get(role)?.vdev === vdev) return
  const ifcName = /^kernel,iface=(.+)$/.exec(vdev)?.[1]
  if (ifcName !== undefined && !model.hasLink(ifcName))
    throw new PeerRefused({ target, method: 'CreatePort', reason: `errno 19, there is no ${ifcName}` })
  graph.ports.set(role, { vdev, link: ifcName === undefined ? 0 : model.linkOf(ifcName) })
}

/** @throws TypeError for what the simulation does not do: physical networks have copies, and it has none of these */
function refuseCopies(keys: Iterable<string>): void {
  for (const key of keys)
    if (copyOfKey(key) !== undefined) throw new TypeError(`the model of bessd has no open Replicate, and ${key} is for one`)
}
