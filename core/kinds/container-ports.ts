// Ports that containers of a pod name.
import type { Resource } from './index.ts'

interface ContainerPort {
  readonly name?: string
  readonly containerPort: number
  readonly protocol?: string
}

/** By `tcp/NAME`. Of two of one name the first counts, as for Services. */
export function containerPortsOf({ spec }: Resource<'Pod'>): Readonly<Record<string, number>> {
  const all: Record<string, number> = {}
  const ports = (spec.containers ?? []).flatMap((container) => (container['ports'] ?? []) as readonly ContainerPort[])
  for (const { name, containerPort, protocol = 'TCP' } of ports)
    if (name !== undefined) all[`${protocol.toLowerCase()}/${name}`] ??= containerPort
  return all
}
