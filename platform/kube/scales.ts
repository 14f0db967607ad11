// The scale of a Deployment, by server-side apply: the API server itself keeps who has set `replicas` last, and refuses to take it from
// anybody who has set another number since (docs/reference/using-api/server-side-apply of Kubernetes, read 2026-11-30).
import type { DeploymentName, NoScale, Scale, Scales } from '../../core/contracts/scales.ts'
import { StoreUnavailable } from '../../core/errors.ts'
import { isObject } from '../../core/json.ts'
import { isStatus, ok } from './answers.ts'
import type { KubeApi, KubeResponse } from './client.ts'

/** Under this name `managedFields` has what we set. */
export const appliedBy = 'megrez-endpointscaler'

const pathOf = ({ namespace, name }: DeploymentName): string => `/apis/apps/v1/namespaces/${namespace}/deployments/${name}/scale`
const resource = 'deployments/scale'
const refusals: Readonly<Record<number, NoScale>> = { 403: 'Forbidden', 404: 'NotFound' }

export function kubeScales(client: KubeApi): Scales {
  const apply = async (
    of: DeploymentName,
    { resourceVersion, replicas }: Scale,
    query: Readonly<Record<string, string>>,
    signal: AbortSignal,
  ): Promise<boolean | NoScale> => {
    const body = {
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: of.name, namespace: of.namespace, resourceVersion },
      spec: { replicas },
    }
    const answer = await client.ask(
      {
        verb: 'patch',
        resource,
        path: pathOf(of),
        query: { fieldManager: appliedBy, ...query },
        body,
        contentType: 'application/apply-patch+yaml',
      },
      signal,
    )
    if (ok(answer)) return true
    // Both another's number and another state than was read.
    return answer.status === 409 ? false : refusalIn(answer)
  }
  return {
    async read(of, signal) {
      const answer = await client.ask({ verb: 'get', resource, path: pathOf(of) }, signal)
      return ok(answer) ? scaleOf(answer.body) : refusalIn(answer)
    },
    isOurs: (of, scale, signal) => apply(of, { ...scale, replicas: 0 }, { dryRun: 'All' }, signal),
    // By force: whoever has made the Deployment has set the 0. That it is 0 still is said by the version.
    up: (of, scale, signal) => apply(of, { ...scale, replicas: 1 }, { force: 'true' }, signal),
    down: (of, scale, signal) => apply(of, { ...scale, replicas: 0 }, {}, signal),
  }
}

/** A 0 is left out. */
function scaleOf(body: unknown): Scale {
  const { metadata, spec } = body as { readonly metadata: { readonly resourceVersion: string }; readonly spec?: unknown }
  const replicas = isObject(spec) ? spec['replicas'] : undefined
  return { resourceVersion: metadata.resourceVersion, replicas: typeof replicas === 'number' ? replicas : 0 }
}

function refusalIn({ status, body }: KubeResponse): NoScale {
  const why = refusals[status]
  if (why !== undefined) return why
  throw new StoreUnavailable({ reason: `${resource}: ${status} ${isStatus(body) ? (body.message ?? '') : ''}`.trim() })
}
