// The network under the tunnel, asked of the kernel by `ip -json`: seldom, and never while a pod waits for it.
import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { ConfigInvalid, InUse } from '../../../core/errors.ts'
import { run } from '../../../platform/programs/run.ts'
import type { Uplink } from '../../../core/graph/base.ts'
import type { Underlay } from './hops.ts'

/** A host that is there answers within milliseconds. */
const looks = 10
const lookMs = 20

interface Neighbour {
  readonly dst?: string
  readonly lladdr?: string
  readonly state?: readonly string[]
}

async function ip<T>(netns: string | undefined, ...args: readonly string[]): Promise<readonly T[]> {
  const done = await run('ip', [...(netns === undefined ? [] : ['-n', netns]), '-json', ...args])
  return done.code === 0 && done.stdout.trim() !== '' ? (JSON.parse(done.stdout) as readonly T[]) : []
}

/** @throws ConfigInvalid where no interface of ours has the address */
export function ownUplink(address: string, l4Port: number): Uplink {
  for (const [ifcName, list = []] of Object.entries(networkInterfaces())) {
    const found = list.find((each) => each.address === address)
    if (found !== undefined) return { ifcName, mac: found.mac, address, l4Port }
  }
  throw new ConfigInvalid({ name: 'MEGREZ_TUNNEL_ADDRESS', reason: `no interface of this node has ${address}` })
}

/** @param netns the namespace that the uplink and the daemon are in, by its name; absent: ours */
export function kernelUnderlay(uplink: Uplink, netns?: string): Underlay {
  return {
    uplink,
    async macOf(host, signal) {
      const [route] = await ip<{ readonly gateway?: string; readonly dev?: string }>(netns, 'route', 'get', host)
      if (route?.dev === undefined) return undefined
      const next = route.gateway ?? host
      const known = await neighbour(netns, next, route.dev)
      if (known !== undefined) return known
      // Makes the kernel ask, and keep asking (NTF_MANAGED, Linux 5.16).
      await ip(netns, 'neigh', 'replace', next, 'dev', route.dev, 'managed')
      for (let look = 0; look < looks; look++) {
        const found = await neighbour(netns, next, route.dev)
        if (found !== undefined) return found
        await pause(lookMs, undefined, { signal })
      }
      return undefined
    },
    claim: () => (netns === undefined ? claim(uplink.address, uplink.l4Port) : Promise.resolve(() => Promise.resolve())),
  }
}

async function neighbour(netns: string | undefined, address: string, dev: string): Promise<string | undefined> {
  const [found] = await ip<Neighbour>(netns, 'neigh', 'show', address, 'dev', dev)
  return found?.state?.includes('FAILED') === true ? undefined : found?.lladdr
}

/** A socket that is never read: its buffer fills, and the kernel drops the rest, where it would refuse each frame by ICMP. */
function claim(address: string, l4Port: number): Promise<() => Promise<void>> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4096 })
  return new Promise((resolve, reject) => {
    socket.once('error', (cause) => reject(new InUse({ what: `UDP port ${l4Port} of ${address}`, owner: 'another program', cause })))
    socket.bind({ address, port: l4Port, exclusive: true }, () => resolve(() => new Promise((done) => socket.close(done))))
  })
}
