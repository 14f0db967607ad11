// AdmissionReview answers as text (admission.k8s.io/v1).
import type { Refusal } from '../../core/admit/refusal.ts'
import type { Operation } from '../../core/wire/json-patch.ts'

/** Longer ones are cut by the API server (Kubernetes, admission webhooks, response). */
const warningMax = 256
const warningsMax = 16

const wrap = (response: object): string => JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response })

/** @param uid letters, digits and hyphens only: it is not escaped */
export const allowedPlainly = (uid: string): string =>
  `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"${uid}","allowed":true}}`

export function allowed(
  uid: string,
  { patch = [], warnings = [] }: { readonly patch?: readonly Operation[]; readonly warnings?: readonly string[] } = {},
): string {
  // Put together by hand: it is most of what is ever answered.
  const patched = patch.length === 0 ? '' : `,"patchType":"JSONPatch","patch":"${Buffer.from(JSON.stringify(patch)).toString('base64')}"`
  const warned =
    warnings.length === 0 ? '' : `,"warnings":${JSON.stringify(warnings.slice(0, warningsMax).map((each) => each.slice(0, warningMax)))}`
  return `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":${JSON.stringify(uid)},"allowed":true${patched}${warned}}}`
}

export interface AdmissionProblem {
  /** JSON pointer; below `object` for faults of the object, else below the review. */
  readonly at: string
  readonly message: string
}

/** @param code what HTTP would say; the answer itself is always 200, since the API server reads no other */
export function denied(uid: string, problems: readonly AdmissionProblem[], code = 422): string {
  const causes = problems.map(({ at, message }) => ({ reason: 'FieldValueInvalid', field: at, message }))
  const message = problems.map(sentence).join('; ')
  return wrap({
    uid,
    allowed: false,
    status: { status: 'Failure', code, reason: code === 422 ? 'Invalid' : 'BadRequest', message, details: { causes } },
  })
}

export const sentence = ({ at, message }: AdmissionProblem): string => (at === '' ? message : `${at}: ${message}`)
export const deniedBy = (uid: string, { at, message }: Refusal): string => denied(uid, [{ at, message }])
