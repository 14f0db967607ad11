// What is wired on machines: an address once, by its lock, in a sandbox of the pod that the Port is for.
import { keyOfItem, type Resource } from '../../../core/kinds/index.ts'
import type { Invariant } from '../invariant.ts'
import { isHolder } from './lock-holder.ts'
import { podOfNetns, type Wired } from '../world/machines.ts'

const vniOf = ({ port }: Wired): number | undefined => (port.attachment.kind === 'vni' ? port.attachment.vni : undefined)

export const wired: Invariant = {
  name: 'wired',
  begin({ site: { truth }, machines }, fail) {
    /** VNI and address → who has it, by node and interface. */
    const there = new Map<string, Map<string, Wired>>()
    const keysOf = (each: Wired): string[] => [...each.port.addresses, each.port.mac].map((one) => `${vniOf(each)} ${one}`)
    const portOf = (uid: string): Resource<'Port'> | undefined => [...truth.values('Port')].find(({ metadata }) => metadata.uid === uid)
    const lockedFor = (vni: number, address: string, uid: string): boolean =>
      [...truth.values('IPLock')].some((lock) => lock.spec.vni === vni && lock.spec.address === address && isHolder(lock, uid))

    function comes(each: Wired): void {
      const vni = vniOf(each)
      if (vni === undefined) return
      for (const key of keysOf(each)) {
        const all = there.get(key) ?? new Map<string, Wired>()
        there.set(key, all)
        all.set(`${each.node} ${each.port.uid}`, each)
        const others = [...all.values()].filter(({ port, node }) => port.uid !== each.port.uid || node !== each.node)
        if (others[0] !== undefined) fail(`${key} is wired on ${each.node} for ${each.port.uid}, and on ${others[0].node} for ${others[0].port.uid}`)
      }
      for (const address of each.port.addresses) if (!lockedFor(vni, address, each.port.uid)) fail(`${address} of VNI ${vni} is wired on ${each.node} for ${each.port.uid}, and its lock is not for it`)
      isOwn(each)
    }
    function isOwn({ netns, port: { uid } }: Wired): void {
      const pod = netns === undefined ? undefined : podOfNetns(netns)
      const port = portOf(uid)
      if (pod === undefined || port === undefined) return
      const { claim, podUID } = port.spec
      if (port.metadata.namespace === pod.namespace && (claim?.podUID ?? podUID) === pod.uid && claim?.pod === pod.name) return
      fail(`the sandbox of pod ${pod.namespace}/${pod.name} is wired to Port ${keyOfItem(port)}, which is not its own`)
    }
    machines.on((each, isThere) => {
      if (isThere) return comes(each)
      for (const key of keysOf(each)) there.get(key)?.delete(`${each.node} ${each.port.uid}`)
    })
    const gone = (lock: Resource<'IPLock'>): void => {
      const { vni, address, holder } = lock.spec
      for (const each of there.get(`${vni} ${address}`)?.values() ?? []) if (each.port.uid === holder?.uid) fail(`the lock ${keyOfItem(lock)} was freed while ${each.node} has its interface ${each.port.ifcName}`)
    }
    return {
      landed({ kind, before, after }) {
        if (kind === 'IPLock' && after === undefined) gone(before as Resource<'IPLock'>)
      },
      atRest() {
        for (const machine of machines.all.values()) {
          for (const { port } of machine.links.there.values()) {
            const there = portOf(port.uid)
            if (there === undefined || there.spec.node !== machine.name) fail(`${machine.name} has an interface of ${port.uid}, which ${there === undefined ? 'is gone' : 'is not on it'}`)
          }
          for (const { name, uid } of machine.plane.rows) if (uid !== '' && portOf(uid) === undefined) fail(`${machine.name}'s data plane has ${name} of ${uid}, whose Port is gone`)
        }
      },
    }
  },
}
