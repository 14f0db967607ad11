// Alkaid's story ("NIC and VPC Support in Alkaid"): its five sample pods on a real Neutron and its agent of Open vSwitch. Users make what
// they want at Neutron, Megrez adopts it and makes, binds and deletes ports alone; each sentence is looked up at Neutron or on the node.
import { join } from 'node:path'
import { inLab, type Lab, type Stops } from '../../lab/lab.ts'
import { ovsCarrier } from '../../lab/nodes/carriers.ts'
import { shimPath, startNodeOn } from '../../lab/nodes/node.ts'
import { caller, type Caller } from '../../lab/openstack/caller.ts'
import { writeCredentials, type Person } from '../../lab/openstack/keystone.ts'
import { startNeutronLab } from '../../lab/openstack/cloud.ts'
import { openstackMissing } from '../../lab/openstack/packages.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { makeUnderlay } from '../../lab/underlay.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { Rest } from '../demo/rest.ts'
import { startServer } from '../demo/server.ts'
import { made } from '../demo/two-nodes.ts'
import { endOfAlkaid, tellAlkaid } from './alkaid/sentences.ts'
import { printSentences, type Sentence } from './sentence.ts'

const [tenant, operator] = ['tenant-a', 'admin'] as const
const node = 'n1'
const address = '192.168.50.1'

/** @returns the exit code */
export async function playAlkaid(json: boolean): Promise<number> {
  const print = (line: string): unknown => process.stderr.write(`${line}\n`)
  const missing = (await ovsMissing({ install: false, print })) ?? (await openstackMissing({ install: false, print }))
  if (missing !== undefined) {
    print(`story alkaid: ${missing}`)
    return 1
  }
  const sentences = await inLab(play)
  return printSentences(sentences, json)
}

async function play(lab: Lab, stops: Stops): Promise<readonly Sentence[]> {
  const credentials = join(lab.folder, 'credentials')
  for (const person of [tenant, operator]) await writeCredentials(credentials, person)
  const server = await startServer(['--no-install'], { MEGREZ_AGENTS: 'true', MEGREZ_CLOUD_CREDENTIALS: credentials })
  stops.push(() => server.stop())
  const underlay = await makeUnderlay(`${lab.id}-u`)
  stops.push(() => underlay.remove())
  const carrier = await ovsCarrier({ lab, underlay, name: node, address, home: join(lab.folder, 'host') })
  stops.push(() => carrier.stop())
  const print = (line: string): unknown => process.stderr.write(`${line}\n`)
  const neutron = await startNeutronLab({ mechanism: 'ovs', auth: 'keystone', freePorts, print })
  stops.push(() => neutron.stop())
  await neutron.join(carrier.ovs, { host: node, address })
  const rest = new Rest(server)
  await made(rest, '/v1/clouds', {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Cloud',
    metadata: { name: 'c' },
    spec: { provider: 'neutron', endpoint: neutron.keystone!.url, credentials: tenant, bindingCredentials: operator, timeoutSeconds: 15 },
  })
  const options = { lab, underlay, name: node, address, store: join(server.folder, 'agents.sock'), shim: await shimPath() }
  // Its end is the lab's, once Neutron's side of it has ended.
  const ours = { ...carrier, stop: () => Promise.resolve() }
  const agent = await startNodeOn({ ...options, env: { MEGREZ_TUNNEL_L4PORT: '4790' } }, () => Promise.resolve(ours))
  stops.push(() => agent.stop())
  const as = async (person: Person): Promise<Caller> =>
    caller(neutron.server.url, { 'x-auth-token': await neutron.keystone!.token(person) })
  const stage = { rest, node: agent, user: await as(tenant), admin: await as(operator), namespace: 'alkaid', cloud: 'c' }
  const sentences = await tellAlkaid(stage)
  return [...sentences, ...(await endOfAlkaid(stage))]
}
