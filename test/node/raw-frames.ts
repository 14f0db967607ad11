// Frames as bytes, sent and seen by packet sockets: what ping cannot say. Python is on every Debian; where it is not, these tests are
// skipped.
import { spawn } from 'node:child_process'
import type { LocalPort } from '../../core/node/wanted.ts'
import type { Namespace } from '../../lab/namespaces.ts'
import { onPath } from '../../platform/programs/debian.ts'

export const pythonSkip: string | false = onPath('python3') === undefined ? 'python3 is not on PATH: nothing sends raw frames' : false

const sender =
  'import socket,sys\ns=socket.socket(socket.AF_PACKET,socket.SOCK_RAW)\ns.bind((sys.argv[1],0))\nfor f in sys.argv[2:]: s.send(bytes.fromhex(f))'
// PACKET_AUXDATA: the kernel takes the outer VLAN tag off a frame and tells it beside.
const listener = `
import socket,sys,struct
s=socket.socket(socket.AF_PACKET,socket.SOCK_RAW,socket.htons(3))
s.setsockopt(263,8,1)
if sys.argv[1]: s.bind((sys.argv[1],0))
print('ready',flush=True)
while True:
    f,aux,_,_=s.recvmsg(2048,socket.CMSG_SPACE(20))
    for _,_,d in aux:
        st,_,_,_,_,tci,tpid=struct.unpack('IIIHHHH',d[:20])
        if st&0x10: f=f[:12]+struct.pack('!HH',tpid if st&0x40 else 0x8100,tci)+f[12:]
    print(f.hex(),flush=True)
`

export async function sendFrames(namespace: Namespace, ifcName: string, frames: readonly string[]): Promise<void> {
  const done = await namespace.exec('python3', '-c', sender, ifcName, ...frames)
  if (done.code !== 0) throw new Error(done.stderr)
}

export interface Ear {
  /** All frames so far, as hexadecimal digits. */
  readonly heard: readonly string[]
  close(): Promise<void>
}

/** Hears everything that comes in by an interface; by any that is there or will be where none is named. */
export async function listen(namespace: Namespace, ifcName = '', seconds = 60): Promise<Ear> {
  const child = spawn('ip', ['netns', 'exec', namespace.name, 'timeout', String(seconds), 'python3', '-c', listener, ifcName], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const heard: string[] = []
  let rest = ''
  const ready = Promise.withResolvers<void>()
  const ended = new Promise<void>((resolve) => child.on('exit', () => resolve()))
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    const lines = (rest + piece).split('\n')
    rest = lines.pop()!
    for (const line of lines)
      if (line === 'ready') ready.resolve()
      else heard.push(line)
  })
  await Promise.race([ready.promise, ended.then(() => Promise.reject(new Error('nobody listens')))])
  return {
    heard,
    async close() {
      child.kill()
      await ended
    },
  }
}

const hex = (text: string): string => text.replaceAll(':', '')
const word = (value: number): string => value.toString(16).padStart(4, '0')
const ip4 = (address: string): string =>
  address
    .split('.')
    .map((part) => Number(part).toString(16).padStart(2, '0'))
    .join('')

/** An ARP message in an Ethernet frame (RFC 826); `tag` puts it into a VLAN. */
export function arpFrame({
  op = 1,
  from,
  mac,
  asks,
  source = mac,
  destination = 'ff:ff:ff:ff:ff:ff',
  tag,
}: {
  readonly op?: 1 | 2
  readonly from: string
  readonly mac: string
  readonly asks: string
  readonly source?: string
  readonly destination?: string
  readonly tag?: number
}): string {
  const vlan = tag === undefined ? '' : `8100${tag.toString(16).padStart(4, '0')}`
  return `${hex(destination)}${hex(source)}${vlan}080600010800060400${op === 1 ? '01' : '02'}${hex(mac)}${ip4(from)}${'00'.repeat(6)}${ip4(asks)}${'00'.repeat(18)}`
}

const payload = '4d656772657a'.repeat(4).slice(0, 44)
/** A datagram from one UDP port to another (RFC 768), without a checksum, as long as the payload of `ipFrame` is. */
export const udpPayload = (from: number, to: number): string =>
  `${word(from)}${word(to)}${word(payload.length / 2)}0000${payload.slice(16)}`

/** An IPv4 packet of an unassigned protocol (253, RFC 3692), so that no kernel answers it. */
export function ipFrame({
  source,
  destination,
  from,
  to,
  tag,
  proto = 253,
  data = payload,
}: {
  readonly source: string
  readonly destination: string
  readonly from: string
  readonly to: string
  readonly tag?: number
  readonly proto?: number
  readonly data?: string
}): string {
  const vlan = tag === undefined ? '' : `8100${tag.toString(16).padStart(4, '0')}`
  const head = `4500002a0000400040${proto.toString(16).padStart(2, '0')}0000${ip4(from)}${ip4(to)}`
  return `${hex(destination)}${hex(source)}${vlan}0800${withChecksum(head)}${data}`
}

export function withChecksum(head: string): string {
  let sum = 0
  for (let i = 0; i < 40; i += 4) sum += Number.parseInt(head.slice(i, i + 4), 16)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  return `${head.slice(0, 20)}${(~sum & 0xffff).toString(16).padStart(4, '0')}${head.slice(24)}`
}

/** The frame in VXLAN over IPv4 (RFC 7348 section 5). */
export function tunnelFrame(
  inner: string,
  {
    vni,
    source,
    destination,
    from,
    to,
  }: { readonly vni: number; readonly source: string; readonly destination: string; readonly from: string; readonly to: string },
): string {
  const udp = 8 + 8 + inner.length / 2
  const head = `4500${word(20 + udp)}0000400040110000${ip4(from)}${ip4(to)}`
  return `${hex(destination)}${hex(source)}0800${withChecksum(head)}c00012b5${word(udp)}000008000000${vni.toString(16).padStart(6, '0')}00${inner}`
}

const ip6 = (value: bigint): string => value.toString(16).padStart(32, '0')

/** A neighbour advertisement (RFC 4861 section 4.4) that says: `target` is at `mac`. */
export function advertisementFrame({
  source,
  destination,
  from,
  to,
  target,
  mac,
}: {
  readonly source: string
  readonly destination: string
  readonly from: bigint
  readonly to: bigint
  readonly target: bigint
  readonly mac: string
}): string {
  const body = `8800000020000000${ip6(target)}0201${hex(mac)}`
  const pseudo = `${ip6(from)}${ip6(to)}000000200000003a${body}`
  let sum = 0
  for (let i = 0; i < pseudo.length; i += 4) sum += Number.parseInt(pseudo.slice(i, i + 4), 16)
  while (sum > 0xffff) sum = (sum & 0xffff) + (sum >>> 16)
  const checked = `8800${(~sum & 0xffff).toString(16).padStart(4, '0')}${body.slice(8)}`
  return `${hex(destination)}${hex(source)}86dd6000000000203aff${ip6(from)}${ip6(to)}${checked}`
}

/** What one Port says to another, from the first address of each. */
export const frameBetween = (from: FrameEnd, to: FrameEnd, proto: number, data: string): string =>
  ipFrame({ source: from.mac, destination: to.mac, from: from.addresses[0]!, to: to.addresses[0]!, proto, data })
type FrameEnd = Pick<LocalPort, 'mac' | 'addresses'>
