// What is compared with what, as a table: each difference is found, and what is on its way is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CloudItem } from '../../core/contracts/cloud.ts'
import { nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'
import type { InventoriedPort, Inventory } from '../../core/kinds/node/inventory.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import { compare } from '../../core/plan/audit/compare.ts'
import type { AuditSeen, NodeAnswer, Repair } from '../../core/plan/audit/difference.ts'
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

type Cases = Readonly<Record<string, { readonly seen: Partial<AuditSeen>; readonly found: readonly string[] }>>

const wired = { node: { wired: true } }
const onNode = (more: Parameters<typeof port>[0] = {}) => port({ node: 'n1', status: wired, ...more })
const entry = (state: InventoriedPort['state'] = 'wired', more: Partial<InventoriedPort> = {}): InventoriedPort => ({
  uid: 'p',
  port: 'a/p',
  interface: 'mzp',
  state,
  ...more,
})
const answer = (ports: readonly InventoriedPort[] = [], more: Partial<Inventory> = {}, isWhole = true): NodeAnswer => ({
  inventory: { ports: [...ports], interfaces: [], ...more },
  isWhole,
})
/** Nodes n1 and n2 are there. */
const says = (answers: Readonly<Record<string, NodeAnswer | undefined>>): Pick<AuditSeen, 'nodes' | 'inventories'> => ({
  nodes: [node('n1'), node('n2')],
  inventories: new Map(Object.entries(answers)),
})

const ofNodes: Cases = {
  'wired where it is told to be': { seen: { ...both(onNode()), ...says({ n1: answer([entry()]) }) }, found: [] },
  'a node with nothing, that has nothing': { seen: says({ n1: answer() }), found: [] },
  'wired for a Port that is gone': { seen: says({ n1: answer([entry()]) }), found: ['orphan mend n1'] },
  'wired for a Port that went meanwhile': { seen: { before: [onNode()], ...says({ n1: answer([entry()]) }) }, found: [] },
  'wired for a Port that came meanwhile': { seen: { after: [onNode()], ...says({ n1: answer([entry()]) }) }, found: [] },
  'an interface of ours that no Port there has': {
    seen: says({ n1: answer([], { interfaces: [{ name: 'mzlost' }] }) }),
    found: ['orphan mend n1'],
  },
  'told to be wired, and its interface is gone': {
    seen: { ...both(onNode()), ...says({ n1: answer([entry('lost')]) }) },
    found: ['missing mend n1 Port p'],
  },
  'told to be wired, and its node has not wired it': {
    seen: { ...both(onNode()), ...says({ n1: answer([entry('unwired')]) }) },
    found: ['missing mend n1 Port p'],
  },
  'told to be wired, and its node does not know it': {
    seen: { ...both(onNode()), ...says({ n1: answer() }) },
    found: ['missing mend n1 Port p'],
  },
  'not named where there is more than an answer holds': { seen: { ...both(onNode()), ...says({ n1: answer([], {}, false) }) }, found: [] },
  'told meanwhile that it is not wired': {
    seen: { before: [onNode()], after: [port({ node: 'n1', status: { node: { wired: false } } })], ...says({ n1: answer() }) },
    found: [],
  },
  'what is being done is not amiss': { seen: { ...both(onNode()), ...says({ n1: answer([entry('changing')]) }) }, found: [] },
  'a Port that is being deleted is not missing': { seen: { ...both(going(onNode())), ...says({ n1: answer() }) }, found: [] },
  'wired on a second node': {
    seen: { ...both(onNode()), ...says({ n1: answer([entry()]), n2: answer([entry()]) }) },
    found: ['elsewhere mend n2'],
  },
  'on two nodes while its VM moves': {
    seen: { ...both(onNode({ migratingTo: 'n2' })), ...says({ n1: answer([entry()]), n2: answer([entry()]) }) },
    found: [],
  },
  'on two nodes, and it moved meanwhile': {
    seen: { before: [onNode({ node: 'n2' })], after: [onNode()], ...says({ n2: answer([entry()]) }) },
    found: [],
  },
  'wired for a pod that is gone': {
    seen: { ...both(onNode()), ...says({ n1: answer([entry('wired', { pod: 'w' })]) }) },
    found: ['podless mend n1 Port p'],
  },
  'wired for a pod that is there': {
    seen: { ...both(onNode()), pods: [pod('w')], ...says({ n1: answer([entry('wired', { pod: 'w' })]) }) },
    found: [],
  },
  'wired for a pod that came meanwhile': {
    seen: { ...both(onNode()), podsAfter: [pod('w')], ...says({ n1: answer([entry('wired', { pod: 'w' })]) }) },
    found: [],
  },
  'a pod that is gone is found once': {
    seen: { ...both(onNode({ claim })), ...says({ n1: answer([entry('wired', { pod: 'w' })]) }) },
    found: ['podless wake Pod web'],
  },
  'a node that does not answer, with Ports': { seen: { ...both(onNode()), ...says({ n1: undefined }) }, found: ['silent mend -'] },
  'a node that does not answer, without Ports': { seen: says({ n1: undefined }), found: [] },
  'a node whose data plane takes nothing': { seen: says({ n1: answer([], { problem: 'no' }) }), found: ['stuck mend n1'] },
  'a node that makes up what it has': {
    seen: says({
      n1: answer(Array.from({ length: 1000 }, (_, i) => entry('wired', { uid: `u${i}` }))),
      n2: answer([], { problem: 'no' }),
    }),
    found: [...Array.from({ length: 64 }, () => 'orphan mend n1'), 'stuck mend n2'],
  },
  'nodes that were not asked': { seen: both(onNode()), found: ['nodeless wake Port p'] },
}

const cases: Cases = {
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

function toldOf(repair: Repair): readonly string[] {
  if (repair.do === 'end') return [repair.item.there.id]
  const ref = repair.do === 'wake' ? repair.ref : repair.wake
  return [...(repair.do === 'mend' ? [repair.node ?? '-'] : []), ...(ref === undefined ? [] : [`${ref.kind} ${ref.name}`])]
}

for (const [name, { seen, found }] of Object.entries({ ...cases, ...ofNodes }))
  test(name, () =>
    assert.deepEqual(
      compare({ ...none, ...seen }).map(({ finding, repair }) => [finding.class, repair.do, ...toldOf(repair)].join(' ')),
      found,
    ),
  )
