// Audits: each reads all of it live, once, and again where it repairs.
import type { CloudDriver, CloudKind, CloudThingDriver } from '../../../core/contracts/cloud.ts'
import type { Driver } from '../../../core/contracts/driver.ts'
import { messageOf } from '../../../core/errors.ts'
import type { Resource } from '../../../core/kinds/index.ts'
import { isDue, planAudit, type AuditAction, type AuditDesired, type AuditState } from '../../../core/plan/audit/audit.ts'
import type { PlacedObject } from '../../../core/plan/cloud/life.ts'
import type { Plan } from '../../../core/plan/plan.ts'
import type { Env } from '../../controller-env.ts'
import type { Controller } from '../../loop/controller.ts'
import { row, type Row } from '../../loop/controller-row.ts'
import { queueOf } from '../../clouds/timed-cloud-driver.ts'
import { specChanges } from '../../watch/predicates.ts'
import { NodeSurvey } from './node-survey.ts'
import { itself } from '../../watch/map-to-keys.ts'

type Audit = Resource<'Audit'>

export const audits: Row<'Audit'> = row('Audit', (on) => [on('Audit', { when: specChanges, keys: itself })], open)

function open(env: Env): Controller<AuditDesired, Audit, AuditState, AuditAction, Plan<AuditAction>> {
  const survey = new NodeSurvey(env)
  const driver: Driver<Audit, AuditState, AuditAction> = {
    name: 'audit',
    observe: (audit, signal) => stateFor(audit, { env, survey }, signal),
    apply: (action, signal) => (action.do === 'mend' ? survey.mend(action.node) : ended(action, env, signal)),
  }
  return {
    async gather(key) {
      const cached = env.caches.Audit.get(key)
      // How far it is, is read live: a look that is repeated by a cache's word is one too many.
      const audit = cached && (await env.store.get({ kind: 'Audit', name: key }))
      return audit?.metadata.uid === cached?.metadata.uid && audit !== undefined ? { audit } : undefined
    },
    driver: () => driver,
    scope: ({ audit }) => audit,
    item: ({ audit }) => audit,
    plan: planAudit,
  }
}

interface Sources {
  readonly env: Env
  readonly survey: NodeSurvey
}

async function stateFor(audit: Audit, sources: Sources, signal: AbortSignal): Promise<AuditState> {
  if (!isDue(audit, sources.env.clock.now())) return undefined
  try {
    return await everything(audit, sources, signal)
  } catch (err) {
    if (signal.aborted) throw err
    return { problem: messageOf(err) }
  }
}

async function everything({ spec }: Audit, { env, survey }: Sources, signal: AbortSignal): Promise<AuditState> {
  const clouds = (await env.store.list('Cloud')).items.filter(({ metadata }) => spec.cloud === undefined || metadata.name === spec.cloud)
  if (spec.cloud !== undefined && clouds.length === 0) return { problem: `Cloud ${spec.cloud} not found` }
  const drivers = clouds.map((cloud) => [cloud.metadata.name, driverOf(cloud, env)] as const)
  const before = await placedObjects(env)
  const [pods, nodes] = [(await env.store.list('Pod')).items, (await env.store.list('Node')).items]
  // Of one Cloud, what that has.
  const isOfNodes = env.config.agents && spec.cloud === undefined
  const [listed, inventories] = await Promise.all([
    Promise.all(drivers.map(async ([name, driver]) => [name, await driver.inventory('ours', signal)] as const)),
    isOfNodes
      ? survey.ask(
          nodes.map(({ metadata }) => metadata.name),
          signal,
        )
      : undefined,
  ])
  const strange =
    spec.strangers === true
      ? await Promise.all(drivers.map(async ([name, driver]) => [name, await driver.inventory('nobodys', signal)] as const))
      : []
  return {
    before,
    pods,
    nodes,
    clouds: new Map(listed),
    strangers: new Map(strange),
    ...(inventories && { inventories, podsAfter: (await env.store.list('Pod')).items }),
    after: await placedObjects(env),
    landsWithinMs: Math.max(0, ...drivers.map(([, driver]) => driver.landsWithinMs)),
  }
}

/** @throws what it cannot be asked for */
function driverOf(cloud: Resource<'Cloud'>, { clouds }: Env): CloudDriver {
  const session = clouds.usable(cloud)
  if ('problem' in session) throw new Error(session.problem.message)
  return session.driver
}

async function placedObjects({ store }: Env): Promise<readonly PlacedObject[]> {
  const kinds = ['Vpc', 'Subnet', 'Port', 'CloudSecurityGroup'] as const
  const lists = await Promise.all(kinds.map((kind) => store.list(kind)))
  return lists.flatMap(({ items }) => items as readonly PlacedObject[])
}

/** By the driver that would have ended it for its object: what was made goes, what was adopted is let go, another's is left alone. */
async function ended({ cloud: name, item }: Extract<AuditAction, { readonly do: 'end' }>, env: Env, signal: AbortSignal): Promise<void> {
  const cloud = await env.store.get({ kind: 'Cloud', name })
  if (cloud === undefined) return
  const { kind, there, network, subnet, isMade } = item
  const of = { kind: queueOf[kind], namespace: '', name: there.name, uid: there.owner ?? '' }
  const scope = { of, existing: isMade ? undefined : there.id, network, subnet }
  const driver = driverOf(cloud, env)[kind] as CloudThingDriver<CloudKind>
  await driver.apply({ do: isMade ? 'delete' : 'release', scope, there }, signal)
}
