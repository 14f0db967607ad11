// Ports at Neutron through our driver, against bare requests: on a Neutron in memory behind HTTP, which takes no time of its own, and on
// a real neutron-server where OpenStack is installed.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { performance } from 'node:perf_hooks'
import type { CloudAction, CloudDriver, CloudScope } from '../../core/contracts/cloud.ts'
import { realClock } from '../../platform/clock.ts'
import { HttpClient } from '../../platform/http/client.ts'
import { silentLog } from '../../platform/log.ts'
import { neutron } from '../../workers/drivers/cloud/neutron/neutron.ts'
import { cloudAt } from '../drivers/neutron/driver.ts'
import { NeutronModel } from '../drivers/neutron/model.ts'
import { absolute, againstFloor, type Metric } from './lib/metric.ts'
import { podTimes, type PodTimes } from './lib/warm-pool.ts'
import { serverRates } from './lib/neutron-server.ts'
import { plainPort } from '../drivers/plain-port.ts'

export const description = 'a port made by the driver of Neutron against one bare request, and how many ports one request makes'

const ones = 200
/** As a deployment that is scaled up asks for them. */
const together = 25
const signal = new AbortController().signal

interface Served {
  readonly url: string
  /** Ports in each POST so far. */
  readonly posts: number[]
  close(): void
}

async function serve(model: NeutronModel): Promise<Served> {
  const posts: number[] = []
  const server = createServer((asked, reply) => {
    void textOf(asked).then((text) => {
      const body = text === '' ? undefined : (JSON.parse(text) as { readonly ports?: readonly object[] })
      if (asked.method === 'POST') posts.push(body?.ports?.length ?? 1)
      const [status, answer] = model.answer({
        method: asked.method ?? '',
        url: asked.url ?? '',
        ifMatch: asked.headers['if-match'],
        ...(body !== undefined && { body }),
      })
      reply.writeHead(status, { 'content-type': 'application/json' }).end(answer === undefined ? '' : JSON.stringify(answer))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    posts,
    close() {
      server.close()
      server.closeAllConnections()
    },
  }
}

async function textOf(asked: IncomingMessage): Promise<string> {
  let text = ''
  for await (const piece of asked) text += String(piece)
  return text
}

export default async function neutronPorts(): Promise<readonly Metric[]> {
  const model = new NeutronModel()
  const network = model.put('networks', { name: 'n', status: 'ACTIVE', mtu: 1400 })
  const subnet = model.put('subnets', { name: 's', network_id: network.id, cidr: '10.0.0.0/16', ip_version: 4, gateway_ip: '10.0.0.1' })
  const served = await serve(model)
  const deps = { credentials: {}, clock: realClock, random: Math.random, log: silentLog() }
  const driver = neutron(cloudAt(served.url), deps)
  const bare = new HttpClient({ clock: realClock })
  const portOf = (uid: string): CloudAction<'port'> => createOf(uid, { network: network.id, subnet: subnet.id })
  try {
    const { ours, floor } = await compared(driver, bare, { url: served.url, network: network.id, subnet: subnet.id, portOf })
    const from = served.posts.length
    await Promise.all(Array.from({ length: together }, (_, i) => driver.port.apply(portOf(`together-${i}`), signal)))
    const bulk = together / (served.posts.length - from)
    return [
      againstFloor('overhead', 'ms', { value: ours, floor }, { atMost: 3 }),
      absolute('bulk.size', 'ports', bulk, { atLeast: together }),
      await warmSpeedup(),
      ...(await onServer()),
    ]
  } finally {
    await driver.close()
    await bare.close()
    served.close()
  }
}

/** With a second for each answer of Neutron. */
async function warmSpeedup(): Promise<Metric> {
  const without = await podTimes(undefined)
  const warm = await podTimes({ min: 10, max: 10, reserve: 0 })
  const text = ({ address, ready }: PodTimes): string => `address after ${address.toFixed(0)} ms, ready after ${ready.toFixed(0)} ms`
  console.log(`a pod, Ports made for it: ${text(without)}; Ports made ahead: ${text(warm)}`)
  return absolute('warm.speedup', 'times', without.address / warm.address, { atLeast: 50 })
}

/** Nothing where OpenStack is not installed: the run says so. */
async function onServer(): Promise<readonly Metric[]> {
  const rates = await serverRates(together, (url, place) => {
    const driver = neutron(cloudAt(url), { credentials: {}, clock: realClock, random: Math.random, log: silentLog() })
    const makeAll = async (round: number): Promise<void> => {
      const uids = Array.from({ length: together }, (_, i) => `together-${round}-${i}`)
      await Promise.all(uids.map((uid) => driver.port.apply(createOf(uid, place), signal)))
    }
    return { driver, makeAll }
  })
  if (rates === undefined) console.log('server.rate is not measured: OpenStack is not installed')
  return rates === undefined
    ? []
    : [againstFloor('server.rate', 'ports/s', { value: rates.ours.median, floor: rates.floor }, { atLeast: 0.9 })]
}

const createOf = (uid: string, { network, subnet }: { readonly network: string; readonly subnet: string }): CloudAction<'port'> => {
  const scope: CloudScope = {
    of: { kind: 'Port', namespace: uid.startsWith('together') ? 'a' : uid, name: uid, uid },
    existing: undefined,
    network,
    subnet,
  }
  return { do: 'create', scope, wanted: { ...plainPort, securityGroups: undefined } }
}

interface Compared {
  readonly url: string
  readonly network: string
  readonly subnet: string
  readonly portOf: (uid: string) => CloudAction<'port'>
}

/** One after the other, in turn; medians, in milliseconds. */
async function compared(driver: CloudDriver, bare: HttpClient, { url, network, subnet, portOf }: Compared) {
  const times = { ours: [] as number[], floor: [] as number[] }
  const timed = async (into: number[], call: () => Promise<unknown>): Promise<void> => {
    const from = performance.now()
    await call()
    into.push(performance.now() - from)
  }
  for (let i = 0; i < ones; i++) {
    // Each is a tenant of its own: what one may ask in a second is not measured here.
    await timed(times.ours, () => driver.port.apply(portOf(`one-${i}`), signal))
    const port = { name: `bare-${i}`, network_id: network, fixed_ips: [{ subnet_id: subnet }] }
    const body = JSON.stringify({ port: { ...port, mac_address: `06:00:00:00:${hexOf(i >> 8)}:${hexOf(i & 255)}` } })
    await timed(times.floor, () =>
      bare.ask({ method: 'POST', url: `${url}/v2.0/ports`, headers: { 'content-type': 'application/json' }, body }),
    )
  }
  const median = (all: readonly number[]): number => [...all].sort((a, b) => a - b)[Math.floor(all.length / 2)]!
  return { ours: median(times.ours), floor: median(times.floor) }
}

const hexOf = (byte: number): string => byte.toString(16).padStart(2, '0')
