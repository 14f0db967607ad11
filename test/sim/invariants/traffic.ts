// How much a Port may send and get is what its policy says, once all is at rest: meters of its node's switch, of each Port that is wired
// there, is in a network and is not closed, and no others.
import { type Resource } from '../../../core/kinds/index.ts'
import type { RuleSetSpec } from '../../../core/kinds/policy/policy-rule-set.ts'
import { portMeter } from '../../../core/pipeline/policy/meter-numbers.ts'
import type { Invariant } from '../invariant.ts'
import type { Machine } from '../world/machines.ts'
import { SwitchModel } from '../world/switch/model.ts'
import type { Truth } from '../truth.ts'

export const traffic: Invariant = {
  name: 'traffic',
  begin: ({ site: { truth }, machines }, fail) => ({
    atRest() {
      for (const machine of machines.all.values()) {
        if (machine.plane.name !== 'ovs' || !machine.plane.up) continue
        const [has, wanted] = [[...ratesOn(machine)].sort(), [...ratesFor(machine, truth)].sort()]
        if (has.join() !== wanted.join())
          fail(`${machine.name} limits ${has.join(' ') || 'nothing'}, and is to limit ${wanted.join(' ') || 'nothing'}`)
      }
    },
  }),
}

/** What a VNI carries to all has meters above these. */
const [firstPortMeter, lastPortMeter] = [portMeter(0, 0), portMeter(60_000, 1)]

/** `NUMBER sends KILOBITS`, of a port's number. */
function* ratesOn({ plane }: Machine): Generator<string> {
  for (const [key, text] of plane.seen()) {
    const id = Number(/^meter\/[^/]+\/(\d+)$/.exec(key)?.[1])
    const nth = id - firstPortMeter
    if (!(nth >= 0) || id > lastPortMeter) continue
    yield `${nth >> 1} ${nth % 2 === 0 ? 'sends' : 'gets'} ${/rate=(\d+)/.exec(text)?.[1]}`
  }
}

function* ratesFor({ name: machine, links, plane }: Machine, truth: Truth): Generator<string> {
  const uplinks = plane instanceof SwitchModel ? plane.uplinks : {}
  for (const { port } of links.there.values()) {
    // Of a Vpc that is a VLAN which no interface of this node leads to: it is in no network, and its node says so.
    if (port.attachment.kind === 'vlan' && !Object.hasOwn(uplinks, port.attachment.physicalNetwork)) continue
    const item = [...truth.values('Port')].find(({ metadata }) => metadata.uid === port.uid)
    const { maxEgress, maxIngress } = (item && trafficOf(item, machine, truth)) ?? {}
    if (maxEgress !== undefined) yield `${port.number} sends ${maxEgress / 1_000}`
    if (maxIngress !== undefined) yield `${port.number} gets ${maxIngress / 1_000}`
  }
}

/** What its policy says, where its rules are there: of one that is closed nothing. */
export function trafficOf(port: Resource<'Port'>, machine: string, truth: Truth): RuleSetSpec['traffic'] {
  // A TAP that waits for a VM is not in the data plane yet.
  if (port.spec.node !== machine) return undefined
  const { identity = 0, ruleSets = [] } = port.status?.policy ?? {}
  const sets = ruleSets.map((name) => [...truth.values('PolicyRuleSet')].find(({ metadata }) => metadata.name === name)?.spec)
  // Of one that is missing it is closed.
  if (sets.some((set) => set === undefined || (set.audit !== true && !set.subjects.includes(identity)))) return undefined
  return sets.find((set) => set?.traffic !== undefined && set.audit !== true)?.traffic
}
