// OpenStack's trunks as switch ports, where the nodes are VMs: a VLAN is a sub-port of the trunk of a VM, on the network of that VLAN.
// A VLAN is a number of one physical network, so what counts is the network that a sub-port is on, not the number it is tagged with. Ours
// are the ports with our mark. Neutron has no transaction over several trunks: a batch is one request for each trunk.
import type { FabricDriver, SwitchPortState, SwitchState, VlanChange } from '../../../core/contracts/fabric-driver.ts'
import { SwitchOvertaken, SwitchRefused } from '../../../core/errors.ts'
import { parseVlan, type VlanId } from '../../../core/net/segment.ts'
import type { NeutronApi } from './neutron-api.ts'
import { observed, trunksOf, type NeutronPort, type NeutronView, type SubPort, type Trunk } from './neutron-seen.ts'
import { vlansAlone } from './vlans-alone.ts'

export interface NeutronTrunkOptions {
  readonly owner: string
  /** Whose VLANs: provider:physical_network; absent: any, as long as one network alone has the number. */
  readonly physicalNetwork?: string | undefined
}

const nameOf = (owner: string, { on, vlan, of }: Pick<VlanChange, 'on' | 'vlan' | 'of'>): string => `${owner}:${of}:${vlan}:${on}`
/** The token, the VLAN and the trunk, as it was asked for, in a port's name. */
function inName(name: string): { readonly of: string; readonly vlan: VlanId | undefined; readonly on: string } {
  const [, of = '', vlan, ...on] = name.split(':')
  return { of, vlan: parseVlan(Number(vlan)), on: on.join(':') }
}

export function neutronTrunk(api: NeutronApi, { owner, physicalNetwork }: NeutronTrunkOptions): FabricDriver {
  const mark = `VLAN of ${owner}`
  const where = physicalNetwork === undefined ? '' : ` of physical network ${physicalNetwork}`
  const observe = (signal: AbortSignal): Promise<NeutronView> => observed(api, { mark, physicalNetwork }, signal)
  const overtaken = (): Error => new SwitchOvertaken({ target: api.target })
  const refused = (reason: string): Error => new SwitchRefused({ target: api.target, reason })

  function networkOf(vlan: VlanId, { networksOf }: NeutronView): string {
    const [network, other] = networksOf(vlan)
    if (network === undefined) throw refused(`there is no network with VLAN ${vlan}${where}`)
    if (other !== undefined)
      throw refused(`networks ${network} and ${other} both have VLAN ${vlan}: the switch's physicalNetwork must say which is meant`)
    return network
  }

  /** What has its number in the trunk, and leads into another network. */
  const foreignIn = (trunk: Trunk | undefined, { vlan }: VlanChange, seen: NeutronView): SubPort | undefined =>
    trunk?.sub_ports.find((each) => each.segmentation_id === vlan && !seen.leadsTo(each, vlan))

  /** Trunks and ports are read one after the other, so what a rival changes meanwhile looks like that too: it is looked at once more. */
  async function refuseForeign(trunk: Trunk, change: VlanChange, signal: AbortSignal): Promise<never> {
    const seen = await observe(signal)
    const there = foreignIn(
      seen.trunks.find(({ id }) => id === trunk.id),
      change,
      seen,
    )
    if (there === undefined) throw overtaken()
    const { vlan } = change
    throw refused(`trunk ${trunk.id} has VLAN ${vlan} by port ${there.port_id}, which is not on the network with VLAN ${vlan}${where}`)
  }

  async function portFor(change: VlanChange, seen: NeutronView, signal: AbortSignal): Promise<NeutronPort> {
    const name = nameOf(owner, change)
    const network = networkOf(change.vlan, seen)
    // A port that was made before a crash is used, whoever made it.
    const there = seen.mine.find((each) => each.name === name && each.network_id === network)
    return (
      there ??
      (
        await api.call<{ port: NeutronPort }>('POST', '/v2.0/ports', {
          signal,
          body: { port: { network_id: network, name, description: mark } },
        })
      ).port
    )
  }

  /** @returns false where a rival has put it into a trunk since it was seen */
  async function remove(id: string, signal: AbortSignal): Promise<boolean> {
    const path = `/v2.0/ports/${id}`
    const answer = await api.send('DELETE', path, { signal })
    if (answer.status === 409) return false
    if (answer.status !== 404) api.check(answer, path)
    return true
  }

  async function open(trunk: Trunk, changes: readonly VlanChange[], seen: NeutronView, signal: AbortSignal): Promise<void> {
    for (const { vlan } of changes) networkOf(vlan, seen)
    const amiss = changes.find((change) => foreignIn(trunk, change, seen) !== undefined)
    if (amiss !== undefined) await refuseForeign(trunk, amiss, signal)
    const missing = changes.filter(({ vlan }) => !trunk.sub_ports.some((each) => each.segmentation_id === vlan))
    if (missing.length === 0) return
    const made: (readonly [VlanChange, NeutronPort])[] = []
    for (const change of missing) made.push([change, await portFor(change, seen, signal)])
    const sub = made.map(([{ vlan }, { id }]) => ({ port_id: id, segmentation_type: 'vlan', segmentation_id: vlan }))
    const answer = await api.send('PUT', `/v2.0/trunks/${trunk.id}/add_subports`, { signal, body: { sub_ports: sub } })
    // A rival has put one of them into the trunk, maybe by a port that we have made, or has taken one of the ports away.
    if (answer.status === 404 || answer.status === 409) {
      for (const [, { id }] of made) if (!seen.mine.some((each) => each.id === id)) await remove(id, signal)
      throw overtaken()
    }
    api.check(answer, `trunk ${trunk.id}`)
  }

  /** Taken out of the trunk that has it, whatever that is called by now. */
  async function close(changes: readonly VlanChange[], { mine, trunks, leadsTo }: NeutronView, signal: AbortSignal): Promise<void> {
    const names = new Map(changes.map((change) => [nameOf(owner, change), change.vlan]))
    const going = mine.filter(({ id, name }) => names.has(name) && leadsTo({ port_id: id }, names.get(name)!))
    for (const trunk of trunks) {
      const joined = going.filter(({ id }) => trunk.sub_ports.some((each) => each.port_id === id))
      if (joined.length === 0) continue
      const answer = await api.send('PUT', `/v2.0/trunks/${trunk.id}/remove_subports`, {
        signal,
        body: { sub_ports: joined.map(({ id }) => ({ port_id: id })) },
      })
      // A rival has taken one of them away: what is left is seen when it is observed next.
      if (answer.status === 404 || answer.status === 409) throw overtaken()
      api.check(answer, `trunk ${trunk.id}`)
    }
    for (const { id } of going) if (!(await remove(id, signal))) throw overtaken()
  }

  return {
    name: 'neutron-trunk',
    async observe({ ports }, signal) {
      const seen = await observe(signal)
      const [ours, left] = [oursIn(seen), leftIn(seen)]
      return new Map(
        [...new Set([...ports, ...ours.keys(), ...left.keys()])].map((on) => [
          on,
          { ...portState(trunksOf(seen, on), seen, ours.get(on) ?? new Map<VlanId, string>()), left: left.get(on) ?? new Map() },
        ]),
      ) satisfies SwitchState
    },
    async apply({ changes }, signal) {
      const vlans = vlansAlone(changes, { driver: 'neutron-trunk', target: api.target })
      const seen = await observe(signal)
      for (const [on, mine] of Map.groupBy(vlans, (change) => change.on)) {
        const [trunk, namesake] = trunksOf(seen, on)
        const opens = mine.filter((change) => change.do === 'open')
        if (namesake !== undefined && opens.length > 0)
          throw refused(`trunks ${trunk!.id} and ${namesake.id} are both named ${on}: it must be named by its id`)
        if (trunk !== undefined) await open(trunk, opens, seen, signal)
        await close(
          mine.filter((change) => change.do === 'close'),
          seen,
          signal,
        )
      }
    },
    close: () => api.close(),
  }
}

/** VLANs with their tokens, by the trunk as it was asked for when they were opened. */
type VlansByTrunk = ReadonlyMap<string, ReadonlyMap<VlanId, string>>

function oursIn({ trunks, mine, leadsTo }: NeutronView): VlansByTrunk {
  const names = new Map(mine.map(({ id, name }) => [id, name]))
  return byTrunk(
    trunks
      .flatMap((trunk) => trunk.sub_ports)
      .flatMap((each) => {
        const [vlan, name] = [parseVlan(each.segmentation_id), names.get(each.port_id)]
        return vlan === undefined || name === undefined || !leadsTo(each, vlan) ? [] : [{ ...inName(name), vlan }]
      }),
  )
}

/** Ports of ours in no trunk: whoever made or removed them was killed before it had put them there, or had deleted them. */
function leftIn({ trunks, mine, leadsTo }: NeutronView): VlansByTrunk {
  const joined = new Set(trunks.flatMap((trunk) => trunk.sub_ports.map(({ port_id: id }) => id)))
  return byTrunk(
    mine.flatMap(({ id, name }) => {
      const { of, vlan, on } = inName(name)
      return joined.has(id) || vlan === undefined || !leadsTo({ port_id: id }, vlan) ? [] : [{ of, vlan, on }]
    }),
  )
}

const byTrunk = (all: readonly Pick<VlanChange, 'of' | 'vlan' | 'on'>[]): VlansByTrunk =>
  new Map([...Map.groupBy(all, ({ on }) => on)].map(([on, mine]) => [on, new Map(mine.map(({ vlan, of }) => [vlan, of]))]))

/** One of two trunks of one name is as good as none; what is ours there is still reported. */
function portState(
  [trunk, namesake]: readonly Trunk[],
  { leadsTo, networksOf }: NeutronView,
  ours: ReadonlyMap<VlanId, string>,
): SwitchPortState {
  if (trunk === undefined || namesake !== undefined) return { ours, others: new Set(), mode: 'absent' }
  const others = new Set<VlanId>()
  for (const each of trunk.sub_ports) {
    const vlan = parseVlan(each.segmentation_id)
    if (vlan !== undefined && !ours.has(vlan) && networksOf(vlan).length === 1 && leadsTo(each, vlan)) others.add(vlan)
  }
  return { ours, others, mode: trunk.sub_ports.length === 0 ? 'closed' : 'trunk' }
}
