// How much the pod of an interface may send and get, and how what it sends is marked: of each Port by itself, whatever its rules say.
import type { LocalPort } from '../node/wanted.ts'
import type { LinuxItem, TrafficWay } from './linux-items.ts'
import type { LinuxOptions } from './options.ts'
import { bytesPerSecondOf } from './rates.ts'

export function trafficOf(
  { ifcName: ifname, policy }: Pick<LocalPort, 'ifcName' | 'policy'>,
  { noTraffic }: LinuxOptions,
): readonly LinuxItem[] {
  if (policy?.traffic === undefined || policy.isClosed || noTraffic !== undefined) return []
  const { maxEgress, maxIngress, dscp } = policy.traffic
  return [
    ...limitOf(ifname, 'sent', maxEgress),
    ...limitOf(ifname, 'got', maxIngress),
    ...(dscp === undefined ? [] : [{ kind: 'marked', ifname, dscp } as const]),
  ]
}

function limitOf(ifname: string, way: TrafficWay, bits: number | undefined): readonly LinuxItem[] {
  if (bits === undefined) return []
  return [{ kind: 'limited', ifname, way, bytesPerSecond: bytesPerSecondOf(bits) }]
}
