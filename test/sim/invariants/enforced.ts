// Whether a data plane does all that the rules of a Port say: Open vSwitch does, and what another one does not do closes its Ports.
import { notDone } from '../../../core/pieces/policy/not-done.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import type { Station } from '../world/traffic.ts'
import type { Verdicts } from './verdicts.ts'

export type PortLookup = (uid: string) => Resource<'Port'> | undefined

export function isEnforced({ machine: { plane }, port: { uid } }: Station, verdicts: Verdicts, known: PortLookup): boolean {
  const port = known(uid)
  if (port === undefined || plane.name === 'ovs') return true
  return verdicts.judging(port).every((set) => set !== undefined && (set.audit === true || notDone[plane.name](set).length === 0))
}
