// Alkaid's pods with VMs on a node: written as its pod4 and pod5 are, and booted on the TAPs that came of it.
import assert from 'node:assert/strict'
import { pathOf } from '../../cli/demo/rest.ts'
import type { AgentNode, Sandbox } from '../../lab/nodes/node.ts'
import { bootMachine, type VirtualMachine } from '../../lab/nodes/virtual-machine.ts'
import type { MachineImage } from '../../lab/programs/machine-image.ts'
import { until } from '../setup/until.ts'
import type { Agents } from './agents.ts'

const [kernel, initrd] = [process.env.MEGREZ_TEST_MACHINE_KERNEL, process.env.MEGREZ_TEST_MACHINE_INITRD]
export const image: MachineImage | undefined = kernel === undefined || initrd === undefined ? undefined : { kernel, initrd }
export const machineSkip: string | false = image === undefined && 'no qemu here (MEGREZ_TEST_MACHINE_KERNEL is not set)'

export interface VmPort {
  readonly metadata: { readonly uid: string; readonly name: string }
  readonly spec: { readonly claim?: { readonly pod: string; readonly nic: string } }
  readonly status: { readonly addresses: readonly string[]; readonly mac: string; readonly node?: { readonly tap?: string } }
}
export interface VmPod {
  readonly sandbox: Sandbox
  /** In the order of its Nics. */
  readonly ports: readonly VmPort[]
  readonly machine: VirtualMachine
  readonly user: number | undefined
}

export interface VmSpec {
  readonly vpc: string
  readonly nics: readonly object[]
  /** Who its qemu runs as, with two queues of each TAP; root, with one, if absent. */
  readonly user?: number
}

/** A pod written with `VMs` is added to its node, and its VM boots on all its TAPs and asks for its leases. */
export async function bootVm(agents: Agents, node: AgentNode, name: string, { vpc, nics, user }: VmSpec): Promise<VmPod> {
  const made = await agents.rest.call('POST', pathOf('Pod', 'a'), {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: { 'megrez.io/cluster-nic': 'none' } },
    spec: { nodeName: node.name, VMs: [{ name, image: 'www.foo.com/vmimages/nginx', flavor: 'm1.large' }], vpc, nics },
  })
  assert.equal(made.status, 201, made.body.detail)
  const sandbox = await node.sandbox({ namespace: 'a', name, uid: made.body.metadata.uid })
  await agents.add(node, sandbox)
  const ports = await portsOf(agents, name, nics.length)
  const options = {
    image: image!,
    namespace: node.namespace,
    lab: agents.lab,
    name: `${node.name}-${name}`,
    ...(user !== undefined && { user }),
  }
  const queues = user === undefined ? 1 : 2
  const machine = await bootMachine({ ...options, nics: ports.map(({ status: { mac, node: on } }) => ({ mac, tap: on!.tap!, queues })) })
  for (const [i] of ports.entries()) {
    const { code, output } = await machine.exec(`ip link set eth${i} up; udhcpc -i eth${i} -n -q -t 5 -T 1 -s /lease`)
    assert.equal(code, 0, output)
  }
  return { sandbox, ports, machine, user }
}

/** Once the node has told of as many TAPs. */
export async function portsOf(agents: Agents, pod: string, count: number): Promise<readonly VmPort[]> {
  let ports: readonly VmPort[] = []
  await until(
    async () => {
      const all = (await agents.rest.call('GET', pathOf('Port', 'a'))).body.items as unknown as readonly VmPort[]
      ports = all.filter(({ spec, status }) => spec.claim?.pod === pod && status?.node?.tap !== undefined)
      return ports.length === count
    },
    `the node has told of the TAPs of ${pod}`,
    20_000,
  )
  return ports.toSorted((a, b) => (a.spec.claim!.nic < b.spec.claim!.nic ? -1 : 1))
}
