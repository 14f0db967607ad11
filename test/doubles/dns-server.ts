// A resolver on loopback, over UDP (RFC 1035): it answers A and AAAA from a table, by a CNAME where the table says so.
import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import { parseIp } from '../../core/net/ip.ts'
import { ipBytes } from '../../core/wire/netlink/bytes.ts'

const types = { A: 1, CNAME: 5, AAAA: 28 } as const

export interface DnsRecords {
  /** Seconds. */
  readonly ttl: number
  readonly addresses: readonly string[]
  /** That the name stands for. */
  readonly cname?: string
}
export interface DnsServer {
  /** ADDRESS:PORT. */
  readonly server: string
  readonly table: Map<string, DnsRecords | 'SERVFAIL' | 'silent'>
  readonly questions: string[]
  close(): Promise<void>
}

export async function openDnsServer(): Promise<DnsServer> {
  const socket = createSocket('udp4')
  const table: DnsServer['table'] = new Map()
  const questions: string[] = []
  socket.on('message', (query, { port, address }) => {
    const { name, type } = questionIn(query)
    questions.push(`${name} ${type}`)
    const records = table.get(name)
    if (records !== 'silent') socket.send(answerTo(query, type, records), port, address)
  })
  await new Promise<void>((resolve) => void socket.bind(0, '127.0.0.1', resolve))
  return {
    server: `127.0.0.1:${socket.address().port}`,
    table,
    questions,
    close: () => new Promise((resolve) => void socket.close(() => resolve())),
  }
}

const headerBytes = 12

function questionIn(query: Buffer): { readonly name: string; readonly type: number; readonly end: number } {
  const labels: string[] = []
  let at = headerBytes
  for (let length = query[at]!; length > 0; length = query[at]!) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length))
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function answerTo(query: Buffer, type: number, records: DnsRecords | 'SERVFAIL' | undefined): Buffer {
  const question = query.subarray(headerBytes, questionIn(query).end)
  const answers = typeof records === 'object' ? resourceRecords(records, type) : []
  // RCODE 2 is SERVFAIL, 3 NXDOMAIN.
  const code = records === undefined ? 3 : records === 'SERVFAIL' ? 2 : 0
  const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80 + code, 0, 1, 0, answers.length, 0, 0, 0, 0])
  return Buffer.concat([header, question, ...answers])
}

/** A pointer to the name that was asked for. */
const ownerPointer = Buffer.from([0xc0, headerBytes])

function resourceRecords({ ttl, addresses, cname }: DnsRecords, type: number): readonly Buffer[] {
  const owner = cname === undefined ? ownerPointer : nameOf(cname)
  const mine = addresses.filter((address) => type === (isIPv4(address) ? types.A : types.AAAA))
  return [
    ...(cname === undefined ? [] : [recordOf(ownerPointer, types.CNAME, ttl, owner)]),
    ...mine.map((address) => recordOf(owner, type, ttl, Buffer.from(ipBytes(parseIp(address)!)))),
  ]
}

function recordOf(name: Buffer, type: number, ttl: number, value: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(ttl, 4)
  fixed.writeUInt16BE(value.length, 8)
  return Buffer.concat([name, fixed, value])
}

const nameOf = (name: string): Buffer =>
  Buffer.concat([...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.from([0])])
