// May this caller write these fields? Some fields need more than the right to write their kind (core/admit/rest/rights.ts). For accounts
// that are passed through, the API server asks the same by its policies; of all others only we know, since we write for them.
import { secretMessage, secretReferences } from '../../../core/admit/object/callback-secrets.ts'
import { pointerTo } from '../../../core/admit/refusal.ts'
import { fieldQuestionsOf, fieldRights, type FieldRight } from '../../../core/admit/rest/rights.ts'
import { FieldForbidden, Forbidden, Invalid } from '../../../core/errors.ts'
import type { Kind, Resource } from '../../../core/kinds/index.ts'
import { mayDo } from '../../plugins/access.ts'
import type { Caller } from '../../plugins/auth.ts'
import type { RestDeps } from '../deps.ts'

type Written<K extends Kind = Kind> = Pick<Resource<K>, 'kind' | 'metadata' | 'spec'>
type Subscribed = Written<'Subscription'>
type Asking = Pick<RestDeps, 'access' | 'admission' | 'standalone'>

/** @throws FieldForbidden, whether what the field speaks of is there or not */
export async function mayWrite(deps: Asking, caller: Caller, written: Written, old?: Written): Promise<void> {
  for (const right of fieldRights) {
    const needed = right.kind === written.kind && right.needs(written.spec as never, old?.spec as never)
    if (needed) await mayWriteField(deps, caller, written, right)
  }
  if (written.kind === 'Subscription') await mayHaveSent(deps, caller, written as Subscribed, old as Subscribed | undefined)
}

async function mayWriteField(deps: Asking, caller: Caller, { metadata, spec }: Written, right: FieldRight): Promise<void> {
  const { question: asks, field, message: says } = right
  const refused = new FieldForbidden({ at: pointerTo('spec', field), what: `${field} ${says}` })
  if (asks === undefined) throw refused
  if (asks.of === 'Deployment' && deps.standalone !== undefined)
    throw new Invalid({ reason: `${field} is not supported: there are no Deployments without Kubernetes`, at: pointerTo('spec', field) })
  const { namespace, name } = fieldQuestionsOf(right, metadata, spec as Parameters<typeof fieldQuestionsOf>[2])
  await orRefused(mayDo(deps, caller, { act: asks.verb, kind: asks.of, namespace, ...(name !== undefined && { name }) }), refused)
}

/** Standalone, who writes Subscriptions writes their Secrets; a Secret that came with a request belongs to nobody there. */
async function mayHaveSent(
  { access, admission }: Asking,
  caller: Caller,
  { metadata, spec }: Subscribed,
  old: Subscribed | undefined,
): Promise<void> {
  for (const { field, name, kept } of secretReferences(spec, old?.spec)) {
    const refused = new FieldForbidden({ at: pointerTo('spec', field, 'secret'), what: `secret ${secretMessage}` })
    const namespace = kept ? admission.settings.namespace : metadata.namespace
    if (access !== undefined) await orRefused(access.review(caller, { act: 'read', kind: 'Secret', namespace, verb: 'get', name }), refused)
    else if (kept) throw refused
  }
}

async function orRefused(check: Promise<void>, refused: Error): Promise<void> {
  await check.catch((err: unknown) => {
    throw err instanceof Forbidden ? refused : err
  })
}
