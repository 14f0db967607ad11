// A NetworkService on two nodes, its clients and its endpoints: pods that are placed and ended, and what each is told.
import type { AgentNode, Sandbox } from '../../../lab/nodes/node.ts'
import { reaches } from '../../../lab/nodes/ping.ts'
import { until } from '../../../platform/programs/until.ts'
import { pathOf, type Item } from '../../demo/rest.ts'
import { made, makeNetwork, place, type TwoNodes } from '../../demo/two-nodes.ts'

export interface NicStatus {
  readonly port: string
  readonly addresses: readonly string[]
  readonly mac: string
  readonly connection?: { readonly endpoint?: string; readonly addresses?: readonly string[] }
}
/** A pod's one NIC is this to the service, or just in its Subnet. */
export type ServiceNic = { readonly serves: string } | { readonly networkService: string } | { readonly subnet: string }
export interface ServicePod {
  readonly sandbox: Sandbox
  readonly on: AgentNode
  /** From the runtime's call to its answer. */
  readonly addMs: number
}
interface ServingPort {
  readonly spec: { readonly networkService?: { readonly as: string } }
  readonly status?: { readonly node?: { readonly wired?: boolean } }
}

export class ServiceStage<N extends AgentNode = AgentNode> {
  readonly pods = new Map<string, ServicePod>()
  readonly two: TwoNodes<N>
  readonly tenant: string

  private constructor(two: TwoNodes<N>, tenant: string) {
    this.two = two
    this.tenant = tenant
  }

  /** With the Vpc `net`, its Subnet `all`, and a service there. */
  static async open<N extends AgentNode>(two: TwoNodes<N>, tenant: string, service: string): Promise<ServiceStage<N>> {
    await makeNetwork(two.rest, tenant)
    await made(two.rest, pathOf('NetworkService', tenant), {
      apiVersion: 'networkservicemesh.io/v1',
      kind: 'NetworkService',
      metadata: { name: service, annotations: { 'megrez.io/subnet': 'all' } },
      spec: { payload: 'IP' },
    })
    return new ServiceStage(two, tenant)
  }

  async place(name: string, node: string, nic: ServiceNic): Promise<ServicePod> {
    const { sandbox, on, addMs } = await place({ tenant: this.tenant, name, node, nic }, this.two)
    const pod = { sandbox, on, addMs }
    this.pods.set(name, pod)
    return pod
  }

  /** The object of a pod goes; its interface is its node's to remove, as the runtime asks for. */
  async end(name: string): Promise<void> {
    const { status } = await this.two.rest.call('DELETE', pathOf('Pod', this.tenant, name), undefined, { 'if-match': '*' })
    if (status >= 300) throw new Error(`DELETE of ${name}: ${status}`)
  }

  async nicOf(name: string): Promise<NicStatus | undefined> {
    const { metadata } = (await this.two.rest.call('GET', pathOf('Pod', this.tenant, name))).body as Item
    return (JSON.parse(metadata.annotations?.['megrez.io/nic-status'] ?? '{"nics":[]}') as { readonly nics: readonly NicStatus[] }).nics[0]
  }

  async addressOf(name: string): Promise<string> {
    return (await this.nicOf(name))!.addresses[0]!
  }

  /** That the endpoint of a client is reached at, as its pod is told. */
  async reachedAt(client: string): Promise<string | undefined> {
    return (await this.nicOf(client))?.connection?.addresses?.[0]
  }

  pings(from: string, to: string, tries = 1): Promise<boolean> {
    return reaches(this.pods.get(from)!.sandbox.namespace, to, { tries })
  }

  /** Until so many Ports are wired, as their nodes say, and known as endpoints. */
  async serving(count: number, withinMs = 60_000): Promise<void> {
    const items = async <T>(kind: 'Port' | 'NetworkServiceEndpoint'): Promise<readonly T[]> =>
      ((await this.two.rest.call('GET', pathOf(kind, this.tenant))).body.items ?? []) as unknown as readonly T[]
    const areServing = async (): Promise<boolean> => {
      const ports = await items<ServingPort>('Port')
      const wired = ports.filter(({ spec, status }) => spec.networkService?.as === 'endpoint' && status?.node?.wired === true)
      return Math.min(wired.length, (await items('NetworkServiceEndpoint')).length) === count
    }
    await until(areServing, `${count} endpoints serve`, withinMs)
  }
}
