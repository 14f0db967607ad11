// What is compared with what, as a table: each difference is found, and what is on its way is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudItem } from '../../core/contracts/cloud.ts'
import { nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import { compare } from '../../core/plan/audit/compare.ts'
import type { AuditSeen } from '../../core/plan/audit/difference.ts'
import { plainSettings } from '../drivers/plain-port.ts'

const meta = { namespace: 'a', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' }
const claim = { pod: 'web', nic: 'eth0', owner: 'Pod/web', podUID: 'w' }

function port({ status = {}, ...spec }: Partial<Resource<'Port'>['spec']> & { readonly status?: Resource<'Port'>['status'] } = {}) {
  return { apiVersion, kind: 'Port' as const, metadata: { ...meta, name: 'p', uid: 'p' }, spec: { subnet: 'one', ...spec }, status }
}
const going = (item: Resource<'Port'>): Resource<'Port'> => ({
  ...item,
  metadata: { ...item.metadata, deletionTimestamp: meta.creationTimestamp },
})
function pod(uid: string, told?: string, phase = 'Running'): Resource<'Pod'> {
  const annotations = told === undefined ? {} : { annotations: { [nicStatusAnnotation]: told } }
  return { apiVersion: 'v1', kind: 'Pod', metadata: { ...meta, name: uid, uid, ...annotations }, spec: {}, status: { phase } } as never
}
const node = (name: string): Resource<'Node'> =>
  ({ apiVersion: 'v1', kind: 'Node', metadata: { ...meta, name, uid: name }, spec: {} }) as never
function thing(id: string, owner: string, more: { readonly host?: string; readonly isMade?: boolean } = {}): CloudItem {
  const settings = plainSettings
  const there = {
    id,
    name: id,
    owner,
    state: 'active' as const,
    revision: '1',
    addresses: [],
    mac: undefined,
    settings,
    host: more.host,
    vif: undefined,
  }
  return { kind: 'port', there, network: 'n', subnet: 's', isMade: more.isMade ?? true }
}
const at = { cloud: 'c', providerID: 'x', phase: 'ready' as const }

const none: AuditSeen = { before: [], after: [], clouds: new Map([['c', []]]), pods: [], nodes: [] }
const both = (item: Resource<'Port'>): Pick<AuditSeen, 'before' | 'after'> => ({ before: [item], after: [item] })
const has = (...items: readonly CloudItem[]): Pick<AuditSeen, 'clouds'> => ({ clouds: new Map([['c', items]]) })

const cases: Readonly<Record<string, { readonly seen: Partial<AuditSeen>; readonly found: readonly string[] }>> = {
  'a thing of an object that is gone': { seen: has(thing('x', 'gone')), found: ['orphan end x'] },
  'a thing of an object that came meanwhile': { seen: { ...has(thing('x', 'p')), after: [port()] }, found: [] },
  'a thing of an object that went meanwhile': {
    seen: { ...has(thing('x', 'p')), before: [port({ status: at })] },
    found: ['orphan end x'],
  },
  'two things of one object': {
    seen: { ...both(port({ status: at })), ...has(thing('y', 'p'), thing('x', 'p')) },
    found: ['doubled end y'],
  },
  'two things of one object, and its status tells of neither': {
    seen: { ...both(port()), ...has(thing('y', 'p'), thing('z', 'p')) },
    found: [],
  },
  'no thing where a status tells of one': { seen: both(port({ status: at })), found: ['missing wake Port p'] },
  'no thing of an object that is going': { seen: both(going(port({ status: at }))), found: [] },
  'a status that tells of it only by now': { seen: { before: [port()], after: [port({ status: at })] }, found: [] },
  'no thing, at a Cloud that was not asked': { seen: { ...both(port({ status: at })), clouds: new Map() }, found: [] },
  'bound to another node': {
    seen: { ...both(port({ node: 'n1', status: at })), ...has(thing('x', 'p', { host: 'n2' })) },
    found: ['elsewhere wake Port p'],
  },
  'on its way to another node': {
    seen: { ...both(port({ node: 'n1', status: { ...at, phase: 'pending' } })), ...has(thing('x', 'p', { host: 'n2' })) },
    found: [],
  },
  'a Port of a pod that is gone': { seen: both(port({ claim })), found: ['podless wake Pod web'] },
  'a Port that admission keeps for a pod to come': { seen: both(port({ claim: { ...claim, until: '2026-01-01T00:00:30Z' } })), found: [] },
  'a Port that was claimed after pods were listed': { seen: { before: [port()], after: [port({ claim })] }, found: [] },
  'a Port of a pod that is there': { seen: { ...both(port({ claim })), pods: [pod('w')] }, found: [] },
  'wired on a Node that is gone': { seen: both(port({ node: 'n1', status: { node: { wired: true } } })), found: ['nodeless wake Port p'] },
  'wired on a Node that is there': {
    seen: { ...both(port({ node: 'n1', status: { node: { wired: true } } })), nodes: [node('n1')] },
    found: [],
  },
  'not wired, on a Node that is gone': { seen: both(port({ node: 'n1' })), found: [] },
  'a pod that is told of a Port': { seen: { pods: [pod('w', '{"phase":"ready","nics":[{}]}')] }, found: ['portless wake Pod w'] },
  'a pod that has finished': { seen: { pods: [pod('w', '{"phase":"ready","nics":[{}]}', 'Succeeded')] }, found: [] },
  'a pod whose Ports come': { seen: { pods: [pod('w', '{"phase":"pending","nics":[{}]}')] }, found: [] },
  'a pod that has written nonsense': {
    seen: { pods: [pod('v', '{'), pod('w', 'null'), pod('u', '{"phase":"ready","nics":7}')] },
    found: [],
  },
}

for (const [name, { seen, found }] of Object.entries(cases))
  test(name, () =>
    assert.deepEqual(
      compare({ ...none, ...seen }).map(({ finding, repair }) =>
        [finding.class, repair.do, repair.do === 'end' ? repair.item.there.id : `${repair.ref.kind} ${repair.ref.name}`].join(' '),
      ),
      found,
    ),
  )
