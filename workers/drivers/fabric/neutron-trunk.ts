// OpenStack's trunks as switch ports, where the nodes are VMs: a VLAN is a sub-port of the trunk of a VM, on the network with that
// VLAN. Ours are the ports with our mark. Neutron has no transaction over several trunks: a batch is one request for each trunk.
import type { FabricDriver, SwitchPortState, SwitchState, VlanChange } from '../../../core/contracts/fabric-driver.ts'
import { SwitchOvertaken, SwitchRefused } from '../../../core/errors.ts'
import { parseVlan, type VlanId } from '../../../core/net/segment.ts'
import type { NeutronApi } from './neutron-api.ts'

interface SubPort {
  readonly port_id: string
  readonly segmentation_type: string
  readonly segmentation_id: number
}
interface Trunk {
  readonly id: string
  readonly name: string
  readonly sub_ports: readonly SubPort[]
}
interface NeutronPort {
  readonly id: string
  readonly name: string
}
interface Seen {
  /** By name and by id. */
  readonly trunks: ReadonlyMap<string, Trunk>
  /** Ours, by id. */
  readonly ports: ReadonlyMap<string, NeutronPort>
}

const nameOf = (owner: string, { on, vlan, of }: Pick<VlanChange, 'on' | 'vlan' | 'of'>): string => `${owner}:${of}:${vlan}:${on}`
/** The token in a port's name. */
const tokenOf = (name: string): string => name.split(':')[1] ?? ''

export function neutronTrunk(api: NeutronApi, { owner }: { readonly owner: string }): FabricDriver {
  const mark = `VLAN of ${owner}`

  async function look(signal: AbortSignal): Promise<Seen> {
    const [{ trunks }, { ports }] = await Promise.all([
      api.call<{ trunks: readonly Trunk[] }>('GET', '/v2.0/trunks', { signal }),
      api.call<{ ports: readonly NeutronPort[] }>('GET', `/v2.0/ports?description=${encodeURIComponent(mark)}&fields=id&fields=name`, { signal }),
    ])
    return { trunks: new Map(trunks.flatMap((each) => [[each.id, each], [each.name, each]] as const)), ports: new Map(ports.map((each) => [each.id, each])) }
  }

  async function networkOf(vlan: VlanId, signal: AbortSignal): Promise<string> {
    const { networks } = await api.call<{ networks: readonly { readonly id: string }[] }>('GET', `/v2.0/networks?provider:network_type=vlan&provider:segmentation_id=${vlan}&fields=id`, { signal })
    const [network] = networks
    if (network === undefined) throw new SwitchRefused({ target: api.target, reason: `there is no network with VLAN ${vlan}` })
    return network.id
  }

  async function open(trunk: Trunk, changes: readonly VlanChange[], { ports }: Seen, signal: AbortSignal): Promise<void> {
    const missing = changes.filter(({ vlan }) => !trunk.sub_ports.some((each) => each.segmentation_id === vlan))
    if (missing.length === 0) return
    const byName = new Map([...ports.values()].map((each) => [each.name, each]))
    // A port that was made before a crash is used, whoever made it.
    const made: (readonly [VlanChange, NeutronPort])[] = []
    for (const change of missing) {
      const name = nameOf(owner, change)
      const there = byName.get(name) ?? (await api.call<{ port: NeutronPort }>('POST', '/v2.0/ports', { signal, body: { port: { network_id: await networkOf(change.vlan, signal), name, description: mark } } })).port
      made.push([change, there])
    }
    const sub = made.map(([{ vlan }, { id }]) => ({ port_id: id, segmentation_type: 'vlan', segmentation_id: vlan }))
    const answer = await api.send('PUT', `/v2.0/trunks/${trunk.id}/add_subports`, { signal, body: { sub_ports: sub } })
    if (answer.status === 409) {
      for (const [, { id, name }] of made) if (!byName.has(name)) await api.call('DELETE', `/v2.0/ports/${id}`, { signal })
      throw new SwitchOvertaken({ target: api.target })
    }
    api.check(answer, `trunk ${trunk.name}`)
  }

  async function close(trunk: Trunk, changes: readonly VlanChange[], { ports }: Seen, signal: AbortSignal): Promise<void> {
    const names = new Set(changes.map((change) => nameOf(owner, change)))
    const mine = [...ports.values()].filter((each) => names.has(each.name))
    const joined = mine.filter(({ id }) => trunk.sub_ports.some((each) => each.port_id === id))
    if (joined.length > 0) {
      const answer = await api.send('PUT', `/v2.0/trunks/${trunk.id}/remove_subports`, { signal, body: { sub_ports: joined.map(({ id }) => ({ port_id: id })) } })
      // A rival has taken one of them away: what is left is seen at the next look.
      if (answer.status === 404 || answer.status === 409) throw new SwitchOvertaken({ target: api.target })
      api.check(answer, `trunk ${trunk.name}`)
    }
    for (const { id } of mine) await api.call('DELETE', `/v2.0/ports/${id}`, { signal })
  }

  return {
    name: 'neutron-trunk',
    async observe({ ports: asked }, signal) {
      const seen = await look(signal)
      const state = new Map<string, SwitchPortState>(asked.map((name) => [name, { ours: new Map(), others: new Set(), mode: 'absent' }]))
      for (const trunk of new Set(seen.trunks.values())) {
        const each = portState(trunk, seen)
        const name = state.has(trunk.id) ? trunk.id : trunk.name
        if (state.has(name) || each.ours.size > 0) state.set(name, each)
      }
      return state satisfies SwitchState
    },
    async apply({ changes }, signal) {
      const seen = await look(signal)
      for (const [on, mine] of Map.groupBy(changes, (change) => change.on)) {
        const trunk = seen.trunks.get(on)
        if (trunk === undefined) continue
        await open(trunk, mine.filter((change) => change.do === 'open'), seen, signal)
        await close(trunk, mine.filter((change) => change.do === 'close'), seen, signal)
      }
    },
    close: () => Promise.resolve(),
  }
}

function portState({ sub_ports: subPorts }: Trunk, { ports }: Seen): SwitchPortState {
  const ours = new Map<VlanId, string>()
  const others = new Set<VlanId>()
  for (const { port_id: id, segmentation_id: number } of subPorts) {
    const vlan = parseVlan(number)
    const mine = ports.get(id)
    if (vlan === undefined) continue
    if (mine === undefined) others.add(vlan)
    else ours.set(vlan, tokenOf(mine.name))
  }
  return { ours, others, mode: subPorts.length === 0 ? 'closed' : 'trunk' }
}
