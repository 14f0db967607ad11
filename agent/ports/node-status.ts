// What the store is told of a Port here: the section of its status of which the agent is the one writer.
import { refOf, type Resource } from '../../core/kinds/index.ts'
import type { Condition } from '../../core/kinds/meta.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import { portPiece } from '../../core/pieces/port.ts'
import { policiesLeftOut } from '../../core/plan/node/policy.ts'
import { nodeConditions } from '../../core/plan/node/unsupported.ts'
import { sameJson } from '../../core/same-json.ts'
import type { AgentEnv } from '../agent-env.ts'
import { rulesHere } from './policy.ts'
import { tapLeftOut, tapOnNode } from '../links/ends.ts'
import { notBooked } from '../uplink/bookings.ts'
import { statusHop } from '../hops.ts'
import type { NodeStatus, Wired } from '../ledger/record.ts'

type Port = Resource<'Port'>

/** As it was reported, also where no watch has brought that back yet: the section has no other writer. */
export const lastOf = ({ metadata, status }: Port, { reported }: AgentEnv): NodeStatus | undefined =>
  reported.get(metadata.uid) ?? status?.node

export const portOf = (uid: string, { ports }: AgentEnv): Port | undefined => [...ports.by('uid', uid)][0]

/** A first list may be of a past in which the Port was still here, and its address is another's by now: the store itself is asked. */
export async function liveOf(seen: Port, { store }: Pick<AgentEnv, 'store'>): Promise<Port | undefined> {
  const there = await store.get(refOf(seen))
  return there?.metadata.uid === seen.metadata.uid ? there : undefined
}

/** Where the store does not know it: also after an agent that was killed before the store had taken its word. */
export function reportWired({ port: local, done }: Wired, env: AgentEnv): void {
  const port = portOf(local.uid, env)
  if (port === undefined) return
  const last = lastOf(port, env)
  const now = { wired: true, ...tapOf(local), ...done, ...(last?.chain !== undefined && { chain: last.chain }) }
  if (!isTold(last, { ...now, booked: localOf(port, env)?.policy?.booked })) reportNodeStatus(port, now, env)
}

/** In another sandbox a Port may have booked what it had not in the one before. */
function isTold(
  last: Partial<NodeStatus> = {},
  now: Pick<NodeStatus, 'wired' | 'message' | 'tap'> & { readonly booked: number | undefined },
) {
  return last.wired === now.wired && last.message === now.message && last.tap === now.tap && last.booked === now.booked
}

/** Which TAP its hypervisor opens. */
export function tapOf(local: Wired['port']): Pick<NodeStatus, 'tap'> {
  const tap = tapOnNode(local)
  return tap === undefined ? {} : { tap }
}

/** Why it is not wired yet; it is tried again. */
export function reportNotWired(port: Port, message: string, env: AgentEnv): void {
  const last = lastOf(port, env)
  if (last?.wired !== false || last.message !== message) reportNodeStatus(port, { wired: false, message }, env)
}

export function reportNodeStatus(port: Port, { conditions: _, booked: __, ...node }: NodeStatus, env: AgentEnv): void {
  const conditions = conditionsOf(port, env)
  const booked = localOf(port, env)?.policy?.booked
  const whole: NodeStatus = {
    ...node,
    dataplane: env.plane.name,
    ...(booked !== undefined && { booked }),
    ...(conditions.length > 0 && { conditions: [...conditions] }),
  }
  const taken = statusHop(port, lastOf(port, env), whole, env)
  env.reported.set(port.metadata.uid, whole)
  // What a pod has stays on its node while it is wired here. A VM moves meanwhile.
  let maySay = port.spec.claim !== undefined
  env.outbox.put(`status ${port.metadata.uid}`, async () => {
    if (!maySay) await sayOfLive(port, whole, env)
    else {
      maySay = false
      await env.store.patchStatus({ ref: refOf(port), uid: port.metadata.uid }, { node: { node: whole } })
    }
    taken()
  })
}

/** A first time may have been heard and the answer lost: by now the Port may have been let go, and be wired on another node. */
async function sayOfLive(port: Port, whole: NodeStatus, { store, node }: AgentEnv): Promise<void> {
  const [ref, { uid }] = [refOf(port), port.metadata]
  const there = await store.get(ref)
  if (there?.metadata.uid === uid && there.spec.node === node)
    await store.patchStatus({ ref, uid, resourceVersion: there.metadata.resourceVersion }, { node: { node: whole } })
}

/** A report of a Port that is on its way is void, and what was reported is no matter any more. */
export function dropReport({ metadata: { uid } }: Port, { reported, outbox }: AgentEnv): void {
  if (reported.delete(uid)) outbox.put(`status ${uid}`, () => Promise.resolve())
}

/** As it is carried here, else as it was. */
const localOf = ({ metadata: { uid } }: Port, { loop, ledger }: AgentEnv): LocalPort | undefined =>
  loop.pieces.of(portPiece).get(uid) ?? ledger.wiredOf(uid)?.port

function conditionsOf(port: Port, env: AgentEnv): readonly Condition[] {
  const { loop, plane, clock } = env
  const local = localOf(port, env)
  const all =
    local === undefined
      ? []
      : [
          ...plane.renderer.unsupported(portPiece, local, loop.pieces.neededBy(portPiece, local)),
          ...tapLeftOut(local),
          ...policiesLeftOut(local.policy?.ruleSets ?? [], rulesHere(env)),
          ...notBooked(local, env),
        ]
  const last = lastOf(port, env)
  return nodeConditions(
    { ...port, status: { ...port.status, ...(last && { node: last }) } },
    { all, plane: plane.name, now: new Date(clock.now()).toISOString() },
  )
}

/** What was reported of a wired Port is reported anew where it is another thing by now: its Subnet or its node's data plane is. */
export function reportUnsupported(port: Port, env: AgentEnv): void {
  const node = lastOf(port, env)
  if (node?.wired !== true) return
  const { dataplane, booked, conditions = [] } = node
  const isSame = dataplane === env.plane.name && booked === localOf(port, env)?.policy?.booked
  if (!isSame || !sameJson(conditions, conditionsOf(port, env))) reportNodeStatus(port, node, env)
}

/** The same of all of a VNI: what is routed there is other than before. */
export function reportRouted(vni: number, env: AgentEnv): void {
  for (const { uid, attachment } of env.loop.pieces.of(portPiece).values()) {
    const port = attachment.kind === 'vni' && attachment.vni === vni ? portOf(uid, env) : undefined
    if (port !== undefined) reportUnsupported(port, env)
  }
}

/** What rules have logged of a Port. @returns false: that it is wired has not been reported yet */
export function reportLogged(uid: string, logged: NonNullable<NodeStatus['logged']>, env: AgentEnv): boolean {
  const port = portOf(uid, env)
  const node = port && lastOf(port, env)
  if (port === undefined || node?.wired !== true) return false
  reportNodeStatus(port, { ...node, logged }, env)
  return true
}
