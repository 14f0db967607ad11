// A switch that speaks gNMI with OpenConfig's VLANs. What is ours stands on the switch: a VLAN of the network instance that bears our
// name. A list of VLANs can only be swapped whole, so it is read, changed by ours alone, written in one Set with all else of the
// batch, and read back. The last VLAN to leave takes the port's switched-vlan along: a trunk without a list carries every VLAN. VRFs are
// read where a port has a subinterface of ours, or is to have one: a router may have a lot to tell of its other network instances.
import {
  isRoute,
  type FabricDriver,
  type SwitchPortState,
  type SwitchState,
  type VlanChange,
} from '../../../core/contracts/fabric-driver.ts'
import { PeerRefused, SwitchOvertaken, SwitchRefused, SwitchUnreachable } from '../../../core/errors.ts'
import { readVlans, spell, type SwitchVlans, type VlanPort } from '../../../core/wire/gnmi/openconfig-vlans.ts'
import { readInstances, readSubinterfaces } from '../../../core/wire/gnmi/openconfig-vrfs.ts'
import type { GnmiSession } from './gnmi-session.ts'
import { joinedSets, markOf, planSet, tokenIn } from './gnmi-set.ts'
import { hasOurs, instancePath, isRouted, planVrfs, routedOn, type RouterState } from './gnmi-vrfs.ts'

export interface GnmiOptions {
  readonly owner: string
  readonly networkInstance: string
}
const absent: SwitchPortState = { ours: new Map(), others: new Set(), mode: 'absent' }
const instancesPath = '/network-instances'
const membersPaths = ['config', 'interfaces'].map((each) => `${instancesPath}/network-instance[name=*]/${each}`)
const vlansPath = (instance: string): string => `${instancePath(instance)}/vlans`

type SwitchRead = SwitchVlans & RouterState

export function gnmi(session: GnmiSession, { owner, networkInstance }: GnmiOptions): FabricDriver {
  const unknown = (what: string): Error =>
    new SwitchUnreachable({ target: session.target, reason: `it tells of no ${what}, as while it starts` })

  /** Without an interface, or without the network instance, nothing is known of what is open: that is no switch on which all is closed. */
  const read = async (signal: AbortSignal, { vrfs = false } = {}): Promise<SwitchRead> => {
    const [interfaces, vlans] = await Promise.all([session.get('/interfaces', signal), session.get(vlansPath(networkInstance), signal)])
    const there = readVlans(interfaces, vlans)
    if (there.ports.size === 0) throw unknown('interface')
    if (vlans === undefined && !(await session.has(instancePath(networkInstance), signal)))
      throw unknown(`network instance ${networkInstance}`)
    const subinterfaces = readSubinterfaces(interfaces)
    const isAsked = vrfs || hasOurs(subinterfaces, owner)
    const instances = readInstances(isAsked ? await session.get(instancesPath, signal) : undefined)
    return { ...there, subinterfaces, instances }
  }
  return {
    name: 'gnmi',
    async observe({ ports }, signal) {
      const there = await read(signal)
      const state = new Map<string, SwitchPortState>(ports.map((name) => [name, absent]))
      for (const [name, each] of there.ports) {
        const seen = portState(each, there, owner)
        const routed = routedOn(name, there, owner)
        if (state.has(name) || seen.ours.size + routed.size > 0) state.set(name, { ...seen, ...(routed.size > 0 && { routed }) })
      }
      return state satisfies SwitchState
    },
    async apply({ changes }, signal) {
      const routes = changes.filter(isRoute)
      const vlans = changes.filter((change) => !isRoute(change))
      const there = await read(signal, { vrfs: routes.length > 0 })
      const { encoding } = await session.capabilities(signal)
      const options = { owner, target: session.target, encoding }
      const set = joinedSets([
        planSet(there, vlans, { ...options, vlansPath: vlansPath(networkInstance) }),
        planVrfs(there, routes, options),
      ])
      if (set === undefined) return
      await session.set(set, signal).catch((err: unknown) => {
        throw err instanceof PeerRefused ? new SwitchRefused({ target: session.target, reason: err.message, cause: err }) : err
      })
      const after = await read(signal, { vrfs: routes.length > 0 })
      if (!vlans.every((change) => isDone(change, after, owner)) || !routes.every((change) => isRouted(change, after, owner)))
        throw new SwitchOvertaken({ target: session.target })
    },
    onDrift(wake) {
      // Each by itself: a target that takes no wildcards still tells of its ports.
      const stops = [['/interfaces', vlansPath(networkInstance)], membersPaths].map((paths) => session.subscribe(paths, wake))
      return () => stops.forEach((stop) => stop())
    },
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
