// What nodes have, by the word of their agents, and what the store says of it. A node speaks of itself alone: whatever it says, only it is
// asked to put something right, and objects are looked after by their own workers, which decide by live reads.
import { refOf, type Ref, type Resource } from '../../kinds/index.ts'
import type { Inventory, InventoriedPort } from '../../kinds/node/inventory.ts'
import type { FindingClass } from '../../kinds/vpc/audit.ts'
import { byUid, portsIn, textOf, type AuditSeen, type Difference } from './difference.ts'

type Port = Resource<'Port'>

/** Of one node: one that makes up what it has does not crowd out all others. */
const findingsOfNodeMax = 64

/** A Port as it was read before its node answered, and after. */
interface TwiceRead {
  readonly was: Port | undefined
  readonly is: Port | undefined
}
interface Around {
  readonly node: string
  readonly inventory: Inventory
  readonly isWhole: boolean
  readonly ports: ReadonlyMap<string, TwiceRead>
  readonly living: ReadonlySet<string>
}

export function nodesAmiss({ before, after, inventories, pods, podsAfter = pods }: AuditSeen): readonly Difference[] {
  if (inventories === undefined) return []
  const ports = readTwice(portsIn(before), portsIn(after))
  const living = new Set([...pods, ...podsAfter].map(({ metadata }) => metadata.uid))
  return [...inventories].flatMap(([node, answer]) => {
    if (answer === undefined) return silent(node, ports)
    const { inventory, isWhole } = answer
    const around = { node, inventory, isWhole, ports, living }
    return [...stuck(around), ...orphansOn(around), ...inventory.ports.flatMap((each) => ofPort(each, around)), ...unknownTo(around)].slice(
      0,
      findingsOfNodeMax,
    )
  })
}

function readTwice(before: readonly Port[], after: readonly Port[]): ReadonlyMap<string, TwiceRead> {
  const [was, is] = [byUid(before), byUid(after)]
  return new Map([...was.keys(), ...is.keys()].map((uid) => [uid, { was: was.get(uid), is: is.get(uid) }]))
}

interface FindingOnNode {
  readonly class: FindingClass
  readonly node: string
  readonly of?: Port
  readonly id?: string
  readonly message: string
  readonly wake?: Ref
}
/** @param asksNode false: nobody there would answer */
function found({ class: what, node, of, id, message, wake }: FindingOnNode, asksNode = true): Difference {
  return {
    finding: { class: what, node, message, ...(of && { object: textOf(of) }), ...(id !== undefined && { id }) },
    repair: { do: 'mend', ...(asksNode && { node }), ...(wake && { wake }) },
  }
}

const isWiredOn = ({ spec, status, metadata }: Port, node: string): boolean =>
  metadata.deletionTimestamp === undefined && spec.node === node && status?.node?.wired === true
const wasAndIsWiredOn = ({ was, is }: TwiceRead, node: string): boolean =>
  was !== undefined && is !== undefined && isWiredOn(was, node) && isWiredOn(is, node)

/** One that no Port is wired on may have no agent. */
function silent(node: string, ports: Around['ports']): readonly Difference[] {
  const wired = [...ports.values()].filter((each) => wasAndIsWiredOn(each, node)).length
  if (wired === 0) return []
  const message = `node ${node} has not answered: what it has is not known, and ${wired} Ports are told to be wired there`
  return [found({ class: 'silent', node, message }, false)]
}

const stuck = ({ node, inventory: { problem } }: Around): readonly Difference[] =>
  problem === undefined ? [] : [found({ class: 'stuck', node, message: `node ${node} is not as it should be: ${problem}` })]

const orphansOn = ({ node, inventory }: Around): readonly Difference[] =>
  inventory.interfaces.map(({ name, uid }) => {
    const of = uid === undefined ? '' : ` for a Port with UID ${uid}`
    return found({
      class: 'orphan',
      node,
      id: name,
      message: `node ${node} has an interface ${name} that Megrez has made${of}, and no Port there has it`,
    })
  })

function ofPort(entry: InventoriedPort, around: Around): readonly Difference[] {
  const { node, ports } = around
  const each = ports.get(entry.uid)
  if (entry.state === 'changing') return []
  if (each === undefined) return gone(entry, node)
  const { was, is } = each
  // It came or went meanwhile.
  if (was === undefined || is === undefined) return []
  if (entry.state !== 'wired') return wasAndIsWiredOn(each, node) ? [missing(entry, is, node)] : []
  return isElsewhere(was, node) && isElsewhere(is, node) ? [elsewhere(entry, is, node)] : podless(entry, is, around)
}

/** A UID is stored before anything is wired for it, and never comes again. */
function gone({ uid, port, interface: of, state }: InventoriedPort, node: string): readonly Difference[] {
  if (state === 'unwired') return []
  return [
    found({
      class: 'orphan',
      node,
      id: uid,
      message: `node ${node} has wired ${of ?? 'something'} for Port ${port} with UID ${uid}, which is gone`,
    }),
  ]
}

const missing = ({ state, interface: of }: InventoriedPort, is: Port, node: string): Difference => {
  const why = state === 'lost' ? `its interface ${of ?? ''} is gone` : 'it has not wired it'
  return found({ class: 'missing', node, of: is, message: `${textOf(is)} is told to be wired on node ${node}: ${why}`, wake: refOf(is) })
}

/** While its VM moves it is on two nodes. */
const isElsewhere = ({ spec, status, metadata }: Port, node: string): boolean =>
  metadata.deletionTimestamp === undefined && spec.node !== node && spec.migratingTo === undefined && status?.migration === undefined

const elsewhere = ({ interface: of }: InventoriedPort, is: Port, node: string): Difference => {
  const on = is.spec.node === undefined ? 'on no node' : `on node ${is.spec.node}`
  return found({ class: 'elsewhere', node, of: is, message: `${textOf(is)} is ${on}, and node ${node} has wired it too, as ${of ?? ''}` })
}

/** Where the Port says itself for which pod it is, that is another finding. */
function podless(
  { pod, interface: of }: InventoriedPort,
  is: Port,
  { node, living }: Pick<Around, 'node' | 'living'>,
): readonly Difference[] {
  if (pod === undefined || living.has(pod) || is.spec.claim?.podUID === pod || is.metadata.deletionTimestamp !== undefined) return []
  const message = `${textOf(is)} is wired on node ${node} as ${of ?? ''}, for a pod with UID ${pod}, which is gone`
  return [found({ class: 'podless', node, of: is, message, wake: refOf(is) })]
}

/** Those that its agent does not know of at all. */
function unknownTo({ node, inventory, isWhole, ports }: Around): readonly Difference[] {
  if (!isWhole) return []
  const named = new Set(inventory.ports.map(({ uid }) => uid))
  return [...ports].flatMap(([uid, each]) => {
    if (named.has(uid) || !wasAndIsWiredOn(each, node)) return []
    return [missing({ uid, port: '', state: 'unwired' }, each.is!, node)]
  })
}
