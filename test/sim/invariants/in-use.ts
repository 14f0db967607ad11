// Nothing that somebody uses is gone before he uses it no more: what used it when it was deleted and still does. Once nobody does, it goes
// by itself.
import { keyOf, keyOfItem, refOf, type Kind, type Resource } from '../../../core/kinds/index.ts'
import { groupsInRules } from '../../../core/plan/vpc/security-group.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'

type Going = Resource<'NodePool'> | Resource<'Subnet'> | Resource<'SecurityGroup'>

export const inUse: Invariant = {
  name: 'in-use',
  begin({ site: { truth } }, fail) {
    /** By UID: who used it when it was deleted. */
    const users = new Map<string, ReadonlySet<string>>()
    const seen = (before: Going | undefined, after: Going | undefined): void => {
      const item = after ?? before!
      const { uid, deletionTimestamp } = item.metadata
      if (before?.metadata.deletionTimestamp === undefined && (after === undefined || deletionTimestamp !== undefined))
        users.set(uid, new Set(usersOf(item, truth)))
      if (after !== undefined) return
      const left = usersOf(item, truth).find((each) => users.get(uid)?.has(each))
      if (left !== undefined) fail(`${item.kind} ${keyOfItem(item)} is gone, and ${left} uses it as before`)
    }
    return {
      landed: perKind({ NodePool: seen, Subnet: seen, SecurityGroup: seen }),
      atRest() {
        for (const kind of ['NodePool', 'Subnet', 'SecurityGroup'] as const) {
          for (const item of truth.values(kind) as Iterable<Going>)
            if (item.metadata.deletionTimestamp !== undefined && holdersOf(item, truth).length === 0)
              fail(`${kind} ${keyOfItem(item)} is to go, nobody uses it, and it stays`)
        }
      },
    }
  },
}

const isGoing = ({ metadata }: Resource): boolean => metadata.deletionTimestamp !== undefined
const named = <K extends Kind>(items: Iterable<Resource<K>>, uses: (item: Resource<K>) => boolean): readonly string[] =>
  [...items].filter(uses).map((each) => `${each.kind} ${keyOf(refOf(each))} ${each.metadata.uid}`)

/** Who would lose something. */
function usersOf(item: Going, truth: Truth): readonly string[] {
  const { namespace } = item.metadata
  if (item.kind === 'NodePool')
    return named(truth.values('L2ServiceAttachment'), (each) => each.status?.phase === 'ready' && !isGoing(each) && isOn(each, item))
  if (item.kind === 'SecurityGroup') return groupUsers(item, truth)
  const { cidr } = item.spec.ipv4 ?? {}
  const listed = item.spec.l2Service
  return listed === undefined
    ? []
    : named(
        truth.values('NetworkAttachmentDefinition'),
        (each) => each.metadata.namespace === namespace && each.spec.config?.includes(`"${cidr}"`) === true,
      )
}

/** Who may keep it, beside whoever uses it. */
function holdersOf(item: Going, truth: Truth): readonly string[] {
  const { namespace, name } = item.metadata
  if (item.kind === 'SecurityGroup') return groupUsers(item, truth)
  if (item.kind === 'Subnet')
    return item.spec.l2Service === undefined
      ? ['its Ports']
      : named(truth.values('L2Service'), (each) => each.metadata.namespace === namespace && each.spec.subnets?.includes(name) === true)
  const points = pointsOf(item)
  return [
    ...named(truth.values('L2ServiceAttachment'), (each) => isOn(each, item)),
    ...named(truth.values('L2BridgeDomain'), ({ spec }) => spec.connectionPoints.some((each) => points.includes(each))),
  ]
}

const pointsOf = ({ spec }: Resource<'NodePool'>): readonly string[] =>
  spec.interfaces.flatMap(({ connectionPoint }) => connectionPoint ?? [])
const isOn = ({ spec }: Resource<'L2ServiceAttachment'>, pool: Resource<'NodePool'>): boolean =>
  pointsOf(pool).includes(spec.connectionPoint)

/** Whose Port is gone, or goes: it goes too, whoever of them is first. */
const isLeftBehind = ({ metadata: { ownerReferences = [] } }: Resource<'SecurityGroup'>, truth: Truth): boolean =>
  ownerReferences.some(
    ({ kind, uid }) => kind === 'Port' && ![...truth.values('Port')].some((port) => port.metadata.uid === uid && !isGoing(port)),
  )

function groupUsers({ metadata: { namespace, name, uid } }: Resource<'SecurityGroup'>, truth: Truth): readonly string[] {
  return [
    ...named(truth.values('Port'), (each) => each.metadata.namespace === namespace && each.spec.securityGroups?.includes(name) === true),
    ...named(
      truth.values('SecurityGroup'),
      (each) =>
        each.metadata.namespace === namespace &&
        each.metadata.uid !== uid &&
        !isGoing(each) &&
        !isLeftBehind(each, truth) &&
        groupsInRules(each).includes(name),
    ),
  ]
}
