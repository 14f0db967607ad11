// Packets as an ear heard them, told apart by the port that they are for: how they are marked, and how many have come.
import assert from 'node:assert/strict'
import type { Namespace } from '../../lab/namespaces.ts'
import { until } from '../setup/until.ts'
import { ask } from './conversations.ts'
import { listen, type Ear } from './raw-frames.ts'

/** The class of each packet to this UDP or TCP port, of IPv4 or IPv6, in order: RFC 791 section 3.1, RFC 8200 section 3. */
export function marksTo(ear: Ear, l4Port: number): readonly number[] {
  const port = l4Port.toString(16).padStart(4, '0')
  return ear.heard.flatMap((frame) => {
    const type = frame.slice(24, 28)
    if (type === '0800' && frame.slice(72, 76) === port) return [Number.parseInt(frame.slice(30, 32), 16) >> 2]
    return type === '86dd' && frame.slice(112, 116) === port ? [Number.parseInt(frame.slice(29, 31), 16) >> 2] : []
  })
}

interface Sending {
  readonly from: Namespace
  readonly to: Namespace
  readonly address: string
}

/** As they come to a server of UDP, which answers: so their checksums are right. */
export async function marksOf({ from, to, address }: Sending, l4Port: number): Promise<readonly number[]> {
  const ear = await listen(to, 'eth0')
  assert.equal(await ask(from, { kind: 'udp', to: address, l4Port }), 'answered')
  await until(() => Promise.resolve(marksTo(ear, l4Port).length > 0), 'it is seen')
  await ear.close()
  return [...new Set(marksTo(ear, l4Port))]
}

/** So many datagrams of 1,000 bytes in about a second. */
export const sent = 600
const blast = `
import socket,sys,time
s=socket.socket(socket.AF_INET,socket.SOCK_DGRAM)
for i in range(int(sys.argv[2])):
    s.sendto(b'x'*1000,(sys.argv[1],9000)); time.sleep(0.0005)
`

export async function arrivedOf(count: number, { from, to, address }: Sending): Promise<number> {
  const ear = await listen(to, 'eth0')
  const { code, stderr } = await from.exec('python3', '-c', blast, address, String(count))
  assert.equal(code, 0, stderr)
  let before = -1
  await until(() => {
    const now = marksTo(ear, 9_000).length
    const isSame = now === before
    before = now
    return Promise.resolve(isSame)
  }, 'the last one has come')
  await ear.close()
  return before
}

/** A busy machine loses datagrams for other reasons, not each time so many; what is limited loses three of four each time. */
export async function mostArrive(sent: number, arrived: () => Promise<number>, what: string): Promise<void> {
  let best = 0
  for (let tries = 0; tries < 3 && best <= sent * 0.6; tries++) best = Math.max(best, await arrived())
  assert.ok(best > sent * 0.6, `${what}: ${best} of ${sent}`)
}
