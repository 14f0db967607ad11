// Whether nobody comes after this agent on its node: its DaemonSet goes, and whoever takes it away has said that it is for good.
import { leavingAnnotation } from '../core/kinds/annotations.ts'
import { timeLimit, type Clock } from '../platform/clock.ts'
import { ok } from '../platform/kube/answers.ts'
import type { KubeApi } from '../platform/kube/client.ts'
import type { Config } from '../platform/config.ts'
import type { Log } from '../platform/log.ts'

interface Owned {
  readonly metadata?: {
    readonly deletionTimestamp?: string
    readonly annotations?: Readonly<Record<string, string>>
    readonly ownerReferences?: readonly { readonly kind: string; readonly name: string; readonly controller?: boolean }[]
  }
}

const askMs = 5_000

/** Where nobody answers it is not: an agent that starts anew finds everything as it left it. */
export async function isBeingUninstalled(
  { pod, namespace }: Pick<Config, 'pod' | 'namespace'>,
  client: Pick<KubeApi, 'ask'>,
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Promise<boolean> {
  if (pod === undefined) return false
  const signal = timeLimit(askMs, clock)
  const get = async (group: string, resource: string, name: string): Promise<Owned['metadata']> => {
    const answer = await client.ask({ verb: 'get', resource, path: `/${group}/namespaces/${namespace}/${resource}/${name}` }, signal)
    return ok(answer) ? (answer.body as Owned).metadata : undefined
  }
  try {
    const owner = (await get('api/v1', 'pods', pod))?.ownerReferences?.find(
      ({ kind, controller }) => kind === 'DaemonSet' && controller === true,
    )
    const set = owner === undefined ? undefined : await get('apis/apps/v1', 'daemonsets', owner.name)
    return set?.deletionTimestamp !== undefined && set.annotations?.[leavingAnnotation] === 'true'
  } catch (err) {
    log.warn({ err }, 'nobody says whether this end is one for good: the node stays as it is')
    return false
  }
}
