// What carries a lab node's packets: started in a network namespace that stands for the node, with the settings that lead its agent there.
import { mkdir } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { startBessd, type Bessd } from '../programs/bess.ts'
import { dpdkSwitch } from '../dpdk.ts'
import type { Lab } from '../lab.ts'
import { makeNamespace, type Namespace } from '../namespaces.ts'
import { startOvsNode, type OvsNode } from '../programs/ovs.ts'
import type { Underlay } from '../underlay.ts'

export interface Carrier {
  /** The node's own. */
  readonly namespace: Namespace
  /** For its agent. */
  readonly settings: Readonly<Record<string, string>>
  /** Takes the namespace along. */
  stop(): Promise<void>
}
export interface OvsCarrier extends Carrier {
  readonly ovs: OvsNode
}
export interface BessCarrier extends Carrier {
  readonly bessd: Bessd
}

export interface CarrierPlace {
  readonly lab: Lab
  readonly underlay: Underlay
  /** Of the Node object. */
  readonly name: string
  /** That others tunnel to. */
  readonly address: string
  /** There already. */
  readonly home: string
}

/** For an agent on a node with this Open vSwitch. */
export const ovsSettings = ({ db, folder }: OvsNode): Readonly<Record<string, string>> => ({
  MEGREZ_DATAPLANE: 'ovs',
  MEGREZ_OVS_DB: db,
  MEGREZ_OVS_RUN_DIR: folder,
  MEGREZ_OVS_DATAPATH: 'netdev',
})

export const ovsCarrier = (place: CarrierPlace): Promise<OvsCarrier> => carriedBy(place)

/** With DPDK: somebody holds huge pages for it. */
export async function dpdkCarrier(place: CarrierPlace): Promise<OvsCarrier> {
  const carrier = await carriedBy(place, dpdkSwitch)
  return { ...carrier, settings: { ...carrier.settings, MEGREZ_DPDK_SOCKETS: join(place.home, 'dpdk') } }
}

async function carriedBy({ lab, underlay, name, address, home }: CarrierPlace, dpdk?: typeof dpdkSwitch): Promise<OvsCarrier> {
  const ovs = await startOvsNode({ name: `${lab.id}-${name}`, folder: join(home, 'ovs'), ...(dpdk && { dpdk }) })
  await underlay.join(ovs, address)
  return { namespace: ovs.namespace, settings: ovsSettings(ovs), ovs, stop: () => ovs.stop() }
}

/** @param program the bessd, built */
export const bessCarrier =
  (program: string) =>
  async (place: CarrierPlace): Promise<BessCarrier> => {
    const namespace = await plainNode(place)
    const sockets = join(place.home, 'dpdk')
    await mkdir(sockets)
    const bessd = await startBessd({ program, namespace, folder: join(place.home, 'bess'), core: availableParallelism() - 1 })
    return {
      namespace,
      bessd,
      settings: { MEGREZ_DATAPLANE: 'bess', MEGREZ_BESS_TARGET: bessd.target, MEGREZ_DPDK_SOCKETS: sockets },
      async stop() {
        await bessd.stop()
        await namespace.remove()
      },
    }
  }

export async function linuxCarrier(place: CarrierPlace): Promise<Carrier> {
  const namespace = await plainNode(place)
  return { namespace, settings: { MEGREZ_DATAPLANE: 'linux' }, stop: () => namespace.remove() }
}

async function plainNode({ lab, underlay, name, address }: CarrierPlace): Promise<Namespace> {
  const namespace = await makeNamespace(`${lab.id}-${name}`)
  await underlay.joinPlain(namespace, address)
  return namespace
}
