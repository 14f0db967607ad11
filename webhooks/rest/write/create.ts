// Storing a new object: under its own name, or one that we find for it; really, or only tried.
import type { Draft, Store } from '../../../core/contracts/store.ts'
import { AlreadyExists, NamespaceTerminating } from '../../../core/errors.ts'
import { idempotencyAnnotation, requestedAtAnnotation } from '../../../core/kinds/annotations.ts'
import { apiVersionOf, keyOf, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { notesOf, type Cause } from '../../../core/kinds/trace.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Requester } from '../../plugins/access.ts'
import { madeBefore, type IdempotencyMark } from './idempotency.ts'
import { requestedBy } from './requested-by.ts'

export interface CreateRequest {
  readonly store: Store
  readonly clock: Clock
  readonly random: () => number
  readonly dryRun: boolean
  readonly mark: IdempotencyMark | undefined
  readonly requester: Requester
  /** The trace that the request is part of. */
  readonly cause: Cause | undefined
}

/** As names of Kubernetes' own making: no vowels, nothing that reads like something else. */
const letters = 'bcdfghjklmnpqrstvwxz2456789'
const tries = 8

const randomName = (generateName: string, random: () => number): string =>
  generateName + Array.from({ length: 5 }, () => letters[Math.floor(random() * letters.length)]).join('')

/**
 * Stores a draft; one that leaves its name to us is tried again under another where the first is taken.
 *
 * @param put stores it under the name that it has by then
 * @throws AlreadyExists, KeyReused, and what `put` throws
 */
export async function createNamed<K extends Kind, T>(
  making: CreateRequest,
  draft: Draft<K>,
  put: (named: Draft<K>) => Promise<T>,
  found: (there: Resource<K>) => T,
): Promise<T> {
  const { generateName, name } = draft.metadata
  const mayRetry = name === '' && generateName !== undefined
  for (let attempt = 1; ; attempt++) {
    const named = mayRetry ? withName(draft, randomName(generateName, randomOf(making, attempt))) : draft
    try {
      return await put(noted(named, making))
    } catch (err) {
      if (!(err instanceof AlreadyExists)) throw err
      const there = await madeByMark(making, named)
      if (there !== undefined) return found(there)
      if (!mayRetry || attempt === tries) throw err
    }
  }
}

/** Under a key the same names are tried each time, so that a repetition meets what was made before. */
const randomOf = ({ mark, random }: CreateRequest, attempt: number): (() => number) => mark?.random(attempt) ?? random

const withName = <K extends Kind>(draft: Draft<K>, name: string): Draft<K> => ({ ...draft, metadata: { ...draft.metadata, name } })

/** What the same request has made before. @throws KeyReused */
async function madeByMark<K extends Kind>({ mark, store }: CreateRequest, { kind, metadata }: Draft<K>): Promise<Resource<K> | undefined> {
  if (mark === undefined) return undefined
  const there = await store.get({ kind, ...metadata })
  return madeBefore(there, mark) ? there : undefined
}

/** What we write on an object beside what its maker says. */
function noted<K extends Kind>(draft: Draft<K>, { mark, requester, cause, clock }: CreateRequest): Draft<K> {
  const { annotations, ...metadata } = requestedBy(draft.metadata, requester)
  const notes = {
    ...notesOf(cause),
    [requestedAtAnnotation]: new Date(clock.now()).toISOString(),
    ...(mark && { [idempotencyAnnotation]: mark.text }),
  }
  return { ...draft, metadata: { ...metadata, annotations: { ...annotations, ...notes } } }
}

/** What a create would answer. */
export async function dryRunResult<K extends Kind>(
  { store, clock }: Pick<CreateRequest, 'store' | 'clock'>,
  draft: Draft<K>,
): Promise<Resource<K>> {
  const { kind, metadata, spec } = draft
  if ((await store.get({ kind, ...metadata })) !== undefined) throw new AlreadyExists({ kind, key: keyOf(metadata) })
  const { namespace } = metadata
  const home = namespace === undefined ? undefined : await store.get({ kind: 'Namespace', name: namespace })
  if (namespace !== undefined && home?.metadata.deletionTimestamp !== undefined) throw new NamespaceTerminating({ namespace })
  return {
    apiVersion: apiVersionOf(kind),
    kind,
    metadata: { uid: '', ...metadata, resourceVersion: '', generation: 1, creationTimestamp: new Date(clock.now()).toISOString() },
    spec,
  }
}
