// Links in memory: for the memory data plane, and for tests that look into them.
import { LinkTaken } from '../../core/errors.ts'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { Inside, Links, OurLink, Plumbed } from './links.ts'

export interface MemoryLinks extends Links {
  /** Host end → what is inside. */
  readonly there: ReadonlyMap<string, { readonly port: LocalPort; readonly inside: Inside }>
  /** Ports that were announced, by UID, in order. */
  readonly announced: readonly string[]
}

export function memoryLinks(): MemoryLinks {
  const there = new Map<string, { readonly port: LocalPort; readonly inside: Inside }>()
  const announced: string[] = []
  const plumbed = (port: LocalPort, inside: Inside, fresh: boolean): Plumbed => ({
    ifcName: port.ifcName,
    hostIndex: port.number,
    hostMac: '',
    index: port.number,
    mac: port.mac,
    mtu: inside.mtu ?? port.mtu,
    fresh,
  })
  return {
    there,
    announced,
    ensure(port, inside) {
      const taken = [...there.values()].some(
        (each) => each.port.uid !== port.uid && each.inside.netns === inside.netns && each.inside.ifname === inside.ifname,
      )
      if (taken) return Promise.reject(new LinkTaken({ ifname: inside.ifname, where: inside.netns ?? 'the node' }))
      const before = there.get(port.ifcName)?.inside
      there.set(port.ifcName, { port, inside })
      return Promise.resolve(plumbed(port, inside, before?.netns !== inside.netns || before?.ifname !== inside.ifname))
    },
    giveBack: ({ ifcName }) => Promise.resolve(void there.delete(ifcName)),
    remove: (ifcName) => Promise.resolve(void there.delete(ifcName)),
    check: (port, inside) =>
      Promise.resolve(there.get(port.ifcName)?.inside.ifname === inside.ifname ? [] : [`there is no ${inside.ifname}`]),
    strip: (inside) =>
      Promise.resolve(
        void [...there]
          .filter(([, each]) => each.inside.netns === inside.netns && each.inside.ifname === inside.ifname)
          .forEach(([name, { port, inside: now }]) =>
            there.set(name, {
              port,
              inside: { ...now, addresses: now.addresses.filter((each) => !inside.addresses.includes(each)), routes: [] },
            }),
          ),
      ),
    hasOwn: (ifcName) => Promise.resolve(there.get(ifcName)?.inside.own === true),
    list: () =>
      Promise.resolve(
        [...there.values()].map(({ port }): OurLink => ({
          ifcName: port.ifcName,
          index: port.number,
          uid: port.uid,
          up: true,
          mtu: port.mtu,
        })),
      ),
    announce: (port) => Promise.resolve(void announced.push(port.uid)),
    reap: () => Promise.resolve(),
    close: () => Promise.resolve(),
  }
}
