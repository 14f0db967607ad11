// A SecurityGroup is a security group, made first and given its rules then: Neutron makes it with rules of its own, and takes no others in
// the same request. It refuses no second one: where two were asked for at once both are seen, and one of them goes.
import type { CloudAction, CloudGroup, CloudGroupDriver } from '../../../../../core/contracts/cloud.ts'
import type { Caller, NeutronApi, NeutronThing } from '../api.ts'
import { cannot, ruleBody, ruleSeen, type Rule } from './rules.ts'
import { createUnlessThere, handOver, isHandover } from '../life.ts'
import { callerOf, madeWithDoubles } from '../lookup.ts'
import { ownerOf } from '../owner.ts'
import { ruleText } from '../../../../../core/plan/cloud/group-rules.ts'

export interface Group extends NeutronThing {
  readonly security_group_rules?: readonly Rule[]
}

export function groupDriver(api: NeutronApi): CloudGroupDriver {
  return {
    name: 'neutron',
    cannot,
    async observe(scope, signal) {
      return madeWithDoubles<Group, CloudGroup>(api, 'security-groups', { uid: scope.of.uid, seenAs: groupSeen }, callerOf(scope, signal))
    },
    async apply(action, signal) {
      const caller = callerOf(action.scope, signal)
      if (action.do === 'create') return createUnlessThere(api, 'security-groups', action, caller)
      if (isHandover(action)) return handOver(api, 'security-groups', { action }, caller)
      if (action.do === 'update') await update(api, action, caller)
    },
  }
}

/**
 * What is to be shut is shut first. Rules are each made and deleted by itself, and count the group's revision: whoever begins from another
 * one looks again.
 */
async function update(api: NeutronApi, { there: { id, revision }, wanted }: Update, caller: Caller): Promise<void> {
  const now = await groupOf(api, id, caller)
  const change = changeOf(now, wanted)
  if (change.shut.length + change.open.length === 0) return
  if (String(now.revision_number) !== revision) throw api.overtaken('security-groups', id)
  for (const rule of change.shut) await api.delete('security-group-rules', { id: rule.id }, caller)
  if (change.open.length === 0) return
  const bodies = change.open.map((rule) => ruleBody(rule, id))
  const refusal = await api.create('security-group-rules', bodies, caller)
  if (refusal === undefined) return
  // Refused because some of them are there: another request has made these meanwhile.
  const left = changeOf(await groupOf(api, id, caller), wanted).open.length
  if (left === change.open.length) throw refusal
  if (left > 0) throw api.overtaken('security-groups', id)
}

type Update = Extract<CloudAction<'group'>, { readonly do: 'update' }>

/** @throws CloudOvertaken where it is gone */
async function groupOf(api: NeutronApi, id: string, caller: Caller): Promise<Group> {
  const [there] = await api.list<Group>('security-groups', [['id', id]], caller)
  if (there === undefined) throw api.overtaken('security-groups', id)
  return there
}

/** Two that were asked for at once may both be there: the one that comes first stays. */
function changeOf({ security_group_rules: there = [] }: Group, { rules }: Update['wanted']) {
  const missing = new Map(rules.map((rule) => [ruleText(rule), rule]))
  const shut = there
    .toSorted((a, b) => a.id.localeCompare(b.id))
    .filter((rule) => {
      const seen = ruleSeen(rule)
      return seen === undefined || !missing.delete(ruleText(seen))
    })
  return { shut, open: [...missing.values()] }
}

export function groupSeen(group: Group): CloudGroup {
  const { id, name, revision_number: revision, security_group_rules: there = [] } = group
  const rules = new Map(there.flatMap((rule) => ruleSeen(rule) ?? []).map((rule) => [ruleText(rule), rule]))
  return {
    id,
    name,
    state: 'active',
    revision: String(revision),
    owner: ownerOf(group)?.uid,
    rules: [...rules.values()],
    ...(rules.size < there.length && { strange: there.length - rules.size }),
  }
}
