// A client, a server, and between them a node that hands all that they say to an inspector, as a switch does: plain routes and no switch.
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeInspectors } from '../../agent/inspectors/node-host.ts'
import { openKernel } from '../../agent/netlink/open.ts'
import { gatewayMac } from '../../core/net/gateway-mac.ts'
import type { Inspection } from '../../core/kinds/policy/compiled/inspection.ts'
import { inspectorItems, type InspectorThing } from '../../core/node/inspectors/item.ts'
import { inspectorMac, inspectorName, type InspectedDirection } from '../../core/node/inspectors/names.ts'
import { labPrefix, makeNamespace, type Namespace } from '../../lab/namespaces.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'

export const vni = 0x4d21
export const addresses = { client: ['10.81.1.2', 'fd81:1::2'], server: ['10.81.2.2', 'fd81:2::2'] } as const
const routers = { client: ['10.81.1.1', 'fd81:1::1'], server: ['10.81.2.1', 'fd81:2::1'] } as const

/** Answers what it was asked, and by whom, at 80, and by HTTP/2 at 81; at 443 it says how many bytes came, and at 25 it speaks first. */
const serverProgram = `
const http=require('node:http'), net=require('node:net'), http2=require('node:http2')
const web=http.createServer((q,r)=>r.end(JSON.stringify({from:q.socket.remoteAddress,port:q.socket.remotePort,method:q.method,url:q.url,host:q.headers.host,upgrade:q.headers.upgrade})))
web.on('connect',(q,s)=>{s.on('error',()=>{});s.on('end',()=>s.end());s.write('HTTP/1.1 200 OK\\r\\n\\r\\n');s.on('data',(d)=>s.write('echo '+d))})
web.keepAliveTimeout=60000
const bytes=net.createServer((s)=>{s.on('error',()=>{});s.on('data',(d)=>s.write('bytes '+d.length))})
const first=net.createServer((s)=>{s.on('error',()=>{});s.write('hello')})
const streams=http2.createServer((q,r)=>r.end(JSON.stringify({from:q.socket.remoteAddress,url:q.url})))
const all=[[web,80],[bytes,443],[streams,81],[first,25]]
let left=all.length
for(const [s,p] of all) s.listen(p,'::',()=>{ if(--left===0) console.log('ready') })
`

/** Sends texts, each once the one before has been answered, and prints what came to each and how it ended. */
const clientProgram = `
const net=require('node:net')
const {to,l4Port,parts,apart,waitMs}=JSON.parse(process.argv[1])
const s=net.connect({host:to,port:l4Port,noDelay:true})
const came=['']
let at=0, end='not connected', timer
const done=()=>{ console.log(JSON.stringify({came,end})); process.exit() }
const next=()=>{ clearTimeout(timer); timer=setTimeout(done,waitMs); if(at>=parts.length) return; s.write(Buffer.from(parts[at++],'latin1')); if(apart&&at<parts.length) setTimeout(next,apart) }
s.on('connect',()=>{ end='open'; next() })
s.on('data',(d)=>{ came[came.length-1]+=d.toString('latin1'); if(at<parts.length&&!apart){ came.push(''); next() } else if(at>=parts.length) { clearTimeout(timer); timer=setTimeout(done,150) } })
s.on('error',(e)=>{ end=e.code; done() })
s.on('end',()=>{ end='ended'; done() })
timer=setTimeout(done,waitMs)
`

export interface Conversation {
  /** What came to each part. */
  readonly came: readonly string[]
  /** `open`, `ended`, or the code of an error. */
  readonly end: string
}

interface Asking {
  readonly to?: string
  readonly l4Port: number
  readonly parts: readonly string[]
  /** Milliseconds between parts, which then wait for no answers. */
  readonly apart?: number
  readonly waitMs?: number
}

export interface InspectedLab {
  readonly host: NodeInspectors
  readonly client: Namespace
  readonly server: Namespace
  /** Where configurations are. */
  readonly folder: string
  readonly namespace: string
  /** @param subjects absent: the client, or the server */
  thing(inspections: readonly Inspection[], direction?: InspectedDirection, subjects?: readonly string[]): InspectorThing
  /** The inspector is as this says, and is between the two. */
  inspect(thing: InspectorThing): Promise<void>
  ask(asking: Asking): Promise<Conversation>
  close(): Promise<void>
}

export async function startInspectedLab(): Promise<InspectedLab> {
  const prefix = labPrefix()
  const [client, node, server] = [await makeNamespace(`${prefix}c`), await makeNamespace(`${prefix}n`), await makeNamespace(`${prefix}s`)]
  await joined(client, node, 'client')
  await joined(server, node, 'server')
  await node.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1', 'net.ipv6.conf.all.forwarding=1', 'net.ipv4.conf.all.rp_filter=0')
  // That of the agent's socket is root's alone where the agent has made it.
  const above = await mkdtemp(join(tmpdir(), 'mz-inspectors-'))
  const folder = join(above, 'inspectors')
  const netlink = await openKernel({ netns: `/run/netns/${node.name}`, log: silentLog() })
  const host = new NodeInspectors({ netlink, clock: realClock, folder, prefix })
  const running = await served(server)
  const things = new Map<string, InspectorThing>()
  return {
    host,
    client,
    server,
    folder,
    namespace: `${prefix}megrez-l7-${vni.toString(16).padStart(6, '0')}e`,
    thing(inspections, direction = 'egress', subjects = addresses[direction === 'egress' ? 'client' : 'server']) {
      const [item] = inspectorItems({ vni, direction, mtu: 1_400, policies: [{ subjects, inspections }] }, because)
      return item!.value
    },
    async inspect(thing) {
      things.set(thing.direction, thing)
      await host.makeNetwork(thing)
      await handedOver(node, thing.direction)
      await host.start(thing)
    },
    ask: ({ to = addresses.server[0], waitMs = 5_000, apart = 0, l4Port, parts }) => askFrom(client, { to, l4Port, parts, apart, waitMs }),
    async close() {
      running.close()
      for (const thing of things.values()) await host.remove(thing)
      await host.close()
      for (const each of [client, node, server]) await each.remove()
      await rm(above, { recursive: true, force: true })
    },
  }
}

const because = { rule: 'a test', of: { kind: 'SegmentLock', name: `vni-${vni}` } } as const

async function joined(end: Namespace, node: Namespace, who: 'client' | 'server'): Promise<void> {
  await end.ip('link', 'add', 'eth0', 'type', 'veth', 'peer', 'name', who, 'netns', node.name)
  for (const [i, address] of addresses[who].entries()) {
    const bits = address.includes(':') ? 64 : 24
    await end.ip('addr', 'add', `${address}/${bits}`, 'dev', 'eth0', ...(bits === 64 ? ['nodad'] : []))
    await node.ip('addr', 'add', `${routers[who][i]!}/${bits}`, 'dev', who, ...(bits === 64 ? ['nodad'] : []))
  }
  await end.ip('link', 'set', 'eth0', 'up')
  await node.ip('link', 'set', who, 'up')
  for (const router of routers[who]) await end.ip('route', 'add', 'default', 'via', router)
}

/** What the client says goes to the inspector, and what is for the client; what the inspector says goes on as the node's routes have it. */
async function handedOver(node: Namespace, direction: InspectedDirection): Promise<void> {
  const door = inspectorName(vni, direction)
  await node.ip('link', 'set', door, 'address', gatewayMac)
  await node.exec('sysctl', '-qw', `net.ipv4.conf.${door}.rp_filter=0`)
  for (const family of ['-4', '-6']) {
    const hop = family === '-4' ? '169.254.9.9' : 'fe80::9'
    await node.ip(family, 'neigh', 'replace', hop, 'lladdr', inspectorMac, 'dev', door, 'nud', 'permanent')
    await node.ip(family, 'route', 'replace', 'default', 'via', hop, 'dev', door, 'onlink', 'table', '77')
    for (const from of ['client', 'server']) {
      await node.exec('ip', family, 'rule', 'del', 'iif', from, 'lookup', '77')
      await node.ip(family, 'rule', 'add', 'iif', from, 'lookup', '77')
    }
  }
}

async function served({ name }: Namespace): Promise<{ close(): void }> {
  const child = spawn('ip', ['netns', 'exec', name, process.execPath, '-e', serverProgram], { stdio: ['ignore', 'pipe', 'inherit'] })
  await new Promise<void>((resolve, reject) => {
    child.stdout.once('data', () => resolve())
    child.once('exit', () => reject(new Error('the server has ended')))
  })
  return { close: () => void child.kill() }
}

async function askFrom(client: Namespace, asking: Required<Asking>): Promise<Conversation> {
  const { stdout, stderr } = await client.exec(process.execPath, '-e', clientProgram, JSON.stringify(asking))
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as Conversation
}
