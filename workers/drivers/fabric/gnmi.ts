// A switch that speaks gNMI with OpenConfig's VLANs. What is ours stands on the switch: a VLAN of the network instance that bears our
// name. A list of VLANs can only be swapped whole, so it is read, changed by ours alone, written in one Set with all else of the
// batch, and read back. The last VLAN to leave takes the port's switched-vlan along: a trunk without a list carries every VLAN.
import type { FabricDriver, SwitchPortState, SwitchState, VlanChange } from '../../../core/contracts/fabric-driver.ts'
import { PeerRefused, SwitchOvertaken, SwitchRefused, SwitchUnreachable } from '../../../core/errors.ts'
import { readVlans, spell, type SwitchVlans, type VlanPort } from '../../../core/wire/gnmi/openconfig-vlans.ts'
import type { GnmiSession } from './gnmi-session.ts'
import { markOf, planSet, tokenIn } from './gnmi-set.ts'

export interface GnmiOptions {
  readonly owner: string
  readonly networkInstance: string
}
const absent: SwitchPortState = { ours: new Map(), others: new Set(), mode: 'absent' }
const instancePath = (instance: string): string => `/network-instances/network-instance[name=${instance}]`
const vlansPath = (instance: string): string => `${instancePath(instance)}/vlans`

export function gnmi(session: GnmiSession, { owner, networkInstance }: GnmiOptions): FabricDriver {
  const unknown = (what: string): Error =>
    new SwitchUnreachable({ target: session.target, reason: `it tells of no ${what}, as while it starts` })

  /** Without an interface, or without the network instance, nothing is known of what is open: that is no switch on which all is closed. */
  const read = async (signal: AbortSignal): Promise<SwitchVlans> => {
    const [interfaces, vlans] = await Promise.all([session.get('/interfaces', signal), session.get(vlansPath(networkInstance), signal)])
    const there = readVlans(interfaces, vlans)
    if (there.ports.size === 0) throw unknown('interface')
    if (vlans === undefined && !(await session.has(instancePath(networkInstance), signal)))
      throw unknown(`network instance ${networkInstance}`)
    return there
  }
  return {
    name: 'gnmi',
    async observe({ ports }, signal) {
      const there = await read(signal)
      const state = new Map<string, SwitchPortState>(ports.map((name) => [name, absent]))
      for (const [name, each] of there.ports) {
        const seen = portState(each, there, owner)
        if (state.has(name) || seen.ours.size > 0) state.set(name, seen)
      }
      return state satisfies SwitchState
    },
    async apply({ changes }, signal) {
      const there = await read(signal)
      const set = planSet(there, changes, {
        owner,
        vlansPath: vlansPath(networkInstance),
        target: session.target,
        encoding: (await session.capabilities(signal)).encoding,
      })
      if (set === undefined) return
      await session.set(set, signal).catch((err: unknown) => {
        throw err instanceof PeerRefused ? new SwitchRefused({ target: session.target, reason: err.message, cause: err }) : err
      })
      const after = await read(signal)
      if (!changes.every((change) => isDone(change, after, owner))) throw new SwitchOvertaken({ target: session.target })
    },
    onDrift: (wake) => session.subscribe(['/interfaces', vlansPath(networkInstance)], wake),
    close: () => Promise.resolve(session.close()),
  }
}

/** Ours: listed by number, and the VLAN of that number bears our mark. */
function portState({ mode, entries, native }: VlanPort, { names }: SwitchVlans, owner: string): SwitchPortState {
  const numbers = new Set(entries.filter((entry) => typeof entry === 'number'))
  const carried = spell(entries)
  const ours = new Map(
    [...carried].flatMap((vlan) => {
      const token = numbers.has(vlan) ? tokenIn(names.get(vlan), owner) : undefined
      return token === undefined ? [] : [[vlan, token] as const]
    }),
  )
  const others = new Set([...carried].filter((vlan) => !ours.has(vlan) && vlan !== native))
  if (mode === 'ACCESS') return { ours, others, mode: 'access' }
  if (mode === undefined) return { ours, others, mode: 'closed' }
  return { ours, others, mode: entries.length === 0 ? 'unrestricted' : ours.size + others.size === 0 ? 'closed' : 'trunk' }
}

function isDone({ do: what, on, vlan, of }: VlanChange, { ports, names }: SwitchVlans, owner: string): boolean {
  const entries = ports.get(on)?.entries ?? []
  if (what === 'open') return ports.get(on) === undefined || spell(entries).has(vlan)
  return names.get(vlan) !== markOf(owner, of) || !entries.includes(vlan)
}
