// A site to try external networks on: two nodes, two switches in memory, a gateway on the first.
import { fabricRegistry, type FabricRegistry } from '../../workers/drivers/fabric/index.ts'
import { memory, memorySwitch, type MemorySwitch } from '../../workers/drivers/fabric/memory.ts'
import type { TestCluster } from './test-cluster.ts'

export interface Site {
  readonly registry: FabricRegistry
  /** By address. */
  readonly switches: ReadonlyMap<string, MemorySwitch>
  /** Addresses of switches that do not answer. */
  readonly cut: Set<string>
  /** `tor1/n1: 100,200` for every port that carries anything. */
  lines(): string[]
  /** `tor2/up.100: blue` for every subinterface. */
  routes(): string[]
}

export function site(addresses: readonly string[] = ['tor1', 'tor2']): Site {
  const cut = new Set<string>()
  const way = (address: string) => (): Promise<void> => (cut.has(address) ? Promise.reject(new Error('no answer')) : Promise.resolve())
  const switches = new Map(addresses.map((address) => [address, memorySwitch([], way(address))]))
  return {
    switches,
    cut,
    registry: { ...fabricRegistry, memory: ({ address }) => memory(switches.get(address)!, { any: true }) },
    lines: () =>
      [...switches]
        .flatMap(([address, { ports }]) =>
          [...ports].flatMap(([name, { ours, others }]) =>
            ours.size + others.size === 0 ? [] : [`${address}/${name}: ${[...ours.keys(), ...others].sort((a, b) => a - b).join()}`],
          ),
        )
        .sort(),
    routes: () => routesIn(switches),
  }
}

export const routesIn = (switches: Site['switches']): string[] =>
  [...switches]
    .flatMap(([address, { ports }]) =>
      [...ports].flatMap(([name, { routed = new Map() }]) => [...routed].map(([vlan, { vrf }]) => `${address}/${name}.${vlan}: ${vrf}`)),
    )
    .sort()

const vrfs = [
  { name: 'blue', namespaces: ['a'] },
  { name: 'red', namespaces: ['a', 'b'] },
  { name: 'secret', namespaces: ['b'] },
]

/** Pool `pool` of nodes n1, n2 with ConnectionPoint `cp` on ens1; n1 is on tor1, n2 on tor2, the gateway of `physnet` on tor1: tor2. */
export async function withFabric(cluster: TestCluster): Promise<void> {
  await cluster.make('Fabric', 'dc', {
    switches: [
      { name: 'tor1', driver: 'memory', address: 'tor1' },
      { name: 'tor2', driver: 'memory', address: 'tor2' },
    ],
    links: [
      { node: 'n1', interface: 'ens1', switch: 'tor1', switchPort: 'n1' },
      { node: 'n2', interface: 'ens1', switch: 'tor2', switchPort: 'n2' },
    ],
    gateways: [{ physicalNetwork: 'physnet', switch: 'tor1', switchPort: 'gw', router: { switch: 'tor2', port: 'up', vrfs } }],
  })
  await cluster.make('NodePool', 'pool', { nodes: ['n1', 'n2'], interfaces: [{ name: 'ens0' }, { name: 'ens1', connectionPoint: 'cp' }] })
  await cluster.make('ConnectionPoint', 'cp', {
    supportedCnis: [
      { name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br-data' },
      { name: 'sriov', supportedInterfaceTypes: ['dpdk'], poolName: 'intel.com/sriov' },
    ],
  })
  await cluster.settle()
}
