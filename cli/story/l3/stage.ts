// Where the story of layer 3 is told: a server, a node of Linux and one of Open vSwitch with BIRD, and a gateway of the data centre on
// their wire.
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Lab, Stops } from '../../../lab/lab.ts'
import { makeNamespace, type Namespace } from '../../../lab/namespaces.ts'
import { linuxCarrier, ovsCarrier } from '../../../lab/nodes/carriers.ts'
import { shimPath, startNodeOn, type AgentNode } from '../../../lab/nodes/node.ts'
import { makeUnderlay, type Underlay } from '../../../lab/underlay.ts'
import { Rest } from '../../demo/rest.ts'
import { startServer } from '../../demo/server.ts'
import { place, type PlacedPod } from '../../demo/two-nodes.ts'

export const tenant = 'l3'
const gatewayAddress = '192.168.50.254'
/** Behind the gateway. */
export const outside = '198.51.100.1'

export interface L3Stage {
  readonly rest: Rest
  readonly nodes: ReadonlyMap<string, AgentNode>
  readonly gateway: Namespace
  /** A pod of the tenant's Vpc `net`, wired. */
  place(name: string, node: string, nic: { readonly address: string; readonly subnet: string }): Promise<PlacedPod>
}

export async function openL3(lab: Lab, stops: Stops): Promise<L3Stage> {
  const server = await startServer(['--no-install'], { MEGREZ_AGENTS: 'true' })
  stops.push(() => server.stop())
  const underlay = await makeUnderlay(`${lab.id}-u`)
  stops.push(() => underlay.remove())
  const gateway = await startGateway(lab, underlay, stops)
  const nodes = new Map<string, AgentNode>()
  const shim = await shimPath()
  for (const [i, carry] of [linuxCarrier, ovsCarrier].entries()) {
    const [name, address] = [`n${i + 1}`, `192.168.50.${i + 1}`]
    const env = { MEGREZ_BGP: 'bird', MEGREZ_BGP_FOLDER: join(lab.folder, `bgp-${name}`) }
    const node = await startNodeOn({ lab, underlay, name, address, store: join(server.folder, 'agents.sock'), shim, env }, carry)
    stops.push(() => node.stop())
    await node.namespace.exec('sysctl', '-qw', 'net.ipv4.ip_forward=1')
    nodes.set(name, node)
  }
  const rest = new Rest(server)
  return { rest, nodes, gateway, place: (name, node, nic) => place({ tenant, name, node, ...nic }, { rest, nodes }) }
}

const text = `log stderr all;
router id ${gatewayAddress};
protocol device { scan time 2; }
protocol direct { ipv4; interface "lo"; }
protocol kernel { scan time 2; ipv4 { import none; export where source = RTS_BGP; }; }
${[1, 2]
  .map(
    (n) => `protocol bgp n${n} {
  local ${gatewayAddress} as 64600; neighbor 192.168.50.${n} as 64512;
  hold time 9; keepalive time 3; connect retry time 1; connect delay time 1; error wait time 1,5;
  ipv4 { import all; export where source = RTS_DEVICE; };
}`,
  )
  .join('\n')}
`

async function startGateway(lab: Lab, underlay: Underlay, stops: Stops): Promise<Namespace> {
  const namespace = await makeNamespace(`${lab.id}-gw`)
  stops.push(() => namespace.remove())
  await underlay.joinPlain(namespace, gatewayAddress)
  await namespace.ip('link', 'set', 'lo', 'up')
  await namespace.ip('address', 'add', `${outside}/24`, 'dev', 'lo')
  const folder = join(lab.folder, 'gateway')
  await mkdir(folder)
  await writeFile(join(folder, 'bird.conf'), text)
  const space = { name: namespace.name, pid: 0, enter: ['ip', 'netns', 'exec', namespace.name] }
  await lab.start('bird', ['-f', '-c', join(folder, 'bird.conf'), '-s', join(folder, 'bird.ctl'), '-P', join(folder, 'bird.pid')], {
    log: 'gateway',
    space,
  })
  return namespace
}
