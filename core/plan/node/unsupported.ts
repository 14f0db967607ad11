// What a node does not do of what a Port asks for, as the condition that says so on the Port.
import type { Resource } from '../../kinds/index.ts'
import type { Condition } from '../../kinds/meta.ts'
import type { Unsupported } from '../../node/unsupported.ts'

export const unsupportedType = 'Unsupported'

export interface UnsupportedReport {
  /** By the data plane's own word. */
  readonly all: readonly Unsupported[]
  /** Its name. */
  readonly plane: string
  /** RFC 3339. */
  readonly now: string
}

/** Conditions of a Port's section `node`: none where everything is done. One that says the same as before is the one before. */
export function nodeConditions(port: Resource<'Port'>, { all, plane, now }: UnsupportedReport): readonly Condition[] {
  const message = [...all, ...enforcedByNone(port)].map(({ name, why }) => `${name}: ${why}`).join('; ')
  if (message === '') return []
  const before = port.status?.node?.conditions?.find(({ type }) => type === unsupportedType)
  const same = before?.message === message && before.status === 'True'
  return [
    same
      ? before
      : {
          type: unsupportedType,
          status: 'True',
          reason: `NotBy${plane.slice(0, 1).toUpperCase()}${plane.slice(1)}`,
          message,
          lastTransitionTime: now,
        },
  ]
}

/** Workers of before know no policies: then nobody enforces its groups. */
function enforcedByNone({ spec: { securityGroups = [] }, status: { policy } = {} }: Resource<'Port'>): readonly Unsupported[] {
  return securityGroups.length === 0 || policy !== undefined ? [] : [{ name: 'security-groups', why: 'no data plane enforces them yet' }]
}
