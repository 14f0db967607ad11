// What is wired on machines: an address once, by its lock, in a sandbox of the pod that the Port is for. What a machine has that somebody
// has said is gone, and is not, may be another's by then: it is unwired before the machine has the same once more.
import { segmentNumberOf } from '../../../core/node/wanted.ts'
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import { isExpectedOn } from '../../../core/plan/vpc/move.ts'
import { outOfServiceTaint } from '../../../core/plan/node/node.ts'
import type { Invariant } from '../invariant.ts'
import { isHolder } from './lock-holder.ts'
import type { Truth } from '../truth.ts'
import { type Machine, type Wired } from '../world/machines.ts'
import { podOfNetns } from '../world/netns.ts'
import type { Station } from '../world/traffic.ts'

const vniOf = ({ port }: Wired): number | undefined => segmentNumberOf(port.attachment)

export const wired: Invariant = {
  name: 'wired',
  begin({ site: { truth }, machines }, fail) {
    /** VNI and address → who has it, by node and interface. */
    const there = new Map<string, Map<string, Wired>>()
    /** Node and UID of a Port that was wired there when the Node was proven gone. */
    const proven = new Set<string>()
    const nameOf = ({ node, port: { uid } }: Wired): string => `${node} ${uid}`
    const keysOf = (each: Wired): string[] => [...each.port.addresses, each.port.mac].map((one) => `${vniOf(each)} ${one}`)
    const portOf = (uid: string): Resource<'Port'> | undefined => [...truth.values('Port')].find(({ metadata }) => metadata.uid === uid)
    const lockedFor = (vni: number, address: string, uid: string): boolean =>
      [...truth.values('IPLock')].some((lock) => lock.spec.vni === vni && lock.spec.address === address && isHolder(lock, uid))

    /** Node and UID of a Port that was ever to move there, or has moved away from there. */
    const movable = new Set<string>()
    /**
     * A TAP that waits for a VM, or that a VM has just left: its node's data plane does not know the one, and takes the other away as soon
     * as its agent hears of it. Whether a packet gets to either, `passes` asks.
     */
    const isBeside = (each: Wired): boolean => movable.has(nameOf(each)) && portOf(each.port.uid)?.spec.node !== each.node

    function comes(each: Wired): void {
      const vni = vniOf(each)
      if (vni === undefined || isBeside(each)) return
      for (const key of keysOf(each)) {
        const all = there.get(key) ?? new Map<string, Wired>()
        there.set(key, all)
        all.set(nameOf(each), each)
        // It hears nothing, and goes on as it knew.
        if (machines.of(each.node).severed) proven.add(nameOf(each))
        const others = [...all.values()].filter(
          (other) =>
            nameOf(other) !== nameOf(each) &&
            !isBeside(other) &&
            (other.node === each.node || (!proven.has(nameOf(other)) && !proven.has(nameOf(each)))),
        )
        if (others[0] !== undefined)
          fail(`${key} is wired on ${each.node} for ${each.port.uid}, and on ${others[0].node} for ${others[0].port.uid}`)
      }
      for (const address of each.port.addresses)
        if (!proven.has(nameOf(each)) && !lockedFor(vni, address, each.port.uid))
          fail(`${address} of VNI ${vni} is wired on ${each.node} for ${each.port.uid}, and its lock is not for it`)
      isOwn(each)
    }
    /** Port and podUID → the name of that pod, as its claim had it. A claim that is taken back leaves podUID until all is unwired. */
    const claimants = new Map<string, string>()
    function isOwn({ netns, port: { uid } }: Wired): void {
      const pod = netns === undefined ? undefined : podOfNetns(netns)
      const port = portOf(uid)
      if (pod === undefined || port === undefined) return
      const { podUID } = port.spec
      if (port.metadata.namespace === pod.namespace && podUID === pod.uid && claimants.get(`${uid} ${podUID}`) === pod.name) return
      fail(`the sandbox of pod ${pod.namespace}/${pod.name} is wired to Port ${keyOfItem(port)}, which is not its own`)
    }
    machines.on((each, isThere) => {
      if (isThere) return comes(each)
      proven.delete(nameOf(each))
      for (const key of keysOf(each)) there.get(key)?.delete(nameOf(each))
    })
    const isOut = (node: Resource<'Node'> | undefined): boolean =>
      node === undefined || (node.spec.taints ?? []).some(({ key }) => key === outOfServiceTaint)
    const prove = (name: string): void => {
      for (const all of there.values()) for (const each of all.values()) if (each.node === name) proven.add(nameOf(each))
    }
    const gone = (lock: Resource<'IPLock'>): void => {
      const { vni, address, holder } = lock.spec
      for (const each of there.get(`${vni} ${address}`)?.values() ?? [])
        if (each.port.uid === holder?.uid && !proven.has(nameOf(each)) && !isBeside(each))
          fail(`the lock ${keyOfItem(lock)} was freed while ${each.node} has its interface ${each.port.ifcName}`)
    }
    const follow = ({ metadata: { uid }, spec: { claim, podUID, migratingTo, node } }: Resource<'Port'>): void => {
      if (migratingTo !== undefined) for (const each of [node, migratingTo]) movable.add(`${each} ${uid}`)
      if (claim !== undefined && claim.podUID === podUID) claimants.set(`${uid} ${podUID}`, claim.pod)
    }
    return {
      landed({ kind, before, after }) {
        if (kind === 'Port' && after !== undefined) follow(after as Resource<'Port'>)
        if (kind === 'Node' && isOut(after as Resource<'Node'> | undefined)) prove((after ?? before)!.metadata.name)
        if (kind === 'IPLock' && after === undefined) gone(before as Resource<'IPLock'>)
      },
      atRest() {
        for (const machine of machines.all.values()) {
          for (const { port, inside } of machine.links.there.values()) {
            const left = leftInVlans(machine, { port, inside }, truth)
            if (left !== undefined) fail(left)
            if (port.of.kind === 'L2ServiceAttachment') continue
            const there = portOf(port.uid)
            if (there === undefined || (there.spec.node !== machine.name && !isExpectedOn(there, machine.name)))
              fail(`${machine.name} has an interface of ${port.uid}, which ${there === undefined ? 'is gone' : 'is not on it'}`)
          }
          for (const ifcName of machine.plane.leftOver()) fail(`${machine.name}'s data plane has ${ifcName}, which is there no more`)
        }
      },
    }
  },
}

/** An interface of an attachment is its pod's, and no Port's. */
function leftInVlans({ name }: Machine, { port, inside }: Pick<Station, 'port' | 'inside'>, truth: Truth): string | undefined {
  if (port.of.kind !== 'L2ServiceAttachment') return undefined
  const pod = podOfNetns(inside.netns ?? '')
  const item = pod && truth.at('Pod', `${pod.namespace}/${pod.name}`)
  const isIts = item !== undefined && item.metadata.uid === pod?.uid && item.spec.nodeName === name
  return isIts ? undefined : `${name} has ${port.ifcName} in VLANs of pod ${pod?.name}, which is not on it`
}
