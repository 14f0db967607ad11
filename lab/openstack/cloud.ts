// A whole Neutron of one lab: database, what is between server and nodes, Keystone where it is asked for, the server, and its nodes.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Stops } from '../lab.ts'
import type { OvsNode } from '../programs/ovs.ts'
import { startKeystone, type Keystone } from './keystone.ts'
import { novaPlace, registerNova, type NovaPlace } from './nova.ts'
import { startNeutronServer, type Mechanism, type NeutronServer } from './neutron.ts'
import { joinOvn, startOvnCentral } from './ovn.ts'
import { startOvsAgent, type Firewall } from './ovs-agent.ts'
import { preparedData, startPrepared } from './prepared.ts'
import { startRabbitMq } from './rabbitmq.ts'

export interface NeutronLab {
  readonly server: NeutronServer
  /** Absent with `noauth`. */
  readonly keystone: Keystone | undefined
  /** Where Neutron tells of ports. */
  readonly nova: NovaPlace | undefined
  /** Starts Neutron's side of a node: its agent, which has told of itself soon after. */
  join(node: OvsNode, at: NeutronHost): Promise<void>
  /** Of the databases: SQL on the server's own. */
  sql(statements: string): Promise<string>
  /** Ends all of it, agents on nodes too: before the nodes end. */
  stop(): Promise<void>
}

export interface NeutronHost {
  readonly host: string
  readonly address: string
  /** Of Neutron's agent of Open vSwitch. */
  readonly firewall?: Firewall
}

export interface NeutronLabOptions {
  readonly mechanism: Mechanism['is']
  readonly auth: 'noauth' | 'keystone'
  /** Path, with `/v2.1`, of who takes Nova's place, in the clouds with a Keystone; absent: nobody is told of ports. */
  readonly novaPath?: string
  /** So many free ports of loopback. */
  readonly freePorts: (count: number) => Promise<number[]>
  readonly print: (line: string) => void
}

export async function startNeutronLab({ mechanism: wanted, auth, novaPath, freePorts, print }: NeutronLabOptions): Promise<NeutronLab> {
  const folder = await mkdtemp(join(tmpdir(), 'mz-'))
  const stops: Stops = [() => rm(folder, { recursive: true, force: true })]
  const stop = async (): Promise<void> => {
    for (const each of stops.splice(0).toReversed()) await each()
  }
  const [l4Port, keystoneL4Port, novaL4Port, ...rabbitPorts] = (await freePorts(6)) as [number, number, number, ...number[]]
  const startMechanism = async (): Promise<Mechanism> => {
    if (wanted === 'ovn') {
      const central = await startOvnCentral(join(folder, 'ovn'))
      stops.push(() => central.stop())
      return { is: 'ovn', central }
    }
    const rabbit = await startRabbitMq(join(folder, 'rabbit'), rabbitPorts)
    stops.push(() => rabbit.stop())
    return { is: 'ovs', rabbitL4Port: rabbit.l4Port }
  }
  try {
    const made = await preparedData(keystoneL4Port, print)
    const database = await startPrepared(made, folder)
    stops.push(() => database.stop())
    const [mechanism, keystone] = await Promise.all([
      startMechanism(),
      auth === 'keystone'
        ? startKeystone({ folder, database, l4Port: keystoneL4Port }, made, `http://127.0.0.1:${l4Port}`)
        : Promise.resolve(undefined),
    ])
    if (keystone !== undefined) stops.push(() => keystone.stop())
    const nova = keystone && novaPath !== undefined ? await novaPlace(folder, novaL4Port) : undefined
    if (nova !== undefined) await registerNova(keystone!, nova, novaPath!)
    const server = await startNeutronServer({ folder, database, l4Port, mechanism, keystoneUrl: keystone?.url, nova })
    stops.push(() => server.stop())
    return {
      server,
      keystone,
      nova,
      async join(node, at) {
        stops.push(
          mechanism.is === 'ovn'
            ? await joinOvn(node, { southbound: mechanism.central.southbound, ...at })
            : await startOvsAgent(node, { config: server.config, rabbitL4Port: mechanism.rabbitL4Port, ...at }),
        )
      },
      sql: (statements) => database.sql(`use neutron; ${statements}`),
      stop,
    }
  } catch (err) {
    await stop()
    throw err
  }
}
