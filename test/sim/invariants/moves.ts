// VMs that move. A Port goes where its VM has spoken since it was last asked to go there, and nowhere else; its addresses and MAC go with
// it, and no TAP goes that a VM has open. In the end it is on one node, and its locks say which; a TAP waits where it is still to go, and
// the other node has nothing of it; and its status tells of no other move.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { isExpectedOn } from '../../../core/plan/vpc/move.ts'
import { isWireable } from '../../../core/plan/node/pieces.ts'
import { sameJson } from '../../../core/same-json.ts'
import { perKind, type Invariant } from '../invariant.ts'
import type { World } from '../happening.ts'
import { nodeAddress } from '../layout.ts'

type Port = Resource<'Port'>

export const moves: Invariant = {
  name: 'moves',
  begin(world, fail) {
    const { site, machines } = world
    /** UID → since when it is to go where it is to go now. */
    const askedAt = new Map<string, number>()
    machines.on(({ node, port: { uid, type, ifcName } }, isThere) => {
      const port = type === 'tap' && !isThere && machines.of(node).up ? machines.vms.portOf(uid) : undefined
      if (port !== undefined && machines.vms.aheadOf(uid) === node && (isExpectedOn(port, node) || isWireable(port, node)))
        fail(`the agent of ${node} took away ${ifcName}, which the VM of Port ${keyOfItem(port)} has open`)
    })
    return {
      landed: perKind({
        Port(before, after) {
          if (before === undefined || after === undefined) return
          const { uid } = after.metadata
          if (after.spec.migratingTo !== undefined && after.spec.migratingTo !== before.spec.migratingTo)
            askedAt.set(uid, site.scheduler.now)
          if (before.spec.migratingTo === undefined || after.spec.node === before.spec.node) return
          const to = before.spec.migratingTo
          if (machines.vms.spokeAt(uid, to) < askedSince(before))
            fail(`Port ${keyOfItem(after)} went to ${to}, where its VM has not spoken since it was to go there`)
          const [was, is] = [before, after].map(({ status }) => [status?.addresses, status?.mac])
          if (!sameJson(was, is))
            fail(`Port ${keyOfItem(after)} had ${JSON.stringify(was)} and has ${JSON.stringify(is)} once it has moved`)
        },
      }),
      atRest() {
        const alone = [...site.truth.values('Port')].filter(({ spec }) => spec.type === 'tap' && spec.claim === undefined)
        for (const port of alone) for (const fault of faultsOf(port, world)) fail(`Port ${keyOfItem(port)} ${fault}`)
      },
    }
    function askedSince({ metadata: { uid } }: Port): number {
      return askedAt.get(uid) ?? 0
    }
  },
}

/** What is wrong with one in the end. */
function* faultsOf(port: Port, world: World): Generator<string> {
  const { vms } = world.machines
  const { node = '' } = port.spec
  if (isWireable(port, node)) yield* faultsWhereItIs(port, node, world)
  yield* faultsOfMove(port, world)
  const at = vms.aheadOf(port.metadata.uid)
  if (at !== undefined) yield `is on ${node}, and its VM runs on ${at}`
}

const hasTap = ({ metadata: { uid } }: Port, node: string, { machines }: World): boolean =>
  machines.all.get(node)?.up === true && [...machines.of(node).links.there.values()].some(({ port }) => port.uid === uid)

function* faultsWhereItIs(port: Port, node: string, world: World): Generator<string> {
  const { truth } = world.site
  if (truth.at('Node', node) !== undefined && !hasTap(port, node, world)) yield `has no TAP on ${node}`
  for (const { spec, metadata } of truth.values('IPLock'))
    if (spec.holder?.uid === port.metadata.uid && spec.address !== undefined && spec.hostIP !== nodeAddress(node))
      yield `is on ${node}, and its lock ${metadata.name} says ${spec.hostIP}`
}

function* faultsOfMove(port: Port, world: World): Generator<string> {
  const { migratingTo: to } = port.spec
  const { migration } = port.status ?? {}
  const isExpected = to !== undefined && isExpectedOn(port, to)
  if (isExpected && !hasTap(port, to, world)) yield `has no TAP on ${to}, where it is to go`
  const told = migration && [migration.node, migration.generation, migration.tap !== undefined, migration.active]
  const wanted = isExpected ? [to, port.metadata.generation, true, undefined] : undefined
  if (!sameJson(told, wanted)) yield `tells ${JSON.stringify(told)} of its move, and that is ${JSON.stringify(wanted)}`
}
