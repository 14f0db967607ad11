// SecurityGroups at clouds, behind the driver of the Cloud that each is for.
import { inNamespaceOf, type Resource } from '../../core/kinds/index.ts'
import { planCloudGroup, type CloudGroupAction, type CloudGroupDesired } from '../../core/plan/cloud/group.ts'
import { rulesAtCloud, type AtCloud } from '../../core/plan/cloud/group-rules.ts'
import type { CloudSession } from '../clouds/cloud-sessions.ts'
import type { Env } from '../controller-env.ts'
import { isNeeded, remotesOf } from '../clouds/groups.ts'
import type { AnyController } from '../loop/controller.ts'
import { around, cloudController, type CloudDesired } from './cloud-controller.ts'

type Item = Resource<'CloudSecurityGroup'>
type Desired = CloudGroupDesired & CloudDesired & { readonly group: Resource<'SecurityGroup'> | undefined }

const nothing = { rules: [], unable: [], awaited: [] }

export function cloudGroupController(env: Env): AnyController {
  const controller = cloudController<'group', Desired, CloudGroupAction>(env, 'group', planCloudGroup, async (key, made) => {
    const item = (made as Item | undefined) ?? env.caches.CloudSecurityGroup.get(key)
    return item && gather(item, env)
  })
  // By a SecurityGroup as it was rules would come back that are gone.
  return {
    ...controller,
    basis: (desired) => basisOf(desired as Desired),
    needsLive: (_, { steps }) => (steps.some(({ action }) => (action as CloudGroupAction).do === 'update') ? [] : undefined),
  }
}

const basisOf = ({ group }: Desired): readonly Resource[] => (group === undefined ? [] : [group])

async function gather(item: Item, env: Env): Promise<Desired> {
  const rest = around(item, undefined, env)
  const group = env.caches.SecurityGroup.get(inNamespaceOf(item, item.spec.group))
  const needed = await isNeeded(item, env)
  const { ids, drafts } =
    group === undefined || !needed ? { ids: new Map<string, undefined>(), drafts: [] } : remotesOf(group, rest.cloud, env)
  const rules = group === undefined ? nothing : rulesAtCloud(group, { remotes: ids, cannot: cannotAt(rest.session) })
  return { ...rest, item, group, rules, isNeeded: needed, drafts }
}

const cannotAt = (session: CloudSession): AtCloud['cannot'] =>
  ('driver' in session ? session.driver.group?.cannot : undefined) ?? (() => undefined)
