// The drivers of clouds: one line each.
import type { CloudDriver } from '../../../core/contracts/cloud.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import type { CloudProvider } from '../../../core/kinds/vpc/providers.ts'
import { alcor } from './alcor/alcor.ts'
import type { CloudDeps } from './cloud-deps.ts'
import { memory } from './memory.ts'
import { memoryCloudAt } from './memory-cloud.ts'
import { neutron } from './neutron/neutron.ts'

export type CloudRegistry = Readonly<Record<CloudProvider, (cloud: Resource<'Cloud'>, deps: CloudDeps) => CloudDriver>>

/** `NAME?ports=N`: for trials of what is full. */
const quotaIn = (endpoint: string): { readonly portsMax?: number } => {
  const [, ports] = /\?ports=(\d{1,9})$/.exec(endpoint) ?? []
  return ports === undefined ? {} : { portsMax: Number(ports) }
}

export const cloudRegistry: CloudRegistry = {
  alcor,
  memory: ({ spec, metadata }, { clock }) =>
    memory(memoryCloudAt(spec.endpoint, { now: () => clock.now(), ...quotaIn(spec.endpoint) }), { installation: metadata.uid }),
  neutron,
}
