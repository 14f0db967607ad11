// What the API server knows of admission: its two webhook configurations, read as they are now.
import { StoreUnavailable } from '../../../core/errors.ts'
import type { Registration } from '../../../core/plan/registration.ts'
import { absent, isStatus, ok, RbacDenied } from '../answers.ts'
import type { KubeApi } from '../client.ts'

export const registrationResources = ['mutatingwebhookconfigurations', 'validatingwebhookconfigurations'] as const
export const registrationPath = (resource: (typeof registrationResources)[number], name: string): string =>
  `/apis/admissionregistration.k8s.io/v1/${resource}/${name}`

/**
 * Those of that name that there are.
 *
 * @throws StoreUnavailable; RbacDenied where we may not look
 */
export async function readRegistrations(client: KubeApi, name: string): Promise<readonly Registration[]> {
  const found = await Promise.all(
    registrationResources.map(async (resource) => {
      const answer = await client.ask({ verb: 'get', resource, path: registrationPath(resource, name) })
      if (absent(answer)) return undefined
      if (ok(answer)) return answer.body as Registration
      const reason = `${resource}/${name}: ${answer.status} ${isStatus(answer.body) ? (answer.body.message ?? '') : ''}`
      throw answer.status === 403 ? new RbacDenied({ reason }) : new StoreUnavailable({ reason })
    }),
  )
  return found.filter((each) => each !== undefined)
}
