// A real gNMI target whose password, certificate and authority of clients are replaced under workers that go on.
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { startGnmiTarget, type GnmiTarget } from '../../lab/programs/gnmi.ts'
import { realClock } from '../../platform/clock.ts'
import { issueLeaf, makeAuthority } from '../../platform/tls/authority.ts'
import { fabricRegistry } from '../../workers/drivers/fabric/index.ts'
import { freePorts } from '../../platform/programs/free-ports.ts'
import { ovsFolder } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { openTestCluster, type TestCluster } from '../workers/test-cluster.ts'

const program = process.env.MEGREZ_TEST_GNMI
const skip = program === undefined ? 'MEGREZ_TEST_GNMI is not set: run it by node bootstrap.mjs test/run.ts fabric' : false
const config = {
  'openconfig-interfaces:interfaces': { interface: [{ name: 'n1', config: { name: 'n1', type: 'iana-if-type:ethernetCsmacd' } }] },
  'openconfig-network-instance:network-instances': {
    'network-instance': [{ name: 'default', config: { name: 'default', type: 'openconfig-network-instance-types:DEFAULT_INSTANCE' } }],
  },
}

describe('a switch over gNMI whose credentials are replaced', { skip }, () => {
  const folder = ovsFolder()
  const life = { now: Date.now(), ms: 3_600_000 }
  let l4Port = 0
  let target: GnmiTarget | undefined
  let cluster: TestCluster | undefined

  /** Starts the target anew, with authorities of its own; the answer is what a client needs now. */
  async function replaced(password: string): Promise<Readonly<Record<string, string>>> {
    await target?.stop()
    const clients = makeAuthority('clients', life)
    const client = issueLeaf(clients, ['megrez'], life, 'clientAuth')
    target = await startGnmiTarget({ program: program!, folder: join(folder, 'target'), l4Port, config, password, clientCa: clients.cert })
    return { username: target.username, password, 'ca.crt': target.ca, 'tls.crt': client.cert, 'tls.key': client.key }
  }
  const give = async (files: Readonly<Record<string, string>>): Promise<void> => {
    await mkdir(join(folder, 'credentials', 'tor'), { recursive: true })
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, 'credentials', 'tor', name), text)
  }

  before(async () => {
    ;[l4Port = 0] = await freePorts(1)
    await give(await replaced('first'))
    // Its connection lives in the time of this machine, whatever the workers are told.
    const registry = {
      ...fabricRegistry,
      gnmi: (...[spec, deps]: Parameters<typeof fabricRegistry.gnmi>) => fabricRegistry.gnmi(spec, { ...deps, clock: realClock }),
    }
    cluster = await openTestCluster({ config: { fabricCredentials: join(folder, 'credentials') }, fabricRegistry: registry })
    await cluster.make('Fabric', 'dc', {
      switches: [{ name: 'tor', driver: 'gnmi', address: `127.0.0.1:${l4Port}`, credentials: 'tor' }],
      links: [{ node: 'n1', interface: 'e', switch: 'tor', switchPort: 'n1' }],
    })
    await cluster.make('NodePool', 'pool', { nodes: ['n1'], interfaces: [{ name: 'e', connectionPoint: 'cp' }] })
    await cluster.make('ConnectionPoint', 'cp', { supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br' }] })
  })
  after(async () => {
    await cluster?.close()
    await target?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('is reached with what is shown now: password, our certificate, the authority of its own', async () => {
    const seen = async (): Promise<object> => {
      const { state, missing } = (await cluster!.get('Fabric', 'dc'))?.status?.switches?.[0] ?? {}
      return { state, missing, service: (await cluster!.get('L2Service', 'a/one'))?.status?.message }
    }
    const becomes = (is: object, what: string) =>
      until(async () => (await cluster!.advance(61_000), isDeepStrictEqual({ ...(await seen()), ...is }, await seen())), what).catch(
        async (err: Error) => assert.fail(`${err.message}: ${JSON.stringify(await seen())}`),
      )
    await cluster!.make('L2Service', 'a/one', { segmentationID: 100 })
    await cluster!.make('L2ServiceAttachment', 'a/one', { l2Services: ['one'], connectionPoint: 'cp', vlanType: 'access' })
    const open = { state: 'reachable', missing: 0, service: 'VLAN 100 on 1 of 1 switch port' }
    await becomes(open, 'the VLAN is open')
    const files = await replaced('second')
    await becomes({ state: 'unreachable' }, 'what was shown before is refused')
    await give(files)
    await becomes(open, 'the VLAN is open again, on a target that has forgotten it')
  })
})
