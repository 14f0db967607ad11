// The cells of the table of rights that are asked of REST and of an API server: kind × verb × role, and what of a Vpc's and a Port's
// fields each role may write, where it holds its role and where the Subnet is another's.
import { kinds, pluralOf, scopeOf, type OwnKind } from '../../core/kinds/index.ts'
import type { Role } from '../../core/admit/rest/rights.ts'

/** One caller: roles by namespace, or over all of them (as REST's groups are). */
export interface Who {
  readonly name: string
  readonly everywhere?: Role
  readonly in?: readonly (readonly [Role, 'home' | 'guest'])[]
}
export interface Cell {
  readonly kind: OwnKind
  readonly verb: 'get' | 'list' | 'watch' | 'create' | 'update' | 'patch' | 'delete'
  /** `home` has the Vpc and its Subnet, `guest` may use them. Absent: of the cluster. */
  readonly namespace: 'home' | 'guest' | undefined
  readonly name: string
  readonly spec: object
  /** Told of a cell that fails. */
  readonly what: string
  /** A write that is taken where it is allowed. */
  readonly whole: boolean
}

const held: readonly Role[] = ['viewer', 'operator', 'owner', 'provider']
const inHome: readonly Who[] = held.map((role) => ({ name: `${role} in home`, in: [[role, 'home']] }))
const everywhere: readonly Who[] = [...held, 'admin', 'agent'].map((role) => ({ name: `${role} everywhere`, everywhere: role as Role }))

export const callers: readonly Who[] = [...inHome, ...everywhere]
export const writers: readonly Who[] = [
  ...inHome,
  ...held.slice(1).map((role): Who => ({ name: `${role} in guest`, in: [[role, 'guest']] })),
  {
    name: 'operator in guest, owner in home',
    in: [
      ['operator', 'guest'],
      ['owner', 'home'],
    ],
  },
  {
    name: 'operator in guest, provider in home',
    in: [
      ['operator', 'guest'],
      ['provider', 'home'],
    ],
  },
  ...everywhere.filter(({ everywhere: role }) => role !== 'viewer' && role !== 'agent'),
]

const verbs = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete'] as const
/** Whether a kind may be asked at all; what a write says does not come into it. */
export const kindCells: readonly Cell[] = (Object.keys(kinds) as OwnKind[]).flatMap((kind) =>
  verbs.map((verb): Cell => ({
    kind,
    verb,
    namespace: scopeOf(kind) === 'Cluster' ? undefined : 'home',
    name: 'none',
    spec: {},
    what: `${verb} ${pluralOf(kind)}`,
    whole: false,
  })),
)

const claim = { pod: 'victim', nic: 'eth0', owner: 'Pod/victim', podUID: 'u' }
const pairs = [{ ip: '10.0.0.0/8' }, { ip: '192.168.0.9' }]
/** What is there before anything is asked, in both namespaces. */
export const ports: Readonly<Record<string, object>> = {
  plain: {},
  loose: { portSecurity: false, allowedAddressPairs: pairs },
  claimed: { claim, podUID: 'u', node: 'n1' },
}
const newPorts: Readonly<Record<string, object>> = {
  'as it comes': {},
  'with security on': { portSecurity: true },
  'with security off': { portSecurity: false },
  'with a pair': { allowedAddressPairs: [{ ip: '0.0.0.0/0' }] },
  'with no pairs': { allowedAddressPairs: [] },
  'with a claim': { claim },
  'made ahead': { warm: {} },
  'with a pod': { podUID: 'u' },
}
const changes: readonly (readonly [keyof typeof ports, string, object])[] = [
  ['plain', 'security turned off', { portSecurity: false }],
  ['plain', 'a pair allowed', { allowedAddressPairs: [{ ip: '192.168.0.7' }] }],
  ['plain', 'claimed', { claim }],
  ['plain', 'given to a pod', { podUID: 'u' }],
  ['plain', 'put on a node', { node: 'n1' }],
  ['plain', 'grouped', { securityGroups: ['g'] }],
  ['loose', 'kept loose', { securityGroups: ['g'] }],
  ['loose', 'security turned on', { portSecurity: true }],
  ['loose', 'a pair less', { allowedAddressPairs: pairs.slice(1) }],
  ['loose', 'another pair', { allowedAddressPairs: [...pairs, { ip: '192.168.0.8' }] }],
  ['claimed', 'claimed by another', { claim: { pod: 'thief' } }],
  ['claimed', 'let go', { claim: null, podUID: null }],
  ['claimed', 'moved to another node', { node: 'n2' }],
  ['claimed', 'taken off its node', { node: null }],
  ['claimed', 'retained', { retain: true }],
]
const portCells = (['home', 'guest'] as const).flatMap((namespace): Cell[] => [
  ...Object.entries(newPorts).map(([what, spec]): Cell => ({
    kind: 'Port',
    verb: 'create',
    namespace,
    name: 'new',
    spec: { subnet: 'home/s', ...spec },
    what: `a new Port of ${namespace} ${what}`,
    whole: true,
  })),
  ...changes.map(([name, what, spec]): Cell => ({
    kind: 'Port',
    verb: 'patch',
    namespace,
    name,
    spec,
    what: `Port ${name} of ${namespace}, ${what}`,
    whole: true,
  })),
])
const ofVpc = (verb: Cell['verb'], name: string, spec: object, what: string): Cell => ({
  kind: 'Vpc',
  verb,
  namespace: 'home',
  name,
  spec,
  what,
  whole: true,
})
/** Beside `v`, the Vpc that is shared. */
export const numbered = { name: 'numbered', spec: { vni: 9_000_001 } }
export const fieldCells: readonly Cell[] = [
  ...portCells,
  ...['wiring', 'inventory'].map((about): Cell => ({
    kind: 'Inquiry',
    verb: 'create',
    namespace: 'home',
    name: `asks-for-${about}`,
    spec: { about, node: 'n1' },
    what: `an Inquiry of home for ${about} of a node`,
    whole: true,
  })),
  {
    kind: 'Port',
    verb: 'create',
    namespace: 'home',
    name: 'near',
    spec: { subnet: 's', portSecurity: false },
    what: 'a new Port of home in s with security off',
    whole: true,
  },
  ofVpc('create', 'new', {}, 'a new Vpc'),
  ofVpc('create', 'new', { vni: 9_000_002 }, 'a new Vpc with a VNI'),
  ofVpc('create', 'new', { vlan: { physicalNetwork: 'physnet1', id: 100 } }, 'a new Vpc that is a VLAN'),
  ofVpc('patch', 'numbered', { mtu: 1400 }, 'a Vpc whose VNI was named'),
]
