// The way of a traced packet, and where it dies.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import type { TraceEnd, Traced } from '../../core/policy/trace/trace.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import { wayOf, type Waypoint } from '../../core/policy/trace/way.ts'

const metadata = { uid: '', resourceVersion: '1', generation: 1, creationTimestamp: '' }
type Status = NonNullable<Resource<'Port'>['status']>
interface EndOf {
  readonly node?: string
  readonly pod?: string
  readonly status?: Status
}
const end = (name: string, { node, pod, status = {} }: EndOf): TraceEnd => ({
  address: `address of ${name}`,
  identity: 0,
  port: {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Port',
    metadata: { ...metadata, namespace: 'a', name },
    spec: { subnet: 's', ...(node !== undefined && { node }), ...(pod && { claim: { pod, nic: 'n', owner: '', podUID: '' } }) },
    status,
  },
})
const outside: TraceEnd = { address: '192.0.2.7', identity: 0 }
const yes = { isAllowed: true, tiers: [] }
const policy = { kind: 'SecurityGroup', namespace: 'a', name: 'g' }
const no = (rule?: string): NonNullable<Traced['egress']> => ({
  isAllowed: false,
  tiers: [{ tier: 'securityGroup', says: 'denies', policy, ...(rule !== undefined && { rule }) }],
})
const passes: Pick<Traced, 'egress' | 'ingress'> = { egress: yes, ingress: yes }
const way = (from: TraceEnd, to: TraceEnd, traced = passes): readonly string[] => wayOf({ from, to, vni: 7, traced }).map(textOf)

function textOf({ at, name = '', from = '?', to = '?', judges, fate, message }: Waypoint): string {
  const sign = { passes: '', dies: ' †', unreached: ' -' }[fate]
  const what = at === 'Tunnel' ? `${from}>${to}` : name
  return `${at} ${what}${judges === undefined ? '' : ` ${judges.join('+')}`}${sign}${message === undefined ? '' : `: ${message}`}`
}
const web = end('web', { node: 'n1', pod: 'web-0', status: { hostIP: '192.0.2.1', node: { wired: true } } })
const db = end('db', { node: 'n2', pod: 'db-0', status: { hostIP: '192.0.2.2', node: { wired: true } } })

const cases: Readonly<Record<string, readonly [from: TraceEnd, to: TraceEnd, traced: typeof passes, way: readonly string[]]>> = {
  'between two nodes goes through a tunnel from address to address': [
    web,
    db,
    passes,
    ['Pod web-0', 'Port web', 'Node n1 egress', 'Tunnel 192.0.2.1>192.0.2.2', 'Node n2 ingress', 'Port db', 'Pod db-0'],
  ],
  'on one node is judged there for both': [
    web,
    end('near', { node: 'n1' }),
    passes,
    ['Pod web-0', 'Port web', 'Node n1 egress+ingress', 'Port near'],
  ],
  'that may not be sent dies before the tunnel': [
    web,
    db,
    { egress: no() },
    [
      'Pod web-0',
      'Port web',
      'Node n1 egress †: securityGroup: SecurityGroup a/g denies it, as no rule of it allows this',
      'Tunnel 192.0.2.1>192.0.2.2 -',
      'Node n2 ingress -',
      'Port db -',
      'Pod db-0 -',
    ],
  ],
  'that may not be received dies on the node of who receives': [
    web,
    db,
    { egress: yes, ingress: no('/spec/rules/2') },
    [
      'Pod web-0',
      'Port web',
      'Node n1 egress',
      'Tunnel 192.0.2.1>192.0.2.2',
      'Node n2 ingress †: securityGroup: SecurityGroup a/g denies it by /spec/rules/2',
      'Port db -',
      'Pod db-0 -',
    ],
  ],
  'to what is on no node dies there, whatever policies say': [
    web,
    end('late', {}),
    passes,
    ['Pod web-0', 'Port web', 'Node n1 egress', 'Port late †: it is on no node'],
  ],
  'from what its node has not wired goes nowhere': [
    end('cold', { node: 'n1', status: { hostIP: '192.0.2.1', node: { wired: false } } }),
    end('near', { node: 'n1' }),
    passes,
    ['Port cold †: n1 has not wired it, or has it no more', 'Node n1 egress+ingress -', 'Port near -'],
  ],
  'dies in the tunnel where a node at work knows no address of the next': [
    web,
    end('far', { node: 'n9' }),
    passes,
    [
      'Pod web-0',
      'Port web',
      'Node n1 egress',
      'Tunnel 192.0.2.1>? †: no address of n9 is known to tunnel to',
      'Node n9 ingress -',
      'Port far -',
    ],
  ],
  'is told without a verdict on tunnels where no agent is at work': [
    end('plain', { node: 'n1' }),
    end('far', { node: 'n9' }),
    passes,
    ['Port plain', 'Node n1 egress', 'Tunnel ?>?: no address of n9 is known to tunnel to', 'Node n9 ingress', 'Port far'],
  ],
  'from an address is told from the node of who receives': [
    outside,
    db,
    { ingress: yes },
    ['Address 192.0.2.7: no Port that you may see here has it', 'Node n2 ingress', 'Port db', 'Pod db-0'],
  ],
  'says what a node does not do of what was asked': [
    end('odd', {
      node: 'n1',
      status: {
        node: {
          conditions: [
            { type: 'Unsupported', status: 'True', reason: 'Unsupported', lastTransitionTime: '', message: 'policy: it names blocks' },
          ],
        },
      },
    }),
    end('near', { node: 'n1' }),
    passes,
    ['Port odd: not done by its node: policy: it names blocks', 'Node n1 egress+ingress', 'Port near'],
  ],
}
for (const [name, [from, to, traced, expected]] of Object.entries(cases))
  test(`a packet ${name}`, () => assert.deepEqual(way(from, to, traced), expected))

test('in a VLAN no tunnel is between two nodes', () => {
  const stops = wayOf({ from: web, to: db, vni: vlanSegment('physnet1', 100), traced: passes }).map(textOf)
  assert.deepEqual(stops, ['Pod web-0', 'Port web', 'Node n1 egress', 'Node n2 ingress', 'Port db', 'Pod db-0'])
})
