// A Port is a port: made without a host, many in one request; bound by itself, by whoever may.
import type { CloudAction, CloudPort, CloudScope, CloudThingDriver } from '../../../../core/contracts/cloud.ts'
import { macOfUID } from '../../../../core/net/mac.ts'
import { limited, type Clock } from '../../../../platform/clock.ts'
import type { Caller, NeutronApi } from './api.ts'
import { Bindings, withoutMove } from './bindings.ts'
import { BulkSize } from '../bulk.ts'
import { making, namesMost, waitMs, type PortRequest } from './making.ts'
import { callerOf, existing, ofOwner } from './lookup.ts'
import { Gathering } from '../gathering.ts'
import { handOver, isHandover, partsOf, type Handover } from './life.ts'
import type { Mtus } from './known/mtus.ts'
import { nameOf, ownText } from './owner.ts'
import { createBody, seenAs, updateBody, type Port, type WantedIds } from './port-bodies.ts'
import type { QosPolicies } from './known/qos-policies.ts'
import type { SecurityGroups } from './groups/security-groups.ts'

export interface PortDeps {
  /** Of the project: it makes, changes and deletes. */
  readonly project: NeutronApi
  /** Of the cloud: it binds, and is shown what a port is bound to. */
  readonly binding: NeutronApi
  readonly groups: SecurityGroups
  readonly qos: QosPolicies
  readonly mtus: Mtus
  readonly clock: Clock
  /** How long a request may take. */
  readonly timeoutMs: number
  /** cloud: Neutron lets nobody choose them, and so refuses no second port. */
  readonly macs: 'ours' | 'cloud'
}

/** Whose ports they are to the cloud: `compute:` is what a scheduler's ports begin with. */
const deviceOwner = 'compute:megrez'

export function portDriver(deps: PortDeps): CloudThingDriver<'port'> {
  const { project, binding, clock, timeoutMs } = deps
  const size = new BulkSize(clock)
  const lookups = perTenant((tenant) => looking(deps, tenant))
  const creates = perTenant((tenant) => making({ project, clock, timeoutMs, tenant, size, isSoughtFirst: deps.macs === 'cloud' }))
  const bindings = new Bindings(binding)
  const seer = portSeer(deps)
  async function seen(port: Port, scope: CloudScope, caller: Caller): Promise<CloudPort> {
    const [there, second] = await Promise.all([seer(port, caller), scope.moves === true ? bindings.secondOf(port, caller) : undefined])
    return { ...there, ...(second && { second }) }
  }
  async function found(scope: CloudScope, caller: Caller): Promise<readonly Port[]> {
    if (scope.existing === undefined) return lookups(caller.tenant).of(scope.of.uid, caller.signal)
    const there = await existing<Port>(binding, 'ports', scope.existing, caller)
    return there === undefined ? [] : [there]
  }
  /** What is let go has no second binding. */
  async function alone<A extends Handover<'port'>>(action: A, caller: Caller): Promise<A> {
    if (action.do !== 'release' || action.scope.moves !== true) return action
    const revision = await bindings.expect({ ...action, do: 'expect', host: undefined }, caller)
    return { ...action, there: { ...action.there, revision } }
  }
  async function changed(by: NeutronApi, action: Action<'bind' | 'update'>, caller: Caller): Promise<void> {
    const [{ id, revision }] = partsOf(action.there) as [ReturnType<typeof partsOf>[number]]
    const change = action.do === 'bind' ? bound(action) : updateBody(action.there, action.wanted, await idsOf(action, deps, caller))
    if (Object.keys(change).length > 0) await by.update('ports', { id, revision, change }, caller)
  }
  return {
    name: 'neutron',
    async observe(scope, signal) {
      const caller = callerOf(scope, signal)
      const [there, ...doubles] = await Promise.all((await found(scope, caller)).map((port) => seen(port, scope, caller)))
      return { there, ...(doubles.length > 0 && { doubles }) }
    },
    async apply(action, signal) {
      const { scope } = action
      const caller = callerOf(scope, signal)
      if (action.do === 'create') return creates(caller.tenant).of(await bodyFor(action, deps, caller), signal)
      if (action.do === 'expect') return void (await bindings.expect(action, caller))
      // What was there before may be another project's, and where it is bound is the cloud's affair.
      const by = ofTheCloud.has(action.do) ? binding : project
      if (isHandover(action)) return handOver(by, 'ports', { action: await alone(action, caller), more: unboundOf }, caller)
      if (action.do === 'bind' && scope.moves === true) return bindings.bind(action, bound(action), caller)
      return changed(by, action, caller)
    },
  }
}

export type PortSeerDeps = Pick<PortDeps, 'groups' | 'qos' | 'mtus'>

/** A port as the contract has it: with its groups and its QoS policy, and the MTU of its network. */
export function portSeer({ groups, qos, mtus }: PortSeerDeps): (port: Port, caller: Caller) => Promise<CloudPort> {
  return async (port, caller) =>
    seenAs(port, {
      groups: await groups.among(port.security_groups ?? [], caller),
      qosPolicy: await qos.among(port.qos_policy_id, caller),
      mtu: await mtus.of(port.network_id, caller),
    })
}

type Action<Verb> = Extract<CloudAction<'port'>, { readonly do: Verb }>

const ofTheCloud: ReadonlySet<string> = new Set<CloudAction<'port'>['do']>(['adopt', 'release', 'bind'])

/** Neutron's own word for none. */
const unbound = { 'binding:host_id': '', device_id: '', device_owner: '' }
const unboundOf = (port: Partial<Port>): object => ({ ...unbound, ...withoutMove(port) })

const bound = ({ scope, host }: Action<'bind'>): object =>
  host === undefined ? unbound : { 'binding:host_id': host, device_id: scope.pod ?? scope.of.uid, device_owner: deviceOwner }

async function idsOf(
  { wanted: { securityGroups, groups: ours, qosPolicy } }: Action<'create' | 'update'>,
  { groups, qos }: Pick<PortDeps, 'groups' | 'qos'>,
  caller: Caller,
): Promise<WantedIds> {
  return {
    groups: securityGroups === undefined ? undefined : [...(await groups.idsOf(securityGroups, caller)), ...ours],
    qosPolicy: typeof qosPolicy === 'string' ? await qos.idOf(qosPolicy, caller) : qosPolicy,
  }
}

async function bodyFor(action: Action<'create'>, deps: PortDeps, caller: Caller): Promise<PortRequest> {
  const { scope, wanted } = action
  const { uid } = scope.of
  const names = { network_id: scope.network, ...ownText(scope.of, deps.project.installation) }
  const body = createBody(wanted, scope.subnet, await idsOf(action, deps, caller))
  const mac = wanted.mac ?? (deps.macs === 'ours' ? macOfUID(uid) : undefined)
  return { uid, body: { ...names, ...(mac !== undefined && { mac_address: mac }), ...body } }
}

/** Looks for ports of one tenant, each by its owner. */
function looking({ binding, clock, timeoutMs }: PortDeps, tenant: string): Gathering<string, readonly Port[]> {
  return new Gathering({
    most: () => namesMost,
    clock,
    async ask(uids) {
      const named = [...new Set(uids)].map((uid) => ['name', nameOf(uid)] as const)
      const all = await limited(timeoutMs + waitMs, clock, (signal) => binding.list<Port>('ports', named, { tenant, signal }))
      return uids.map((uid) => ofOwner(all, uid))
    },
  })
}

/** Tenants do not wait for one another. */
function perTenant<T>(open: (tenant: string) => T): (tenant: string) => T {
  const all = new Map<string, T>()
  return (tenant) => {
    const there = all.get(tenant) ?? open(tenant)
    all.set(tenant, there)
    return there
  }
}
