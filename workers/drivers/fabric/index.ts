// The drivers of switches: one line each.
import type { FabricDriver } from '../../../core/contracts/fabric-driver.ts'
import { ConfigInvalid } from '../../../core/errors.ts'
import type { FabricSwitch } from '../../../core/kinds/l2/fabric.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Log } from '../../../platform/log.ts'
import { Ovsdb } from '../../../platform/ovsdb/database.ts'
import { readCredentials, tlsOf } from '../credentials.ts'
import { tokenRequestOf } from '../openstack/identity.ts'
import { gnmi } from './gnmi.ts'
import { openSession, type GnmiSession } from './gnmi-session.ts'
import { memory, memoryAt } from './memory.ts'
import { NeutronApi } from './neutron-api.ts'
import { neutronTrunk } from './neutron-trunk.ts'
import { ovsdb, switchTables } from './ovsdb.ts'

export interface FabricDeps {
  /** Marks what is ours on a switch. */
  readonly owner: string
  /** Folder with a folder of files for each name of credentials. */
  readonly credentials: string | undefined
  readonly clock: Clock
  /** In [0, 1). */
  readonly random: () => number
  readonly log: Log
}
export type FabricRegistry = Readonly<Record<FabricSwitch['driver'], (spec: FabricSwitch, deps: FabricDeps) => FabricDriver>>

export const fabricRegistry: FabricRegistry = {
  memory: (spec) => memory(memoryAt(spec.address), { any: true }),
  gnmi: (spec, deps) => gnmi(openGnmi(spec, deps), { owner: deps.owner, networkInstance: spec.networkInstance ?? 'default' }),
  'neutron-trunk': (spec, deps) => neutronTrunk(openNeutron(spec, deps), { owner: deps.owner, physicalNetwork: spec.physicalNetwork }),
  ovsdb: (spec, deps) => ovsdb(openOvsdb(spec, deps), { owner: deps.owner, clock: deps.clock, bridge: spec.bridge }),
}

function openOvsdb(spec: FabricSwitch, { credentials, clock, random, log }: FabricDeps): Ovsdb {
  const { ca, cert, key } = readCredentials(credentials, spec.credentials)
  if (spec.address.startsWith('ssl:') && ca === undefined)
    throw new ConfigInvalid({ name: `credentials of switch ${spec.name}`, reason: 'ssl needs ca.crt' })
  const tls = ca === undefined ? undefined : { ca, ...(cert !== undefined && { cert }), ...(key !== undefined && { key }) }
  return new Ovsdb({ address: spec.address, database: 'Open_vSwitch', tables: switchTables, ...(tls && { tls }), log, clock, random })
}

function openGnmi(spec: FabricSwitch, { credentials, clock, random }: FabricDeps): GnmiSession {
  const { ca, cert, key, username, password } = readCredentials(credentials, spec.credentials)
  const tls = { ...(ca !== undefined && { ca }), ...(cert !== undefined && key !== undefined && { pair: { cert, key } }) }
  const login = username === undefined || password === undefined ? undefined : { user: username, password }
  return openSession({ target: spec.address, ...(spec.plaintext !== true && { tls }), ...(login && { login }), clock, random })
}

function openNeutron(spec: FabricSwitch, { credentials: folder, clock, random }: FabricDeps): NeutronApi {
  const read = readCredentials(folder, spec.credentials)
  const { identity, address: url } = spec
  if (identity === undefined) return new NeutronApi({ url, credentials: tlsOf(read) ?? {}, clock, random })
  const credentials = { ...read, project: identity.project, domain: identity.domain ?? 'Default' }
  if (tokenRequestOf(credentials) === undefined) {
    const reason = 'identity needs username and password, an application credential, or a token'
    throw new ConfigInvalid({ name: `credentials of switch ${spec.name}`, reason })
  }
  return new NeutronApi({ url, identity: identity.url, credentials, clock, random })
}
