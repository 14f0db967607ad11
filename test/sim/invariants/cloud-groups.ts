// SecurityGroups at a cloud: in the end a Port that is ready has there those that it names and no other of ours, each with its rules.
import { inNamespaceOf, keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { cloudSecurityGroupName } from '../../../core/kinds/vpc/cloud-security-group.ts'
import { rulesAtCloud, sameRules } from '../../../core/plan/cloud/group-rules.ts'
import { groupsInRules } from '../../../core/plan/vpc/security-group.ts'
import type { Invariant } from '../invariant.ts'
import type { Truth } from '../truth.ts'
import type { CloudModel } from '../world/cloud-model.ts'
import type { Clouds } from '../world/clouds.ts'

export const cloudGroups: Invariant = {
  name: 'cloud groups',
  begin({ site: { truth }, clouds }, fail) {
    const compare = (): void => {
      // Where none are made, a Port's names are the cloud's own.
      if (clouds.alcor !== undefined) return
      for (const port of truth.values('Port')) if (port.status?.phase === 'ready') hasItsGroups(port, { truth, clouds }, fail)
    }
    return { atRest: compare, atEnd: compare }
  },
}

interface World {
  readonly truth: Truth
  readonly clouds: Clouds
}

function hasItsGroups(port: Resource<'Port'>, { truth, clouds: { cloud } }: World, fail: (what: string) => void): void {
  const { cloud: at, providerID = '' } = port.status ?? {}
  if (at === undefined || cloud.get('port', providerID) === undefined) return
  const groups = groupsIn(truth, at)
  const there = cloud.groupsOf(providerID).toSorted().join()
  const named = [...new Set(port.spec.securityGroups ?? [])].map((name) => inNamespaceOf(port, name)).filter((key) => groups.has(key))
  const ids = named.map((key) => groups.get(key)!.id ?? `none for ${key}`)
  if (ids.toSorted().join() !== there) fail(`Port ${keyOfItem(port)} has the groups [${there}] at the cloud, and names [${ids.join()}]`)
  for (const key of named) hasItsRules(groups.get(key)!, groups, cloud, fail)
}

interface AtCloud {
  readonly group: Resource<'SecurityGroup'>
  readonly id: string | undefined
}
type Groups = ReadonlyMap<string, AtCloud>

function groupsIn(truth: Truth, cloud: string): Groups {
  const ids = new Map([...truth.values('CloudSecurityGroup')].map((each) => [keyOfItem(each), each.status?.providerID]))
  const idOf = (group: Resource<'SecurityGroup'>) => ids.get(inNamespaceOf(group, cloudSecurityGroupName(group.metadata.uid, cloud)))
  return new Map([...truth.values('SecurityGroup')].map((group) => [keyOfItem(group), { group, id: idOf(group) }]))
}

function hasItsRules({ group, id = '' }: AtCloud, groups: Groups, cloud: CloudModel, fail: (what: string) => void): void {
  const keys = groupsInRules(group).map((name) => inNamespaceOf(group, name))
  const remotes = new Map(keys.filter((key) => groups.has(key)).map((key) => [key, groups.get(key)!.id]))
  const { rules } = rulesAtCloud(group, { remotes, cannot: () => undefined })
  if (!sameRules(rules, cloud.rulesOf(id))) fail(`${id} at the cloud has other rules than SecurityGroup ${keyOfItem(group)}`)
}
