// Rounds of ports on a real neutron-server: asked for together through our driver, and one after the other by a bare loop.
import { startNeutronLab } from '../../../lab/openstack/cloud.ts'
import { openstackMissing } from '../../../lab/openstack/packages.ts'
import type { CloudDriver } from '../../../core/contracts/cloud.ts'
import { freePorts } from '../../../platform/programs/free-ports.ts'
import { caller, type Caller } from '../../../lab/openstack/caller.ts'
import { interleaved, rate, type Measured } from './rounds.ts'

export interface ServerPlace {
  readonly network: string
  readonly subnet: string
}
export interface ServerRates {
  /** Ports a second. */
  readonly ours: Measured
  readonly floor: Measured
}

const rounds = 3

/** @returns undefined where OpenStack is not installed */
export async function serverRates(
  ports: number,
  open: (url: string, place: ServerPlace) => { readonly driver: CloudDriver; makeAll(round: number): Promise<void> },
): Promise<ServerRates | undefined> {
  const print = (line: string): void => console.error(line)
  if ((await openstackMissing({ install: false, print })) !== undefined) return undefined
  const lab = await startNeutronLab({ mechanism: 'ovn', auth: 'noauth', freePorts, print })
  try {
    const { url } = lab.server
    const api = caller(url, {})
    await api.post('networks', { network: { name: 'warm' } })
    const { id: network } = await api.post<{ readonly id: string }>('networks', { network: { name: 'rounds' } })
    const { id: subnet } = await api.post<{ readonly id: string }>('subnets', {
      subnet: { network_id: network, ip_version: 4, cidr: '10.0.0.0/20' },
    })
    const { driver, makeAll } = open(url, { network, subnet })
    let round = 0
    try {
      return await interleaved(rounds, {
        ours: () => rate(ports, () => makeAll(round++)),
        floor: () => rate(ports, () => oneByOne(api, ports, { network, subnet })),
      })
    } finally {
      await driver.close()
    }
  } finally {
    await lab.stop()
  }
}

async function oneByOne(api: Caller, ports: number, { network, subnet }: ServerPlace): Promise<void> {
  for (let i = 0; i < ports; i++) await api.post('ports', { port: { network_id: network, fixed_ips: [{ subnet_id: subnet }] } })
}
