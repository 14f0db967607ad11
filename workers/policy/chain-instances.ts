// Who carries functions out is written by what the store says of them, and not by a watch that is late: of two workers one would take away
// whom the other has just put there, again and again, and each time nodes would have another round.
import { instancesOf } from '../../core/kinds/policy/chain.ts'
import { segmentField, segmentOf } from '../../core/kinds/vpc/segment.ts'
import type { Ref, Resource } from '../../core/kinds/index.ts'
import type { CompiledSet, RuleSet } from '../../core/plan/policy/rule-sets.ts'
import type { Env } from '../controller-env.ts'
import { changeCountsOf, readAllLive, readLive } from '../loop/live-reads.ts'

/** The caches take in the Ports of its VNI, and the pods of those that carry functions out, where others are to. */
export async function learnInstances({ vni, content }: CompiledSet, stored: readonly RuleSet[], env: Env): Promise<void> {
  const before = uidsIn(stored.find(({ spec }) => spec.vni === vni)?.spec)
  const after = uidsIn(content)
  if (before.size === after.size && [...before].every((uid) => after.has(uid))) return
  const within = { fields: { [segmentField(vni)]: String(vni) } }
  await readAllLive({ kind: 'Port', within, isWithin: (item) => segmentOf(item as Resource<'Port'>) === vni }, changeCountsOf(env), env)
  const pods = [...env.caches.Port.by('vni', String(vni))].flatMap(({ metadata: { uid, namespace = '' }, spec: { claim } }): Ref[] =>
    claim !== undefined && (before.has(uid) || after.has(uid)) ? [{ kind: 'Pod', namespace, name: claim.pod }] : [],
  )
  await readLive(
    pods.map((ref) => ({ ref, version: undefined })),
    env,
  )
}

const uidsIn = (of: Pick<CompiledSet['content'], 'chains'> | undefined): ReadonlySet<string> =>
  new Set(instancesOf(of?.chains).map(({ port }) => port))
