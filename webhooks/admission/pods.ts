// Both admissions of a pod as plain steps: what the webhooks do for an API server, REST does where pods are posted to us.
import { isRefusal, type Refusal } from '../../core/admit/refusal.ts'
import type { AdmissionDeps, AdmittedPod } from './deps.ts'
import { mutatePod, type Mutated } from './mutate-pod.ts'
import { validatePod } from './validate-pod.ts'

export type { AdmissionDeps, AdmissionSettings, AdmittedPod } from './deps.ts'
export { mutatePod, type Mutated } from './mutate-pod.ts'
export { validatePod, type Validated } from './validate-pod.ts'

/** Mutating, then validating admission of a pod whose name and UID are known; `pod` is what is to be stored. */
export async function admitPod(
  deps: AdmissionDeps,
  given: AdmittedPod,
  namespace: string,
  options: { readonly dryRun: boolean },
): Promise<{ readonly pod: AdmittedPod; readonly warnings: readonly string[] } | Refusal> {
  const ask = (): Mutated | Refusal => mutatePod(deps, given, namespace)
  const mutated = deps.news === undefined ? ask() : await deps.news.until(ask, (answer) => isRefusal(answer) && answer.later)
  if (isRefusal(mutated)) return mutated
  const validated = await validatePod(deps, mutated.pod, options)
  return isRefusal(validated) ? validated : { pod: mutated.pod, warnings: validated.warnings }
}
