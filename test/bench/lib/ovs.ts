// A real Open vSwitch for a benchmark, and what it does when it is spoken to without anything of ours.
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { labPrefix } from '../../../lab/namespaces.ts'
import { ovsMissing, startOvsNode, type OvsNode } from '../../../lab/programs/ovs.ts'
import type { Endpoint } from '../../../core/node/wanted.ts'
import { ovsFolder } from '../../setup/ovs.ts'

export const bridge = 'mgz-int'

export async function startBenchSwitch(): Promise<OvsNode> {
  const missing = await ovsMissing({ install: true, print: console.error })
  if (missing !== undefined) throw new Error(missing)
  return startOvsNode({ name: labPrefix(), folder: ovsFolder() })
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0')

/** Addresses of other nodes, each with its own MAC. */
export function endpoints(count: number): Endpoint[] {
  return Array.from({ length: count }, (_, i) => ({
    vni: 5_000 + (i & 63),
    address: `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`,
    mac: `06:${hex((i >> 16) & 255)}:${hex((i >> 8) & 255)}:${hex(i & 255)}:13:89`,
    hostIP: `192.0.2.${1 + (i % 200)}`,
  }))
}

/** An OpenFlow 1.4 connection with nothing around it. */
export class BareSwitch {
  readonly #socket: Socket
  #waiting = new Map<number, () => void>()
  #rest: Buffer = Buffer.alloc(0)
  errors = 0

  constructor(node: OvsNode) {
    this.#socket = connect(join(node.folder, `${bridge}.mgmt`))
    this.#socket.on('data', (piece) => this.#receive(piece))
    this.#socket.write(Buffer.from('0500000800000001', 'hex'))
  }

  write(bytes: Buffer): Promise<void> {
    return new Promise((resolve) => {
      if (this.#socket.write(bytes)) resolve()
      else this.#socket.once('drain', resolve)
    })
  }

  async barrier(xid: number): Promise<void> {
    const answered = new Promise<void>((resolve) => this.#waiting.set(xid, resolve))
    const message = Buffer.from('0514000800000000', 'hex')
    message.writeUInt32BE(xid, 4)
    await this.write(message)
    await answered
  }

  close(): void {
    this.#socket.destroy()
  }

  #receive(piece: Buffer): void {
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece])
    while (this.#rest.length >= 8 && this.#rest.length >= this.#rest.readUInt16BE(2)) {
      const length = this.#rest.readUInt16BE(2)
      const type = this.#rest[1]
      if (type === 1) this.errors++
      if (type === 2) this.#echo(this.#rest.subarray(0, length))
      this.#waiting.get(this.#rest.readUInt32BE(4))?.()
      this.#rest = this.#rest.subarray(length)
    }
  }

  #echo(request: Buffer): void {
    const reply = Buffer.from(request)
    reply[1] = 3
    this.#socket.write(reply)
  }
}

/**
 * The two flow_mods of one endpoint, written as directly as Node.js can: the same matches and actions as ours, so that the switch has the
 * same
 * to do.
 *
 * @returns where the next one begins
 */
export function bareFlowMods(into: Buffer, at: number, { vni, ip, mac, host }: BareEndpoint): number {
  let o = head(into, at, 40)
  // reg0, reg4
  into.writeUInt16BE(1, o)
  into.writeUInt16BE(20, o + 2)
  into.writeUInt32BE(0x00010004, o + 4)
  into.writeUInt32BE(vni, o + 8)
  into.writeUInt32BE(0x00010804, o + 12)
  into.writeUInt32BE(ip, o + 16)
  into.fill(0, o + 20, o + 24)
  o += 24
  // set xreg3, goto 45
  into.writeUInt16BE(4, o)
  into.writeUInt16BE(24, o + 2)
  into.writeUInt32BE(0, o + 4)
  into.writeUInt16BE(25, o + 8)
  into.writeUInt16BE(16, o + 10)
  into.writeUInt32BE(0x80010608, o + 12)
  into.writeUInt16BE(0, o + 16)
  into.writeUIntBE(mac, o + 18, 6)
  into.writeUInt32BE(0x00010008, o + 24)
  into.writeUInt32BE(45 * 2 ** 24, o + 28)
  o += 32
  into.writeUInt16BE(o - at, at + 2)
  const second = o
  o = head(into, second, 50)
  // reg0, eth_dst
  into.writeUInt16BE(1, o)
  into.writeUInt16BE(22, o + 2)
  into.writeUInt32BE(0x00010004, o + 4)
  into.writeUInt32BE(vni, o + 8)
  into.writeUInt32BE(0x80000606, o + 12)
  into.writeUIntBE(mac, o + 16, 6)
  into.fill(0, o + 22, o + 24)
  o += 24
  // set tun_dst, set reg2, goto 80
  into.writeUInt16BE(4, o)
  into.writeUInt16BE(40, o + 2)
  into.writeUInt32BE(0, o + 4)
  into.writeUInt16BE(25, o + 8)
  into.writeUInt16BE(16, o + 10)
  into.writeUInt32BE(0x00014004, o + 12)
  into.writeUInt32BE(host, o + 16)
  into.writeUInt32BE(0, o + 20)
  into.writeUInt16BE(25, o + 24)
  into.writeUInt16BE(16, o + 26)
  into.writeUInt32BE(0x00010404, o + 28)
  into.writeUInt32BE(65_000, o + 32)
  into.writeUInt32BE(0, o + 36)
  into.writeUInt32BE(0x00010008, o + 40)
  into.writeUInt32BE(80 * 2 ** 24, o + 44)
  o += 48
  into.writeUInt16BE(o - second, second + 2)
  return o
}

export interface BareEndpoint {
  readonly vni: number
  readonly ip: number
  readonly mac: number
  readonly host: number
}

/** A flow_mod up to its match: add, priority 100, our mark in the cookie. */
function head(into: Buffer, at: number, table: number): number {
  into.fill(0, at, at + 48)
  into[at] = 5
  into[at + 1] = 14
  into.writeUInt32BE(0x4d010000, at + 8)
  into[at + 24] = table
  into.writeUInt16BE(100, at + 30)
  into.fill(0xff, at + 32, at + 44)
  return at + 48
}
