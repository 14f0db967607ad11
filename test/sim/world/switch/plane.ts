// The data plane of an agent on the model of Open vSwitch: our own items of our own renderer, each way to the switch and back in its time.
import type { Dataplane, NodeChange } from '../../../../core/contracts/dataplane.ts'
import { SwitchUnavailable } from '../../../../core/errors.ts'
import type { Item } from '../../../../core/node/item.ts'
import { switchRenderer } from '../../../../core/pipeline/compile.ts'
import { namedItem } from '../../../../core/pipeline/items.ts'
import type { PipelineSettings } from '../../../../core/pipeline/settings.ts'
import { sortedChange, withoutUncorrected, type SortedChange } from '../../../../core/pipeline/sorted-change.ts'
import { isPortKey, numberIn, type SwitchValue } from '../../../../core/pipeline/ovsdb/switch.ts'
import { nodeAddress } from '../../layout.ts'
import type { Process } from '../../process.ts'
import { following, wayTo } from '../planes/way.ts'
import type { SwitchModel } from './model.ts'
import { loggedIn } from './logged.ts'
import { bridge } from './names.ts'
import { shelved } from './shelf.ts'
import { tracedBy } from './trace.ts'

type Items = readonly Item<SwitchValue>[]

const settingsOf = (node: string, uplinks: PipelineSettings['uplinks']): PipelineSettings => ({
  node,
  bridge,
  datapath: 'system',
  tunnelAddress: nodeAddress(node),
  tunnelL4Port: 4789,
  uplinks,
})

/** What each node has whatever happens on it, worked out once: an agent asks for it at each comparison. */
const bases = new Map<string, Items>()
function baseOf(node: string, uplinks: PipelineSettings['uplinks']): Items {
  const named = `${node} ${Object.keys(uplinks).join(' ')}`
  const known = bases.get(named)
  if (known !== undefined) return known
  const made = switchRenderer(() => settingsOf(node, uplinks))
    .base()
    .map(({ key, text, value, because }) => ({ key, text, value, because }))
  bases.set(named, made)
  return made
}

export function switchPlane(model: SwitchModel, node: string, process: Process): Dataplane<SwitchValue> {
  const settings = settingsOf(node, model.uplinks)
  const because = { rule: 'it was here', of: { kind: 'Node', name: node } } as const
  return {
    name: 'ovs',
    renderer: { ...switchRenderer(() => settings), base: () => baseOf(node, model.uplinks) },
    async open() {
      await way(model, process)
      return Object.fromEntries(Object.keys(model.uplinks).map((physicalNetwork) => [`vlan:${physicalNetwork}`, true]))
    },
    async observe() {
      await way(model, process)
      return new Map(model.seen())
    },
    isOwn: isPortKey,
    async trace(port, frame) {
      await way(model, process)
      return tracedBy(model, port, frame)
    },
    onLogged(take) {
      const hear: Parameters<typeof model.listeners.add>[0] = (flow, frame) => {
        const packet = loggedIn(flow, frame)
        if (packet !== undefined) take(packet)
      }
      model.listeners.add(hear)
      process.onEnd(() => model.listeners.delete(hear))
    },
    apply: (change) => applied(change, model, process),
    itemOf(key, text) {
      const named = namedItem(key, because)
      if (named !== undefined) return { key, text, because, value: named.value }
      const [kind = '', name = ''] = key.split('/')
      if (kind === 'bridge') return { key, text, because, value: { kind: 'bridge', bridge: { name, datapath: settings.datapath } } }
      return {
        key,
        text,
        because,
        value: { kind: 'port', port: { bridge, name, type: '', options: {}, number: numberIn(text), vlan: undefined, uid: '' } },
      }
    },
    ...following(model.drift, process),
  }
}

/** @throws SwitchUnavailable where vswitchd ended meanwhile: it may have been done */
const way = (model: SwitchModel, process: Process): Promise<void> =>
  wayTo(model, process, () => new SwitchUnavailable({ bridge, reason: 'the connection was cut' }))

/** In the order of the real plane (agent/dataplanes/ovs.ts); of what that does at once any may be done before the others. */
async function applied(change: NodeChange<SwitchValue>, model: SwitchModel, process: Process): Promise<void> {
  const sorted = sortedChange(change)
  const { drop, corrected } = sorted
  await way(model, process)
  for (const item of change.put) if (item.value.kind === 'bridge') model.putBridge(item)
  const doing = async (task: () => void): Promise<void> => {
    await way(model, process)
    task()
  }
  const wrong =
    corrected.length === 0
      ? undefined
      : await doing(() => model.putPorts(corrected)).then(
          () => undefined,
          (err: unknown) => ({ problem: err }),
        )
  const runs = runsOf(change, wrong === undefined ? sorted : withoutUncorrected(sorted), model)
  const all = await Promise.allSettled(
    runs.map(async (steps) => {
      for (const step of steps) await doing(step)
    }),
  )
  for (const each of [...all, ...(wrong === undefined ? [] : [{ status: 'rejected' as const, reason: wrong.problem }])])
    if (each.status === 'rejected') throw each.reason
  for (const { name } of drop.bridges) model.dropBridge(name)
  await way(model, process)
}

/** What goes at once, and in each what goes one after the other. */
function runsOf(change: NodeChange<SwitchValue>, { put, drop, corrected }: SortedChange, model: SwitchModel): (() => void)[][] {
  const ports = put.ports.filter((port) => !corrected.includes(port))
  const again = new Set(change.put.map(({ key }) => key))
  const gone = change.drop.filter(({ key }) => !again.has(key))
  const queues = shelved(change.put, ['qos', 'queue'])
  const queuesGone = shelved(gone, ['qos', 'queue'])
  return [
    [...(ports.length > 0 ? [() => model.putPorts(ports)] : []), ...(queues.length > 0 ? [() => model.putOthers(queues)] : [])],
    drop.ports.length > 0 ? [() => model.dropPorts(drop.ports.map(({ name }) => name))] : [],
    queuesGone.length > 0 ? [() => model.dropOthers(queuesGone)] : [],
    ...flowRuns({ put, drop }, { used: shelved(change.put, ['group', 'meter']), unused: shelved(gone, ['group', 'meter']) }, model),
  ].filter((steps) => steps.length > 0)
}

interface Used {
  readonly used: ReturnType<typeof shelved>
  readonly unused: ReturnType<typeof shelved>
}

/** Groups and meters before the flows that use them, and gone after them. There is one bridge. */
function flowRuns({ put, drop }: Pick<SortedChange, 'put' | 'drop'>, { used, unused }: Used, model: SwitchModel): (() => void)[][] {
  const held = (item: Used['used'][number]): boolean =>
    item.value.kind === 'group' && !(put.groups.get(bridge) ?? []).includes(item.value.group)
  const ready = used.filter((item) => !held(item))
  const names = [...new Set([...drop.flows.keys(), ...put.flows.keys()])]
  const changes = names.map((name) => () => model.changeFlows(name, drop.flows.get(name) ?? [], put.flows.get(name) ?? []))
  return ready.length + unused.length === 0
    ? changes.map((each) => [each])
    : [
        [
          ...(ready.length > 0 ? [() => model.putOthers(ready)] : []),
          ...changes,
          ...(unused.length > 0 ? [() => model.dropOthers(unused)] : []),
        ],
      ]
}
