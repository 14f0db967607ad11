// What looks into connections for rules with `l7`: one proxy for each VNI and direction that has such rules here.
import type { Inspection } from '../../kinds/policy/compiled/inspection.ts'

/** The rules of one policy, and for whom. */
export interface InspectedPolicy {
  /** Addresses and blocks of its subjects on this node. */
  readonly subjects: readonly string[]
  /** Those of one direction, in order. */
  readonly inspections: readonly Inspection[]
}

export interface Inspector {
  readonly vni: number
  readonly direction: Inspection['direction']
  /** Bytes, of both ends of its link. */
  readonly mtu: number
  /** A subject is in one of them. */
  readonly policies: readonly InspectedPolicy[]
}

/** Files that its proxy is configured by: name → text. */
export type InspectorFiles = ReadonlyMap<string, string>
