// The network under the tunnel, asked of the kernel by `ip -json`: seldom, and never while a pod waits for it.
import { createSocket } from 'node:dgram'
import { networkInterfaces } from 'node:os'
import { ConfigInvalid, InUse } from '../../../core/errors.ts'
import { pause, type Clock } from '../../../platform/clock.ts'
import { run } from '../../../platform/programs/run.ts'
import type { Uplink } from '../../../core/graph/base.ts'
import type { Macs, Underlay } from './hops.ts'

/** A host that is there answers within milliseconds. */
const attempts = 10
const pollMs = 20

/** Of `ip -json route get` and `ip -json neigh show`: the latter alone have a state. */
interface Shown {
  readonly dst?: string
  readonly gateway?: string
  readonly dev?: string
  readonly lladdr?: string
  readonly state?: readonly string[]
}

/** Many commands, one program; what the kernel refuses shows nothing. */
async function ip(netns: string | undefined, commands: readonly string[]): Promise<readonly Shown[]> {
  const { stdout } = await run('ip', [...(netns === undefined ? [] : ['-n', netns]), '-json', '-force', '-batch', '-'], {
    input: `${commands.join('\n')}\n`,
  })
  return stdout.split('\n').flatMap((line) => (line.trim() === '' ? [] : (JSON.parse(line) as readonly Shown[])))
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
export function kernelUnderlay(uplink: Uplink, clock: Clock, netns?: string): Underlay {
  return {
    uplink,
    async macsOf(hosts, signal) {
      const first = await read(netns, hosts)
      if (first.silent.length === 0) return first.macs
      // Makes the kernel ask, and keep asking (NTF_MANAGED, Linux 5.16).
      await ip(netns, first.silent)
      for (let times = 1; ; times++) {
        const { macs, silent } = await read(netns, hosts)
        if (silent.length === 0 || times >= attempts) return macs
        await pause(pollMs, clock, signal)
        signal.throwIfAborted()
      }
    },
    claim: () => (netns === undefined ? claim(uplink.address, uplink.l4Port) : Promise.resolve(() => Promise.resolve())),
  }
}

/** `silent`: what to tell the kernel for those whose MAC it does not know; none for hosts without a route. */
async function read(
  netns: string | undefined,
  hosts: readonly string[],
): Promise<{ readonly macs: Macs; readonly silent: readonly string[] }> {
  if (hosts.length === 0) return { macs: new Map(), silent: [] }
  const shown = await ip(netns, [...hosts.map((host) => `route get ${host}`), 'neigh show'])
  const hops = new Map(
    shown.flatMap(({ dst, gateway, dev, state }) =>
      state !== undefined || dst === undefined || dev === undefined ? [] : [[dst, { next: gateway ?? dst, dev }] as const],
    ),
  )
  const known = new Map(
    shown.flatMap(({ dst, dev, lladdr, state }) =>
      lladdr === undefined || state === undefined || state.includes('FAILED') ? [] : [[`${dst} ${dev}`, lladdr] as const],
    ),
  )
  const macs = new Map(
    [...hops].flatMap(([host, { next, dev }]) => (known.has(`${next} ${dev}`) ? [[host, known.get(`${next} ${dev}`)!] as const] : [])),
  )
  return {
    macs,
    silent: [...hops].flatMap(([host, { next, dev }]) => (macs.has(host) ? [] : [`neigh replace ${next} dev ${dev} managed`])),
  }
}

/** A socket that is never read: its buffer fills, and the kernel drops the rest, where it would refuse each frame by ICMP. */
function claim(address: string, l4Port: number): Promise<() => Promise<void>> {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4096 })
  return new Promise((resolve, reject) => {
    socket.once('error', (cause) => reject(new InUse({ what: `UDP port ${l4Port} of ${address}`, owner: 'another program', cause })))
    socket.bind({ address, port: l4Port, exclusive: true }, () => resolve(() => new Promise((done) => socket.close(done))))
  })
}
