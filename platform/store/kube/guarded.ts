// A JSON patch that tests what it relies on (RFC 6902), so that most writes need no read before them.
import { NotFound, Stale, StoreUnavailable } from '../../../core/errors.ts'
import { keyOf, type Kind, type Ref, type Resource } from '../../../core/kinds/index.ts'
import { ok, problemOf } from '../../kube/answers.ts'
import type { KubeResponse } from '../../kube/client.ts'
import { resourceOf } from '../../kube/objects.ts'

export interface Operation {
  readonly op: 'test' | 'add' | 'remove'
  readonly path: string
  readonly value?: unknown
}

export interface Guarded<K extends Kind> {
  readonly ref: Ref<K>
  readonly uid: string
  /** What the first try uses: an object as last seen, or nothing. */
  readonly believed: Resource<K> | undefined
  /** The change of such an object, or undefined where none is needed. */
  readonly change: (item: Resource<K> | undefined) => readonly Operation[] | undefined
}

export interface GuardedOptions {
  readonly get: <K extends Kind>(ref: Ref<K>) => Promise<Resource<K> | undefined>
  readonly patch: (ref: Ref, operations: readonly Operation[]) => Promise<KubeResponse>
}

/** Rivals that change the same part at the same time lose one round each. */
const rounds = 6

/**
 * The object as it is afterwards.
 *
 * @throws NotFound, Stale for another UID, and what `change` throws
 */
export async function patchGuarded<K extends Kind>(
  { ref, uid, believed, change }: Guarded<K>,
  { get, patch }: GuardedOptions,
): Promise<Resource<K>> {
  let item = believed
  for (let round = 0; round < rounds; round++) {
    const operations = change(item)
    if (operations === undefined && item !== undefined) return item
    const answer = await patch(ref, [{ op: 'test', path: '/metadata/uid', value: uid }, ...(operations ?? [])])
    if (ok(answer)) return resourceOf(ref.kind, answer.body)
    if (!testFailed(answer)) throw problemOf(answer, ref)
    item = await get(ref)
    if (item === undefined) throw new NotFound({ kind: ref.kind, key: keyOf(ref) })
    if (item.metadata.uid !== uid) throw new Stale({ kind: ref.kind, key: keyOf(ref) })
  }
  throw new StoreUnavailable({ reason: `${ref.kind} ${keyOf(ref)} kept changing` })
}

/** A JSON patch whose test fails is unprocessable, as is an object that breaks a rule: the latter has causes. */
function testFailed(answer: KubeResponse): boolean {
  const details = (answer.body as { readonly details?: { readonly causes?: readonly unknown[] } } | null)?.details
  return answer.status === 409 || (answer.status === 422 && (details?.causes ?? []).length === 0)
}
