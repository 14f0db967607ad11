// A network whose policies workers have compiled: blue/db takes connections to port 5432 from blue/web alone, guest/secret is a guest.
import type { RuleSetSpec } from '../../core/kinds/policy/policy-rule-set.ts'
import type { Harness } from './rest-harness.ts'

export const vni = 7001
const [web, db, guest] = [11, 12, 13]

export async function makePolicedNetwork(rest: Harness): Promise<void> {
  await rest.network('blue', { vni })
  await makePort(rest, 'blue/web', { address: '192.168.0.1', identity: web })
  await makePort(rest, 'blue/db', { address: '192.168.0.2', identity: db, ruleSets: [`vni-${vni}-1`] })
  await makePort(rest, 'guest/secret', { address: '192.168.0.3', identity: guest })
  await makeIdentity(rest, db, { namespace: 'blue', labels: { app: 'db' }, securityGroups: ['blue/group-1'] })
  await makeIdentity(rest, guest, { namespace: 'guest', labels: { plan: 'hidden' } })
  const transport = [{ protocol: 6, first: 5432 }]
  const common = { index: 0, source: '/spec/rules/0', direction: 'ingress', level: 0, action: 'allow' } as const
  await makeSet(rest, {
    subjects: [db],
    isolates: ['ingress'],
    rules: [{ ...common, peers: { identities: [web], blocks: [] }, transport }],
  })
}

interface PortOf {
  readonly address: string
  readonly identity: number
  readonly securityGroups?: string[]
  readonly ruleSets?: string[]
}

/** @param of its groups and rule sets, where it has any */
export async function makePort(rest: Harness, key: string, { address, identity, securityGroups, ruleSets = [] }: PortOf): Promise<void> {
  const [namespace = '', name = ''] = key.split('/')
  const claim = { pod: `${name}-pod`, nic: 'net1', owner: `Pod/${name}-pod`, podUID: name }
  const { metadata } = await rest.store.create({
    kind: 'Port',
    metadata: { namespace, name },
    spec: { subnet: 'blue/subnet-1', node: 'node-1', claim, ...(securityGroups && { securityGroups }) },
  })
  const ref = { kind: 'Port', namespace, name } as const
  const mac = `02:00:00:00:00:${Number(address.split('.').at(-1)).toString(16).padStart(2, '0')}`
  const sections = {
    address: { addresses: [address], mac, vni },
    policy: { policy: { identity, ruleSets } },
    node: { node: { wired: true, dataplane: 'ovs' } },
  }
  await rest.store.patchStatus({ ref, uid: metadata.uid }, sections)
}

const makeIdentity = (
  rest: Harness,
  number: number,
  facts: { readonly namespace: string; readonly labels: Record<string, string>; readonly securityGroups?: string[] },
) =>
  rest.store.create({
    kind: 'PolicyIdentity',
    metadata: { namespace: 'blue', name: `vni-${vni}-${number}` },
    spec: { vni, number, facts },
  })

function makeSet(rest: Harness, spec: Pick<RuleSetSpec, 'subjects' | 'isolates' | 'rules'>): Promise<unknown> {
  const policy = { kind: 'SecurityGroup', namespace: 'blue', name: 'group-1', uid: 'group-1' }
  return rest.store.create({
    kind: 'PolicyRuleSet',
    metadata: { namespace: 'blue', name: `vni-${vni}-1` },
    spec: { vni, number: 1, tier: 'securityGroup', policy, priority: 0, ...spec },
  })
}

/** The lock of web's address, as its worker makes it. */
export const lockOfWeb = (rest: Harness, name: string) =>
  rest.store.create({ kind: 'IPLock', metadata: { namespace: 'blue', name }, spec: { vni, address: '192.168.0.1', identity: web } })
