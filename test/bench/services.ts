// 1,000 service addresses with ten endpoints each on one node, and how soon its kernel has it when one endpoint changes: from what the
// agent wants to the maps of nftables. How a pod's readiness becomes a ServiceAddress is the workers' part, and the watch's between.
import { realClock } from '../../platform/clock.ts'
import type { NodeServiceAddress, NodeServiceEndpoint } from '../../core/node/wanted.ts'
import { segmentPiece } from '../../core/pieces/segment.ts'
import { serviceAddressPiece } from '../../core/pieces/service-address.ts'
import { withL3Nodes } from '../node/l3-nodes.ts'
import { want, type Node } from '../node/linux-nodes.ts'
import { absolute, type Metric } from './lib/metric.ts'
import { quantile } from './lib/rounds.ts'

export const description = '1,000 service addresses of ten endpoints each: one endpoint changes, until the kernel has it, p99'

const services = 1_000
const endpoints = 10
const changes = 200
const longestMs = 280_000

const vni = 5_001
const segment = {
  vni,
  subnets: [{ cidr: '10.0.0.0/16', gateway: '10.0.0.1' }],
  l3: ['10.0.0.0/16'],
  router: { number: 60_001, blocks: [{ cidr: '10.0.0.0/16', table: 0x4d_00_00_01, hostRoutes: true }], ways: [] },
  flood: false,
  hosts: [],
  numbers: [],
}

const endpoint = (service: number, i: number, state: NodeServiceEndpoint['state']): NodeServiceEndpoint => ({
  port: `web-${service}-${i}`,
  addresses: [`10.0.${128 + (service >> 4)}.${(service & 15) * endpoints + i + 1}`],
  l4Ports: [8080],
  state,
})

/** @param draining the one that takes no new connections */
const serviceOf = (n: number, draining?: number): NodeServiceAddress => ({
  namespace: 'a',
  name: `web-${n}`,
  vni,
  addresses: [`10.0.${n >> 8}.${n & 255}`],
  ports: [{ protocol: 'TCP', l4Port: 80 }],
  byClient: false,
  endpoints: Array.from({ length: endpoints }, (_, i) => endpoint(n, i, i === draining ? 'draining' : 'ready')),
})

/** Milliseconds. */
async function carry(node: Node, service: NodeServiceAddress): Promise<number> {
  const began = realClock.elapsed()
  await want(node, `service ${service.name}`, node.plane.renderer.render(serviceAddressPiece, service, { segment }))
  return realClock.elapsed() - began
}

/** One that changes and changes back, each a service of its own where there are several. */
async function changed(node: Node, of: number): Promise<readonly number[]> {
  const took: number[] = []
  for (let i = 0; i < changes / 2; i++) {
    const n = 2 + ((i * 37) % of)
    took.push(await carry(node, serviceOf(n, i % endpoints)), await carry(node, serviceOf(n)))
  }
  return took
}

export default async function serviceAddresses(): Promise<readonly Metric[]> {
  realClock.after(longestMs, () => process.exit(1), { keepsAlive: true })
  let alone: readonly number[] = []
  let beside: readonly number[] = []
  await withL3Nodes(async ({ nodes: [node] }) => {
    await want(node, `segment ${vni}`, node.plane.renderer.render(segmentPiece, segment))
    await carry(node, serviceOf(2))
    alone = await changed(node, 1)
    const began = realClock.elapsed()
    for (let n = 3; n < services + 2; n++) await carry(node, serviceOf(n))
    console.log(`${services} service addresses with ${services * endpoints} endpoints: ${Math.round(realClock.elapsed() - began)} ms`)
    beside = await changed(node, services)
  })
  const shown = (all: readonly number[]): string => `median ${quantile(all, 0.5).toFixed(1)} ms, p99 ${quantile(all, 0.99).toFixed(1)} ms`
  console.log(`one endpoint changes: ${shown(beside)}; of a service that is alone ${shown(alone)}`)
  return [
    {
      ...absolute('change-p99', 'ms', quantile(beside, 0.99), { atMost: 100 }),
      floor: Number(quantile(alone, 0.99).toPrecision(6)),
      ratio: Number((quantile(beside, 0.99) / quantile(alone, 0.99)).toPrecision(6)),
    },
  ]
}
