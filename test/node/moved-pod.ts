// A running pod that is moved between networks: what it sends all the time, who has heard it there, and which address it has.
import { spawn } from 'node:child_process'
import type { Namespace } from '../../lab/namespaces.ts'

/** Out of whatever network its interface is in, for as long as it lives. */
const shout = `
import socket,sys,time
while True:
    for to in sys.argv[1:]:
        try:
            s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM); s.setsockopt(socket.SOL_SOCKET,socket.SO_BINDTODEVICE,b'fast')
            s.sendto(b'here',(to,9000)); s.close()
        except OSError: pass
    time.sleep(0.005)
`

/** Datagrams to all of these, some two hundred a second each, by the pod's interface `fast`. */
export function shoutFrom({ name }: Namespace, targets: readonly string[]): { readonly stop: () => void } {
  const inside = ['netns', 'exec', name, 'timeout', '100', 'python3', '-c', shout, ...targets]
  const child = spawn('ip', inside, { stdio: 'ignore' })
  return { stop: () => void child.kill() }
}

/** Source of each IPv4 datagram to that port, in hexadecimal. */
export const sourcesIn = (frames: readonly string[]): readonly string[] =>
  frames.filter((frame) => frame.slice(24, 28) === '0800' && frame.slice(72, 76) === '2328').map((frame) => frame.slice(52, 60))

/** Of its interface `fast`. */
export async function addressIn({ namespace }: { readonly namespace: Namespace }): Promise<string | undefined> {
  const { stdout } = await namespace.ip('-json', '-4', 'addr', 'show').catch(() => ({ stdout: '[]' }))
  const links = JSON.parse(stdout) as { readonly ifname?: string; readonly addr_info?: { readonly local: string }[] }[]
  return links.find(({ ifname }) => ifname === 'fast')?.addr_info?.[0]?.local
}
