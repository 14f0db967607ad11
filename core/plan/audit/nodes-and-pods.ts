// What Ports say of pods and nodes, and pods of Ports. As elsewhere in an audit, what others are held to was read before them, and after.
import { nicStatusAnnotation } from '../../kinds/annotations.ts'
import { refOf, type Ref, type Resource } from '../../kinds/index.ts'
import type { FindingClass } from '../../kinds/vpc/audit.ts'
import { isPodFinished } from '../pod/pod.ts'
import { byUid, portsIn, textOf, type AuditSeen, type Difference } from './difference.ts'

type Port = Resource<'Port'>

const found = (what: FindingClass, object: Resource, message: string, ref: Ref): Difference => ({
  finding: { class: what, object: textOf(object), message: `${textOf(object)} ${message}` },
  repair: { do: 'wake', ref },
})

export function portsAmiss({ before, after, pods, nodes }: AuditSeen): readonly Difference[] {
  const was = byUid(before)
  const living = new Set(pods.map(({ metadata }) => metadata.uid))
  const there = new Set(nodes.map(({ metadata }) => metadata.name))
  return portsIn(after).flatMap((port) => {
    const had = was.get(port.metadata.uid) as Port | undefined
    return had === undefined ? [] : [...podless(port, had, living), ...nodeless(port, had, there)]
  })
}

/** Claimed for good before pods were listed, and still: a claim with `until` is admission's, before its pod is stored. */
function podless(port: Port, had: Port, living: ReadonlySet<string>): readonly Difference[] {
  const { claim } = port.spec
  if (claim === undefined || claim.until !== undefined || had.spec.claim?.podUID !== claim.podUID) return []
  if (had.spec.claim.until !== undefined || living.has(claim.podUID)) return []
  const ref: Ref = { kind: 'Pod', namespace: port.metadata.namespace ?? '', name: claim.pod }
  return [found('podless', port, `is for pod ${claim.pod} with UID ${claim.podUID}, which is gone`, ref)]
}

function nodeless(port: Port, had: Port, there: ReadonlySet<string>): readonly Difference[] {
  const { node } = port.spec
  if (node === undefined || had.spec.node !== node || port.status?.node?.wired !== true || there.has(node)) return []
  return [found('nodeless', port, `is wired on node ${node}, which is gone`, refOf(port))]
}

/** A pod is told of its Ports once they are claimed for it: neither before pods were listed nor after was there any. */
export function podsAmiss({ before, after, pods }: AuditSeen): readonly Difference[] {
  const claimed = new Set([...portsIn(before), ...portsIn(after)].flatMap(({ spec }) => spec.claim?.podUID ?? []))
  return pods.flatMap((pod) => {
    const nics = isPodFinished(pod) ? 0 : nicsToldTo(pod)
    return nics === 0 || claimed.has(pod.metadata.uid)
      ? []
      : [found('portless', pod, `is told that ${nics} Nics are ready, and no Port is for it`, refOf(pod))]
  })
}

/** What stands there may have been written by anybody. */
function nicsToldTo({ metadata: { annotations } }: Resource<'Pod'>): number {
  try {
    const { phase, nics } = (JSON.parse(annotations?.[nicStatusAnnotation] ?? '{}') ?? {}) as Readonly<Record<string, unknown>>
    return phase === 'ready' && Array.isArray(nics) ? nics.length : 0
  } catch {
    return 0
  }
}
