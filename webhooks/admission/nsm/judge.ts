// Admission of NetworkServices and their endpoints: NSM's own CRDs have no schema, so what is refused is refused here.
import { nsmProblemsIn } from '../../../core/admit/nsm/specs.ts'
import { isObject } from '../../../core/json.ts'
import { sameJson } from '../../../core/same-json.ts'
import type { AdmissionProblem } from '../answer.ts'
import type { Request } from '../review.ts'

/** What is wrong with one that is made or changed. A spec that stays as it is may stay, however it came there. */
export function problemsInNsm({ kind, operation, subresource, object, oldObject }: Request): readonly AdmissionProblem[] {
  if (subresource !== '' || (operation !== 'CREATE' && operation !== 'UPDATE')) return []
  if (operation === 'UPDATE' && sameJson(specIn(object), specIn(oldObject))) return []
  return nsmProblemsIn(kind, object)
}

const specIn = (object: unknown): unknown => (isObject(object) ? object['spec'] : undefined)
