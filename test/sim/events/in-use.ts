// What others rest on is deleted while they do, and made again. Drawn for cases of Fabrics alone (fabric-case.ts).
import { nodePoolFinalizer } from '../../../core/kinds/annotations.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { connectionPoints, fabrics, poolOf } from '../world/switches.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
const tenants = ['a', 'b'] as const
const services = ['s1', 's2'] as const
const groups = ['g1', 'g2'] as const
const ports = ['q1', 'q2'] as const
const by = (namespace: string): string => `provider:${namespace}`
const owner = (namespace: string): string => `operator:${namespace}`
const subnetOf = (service: string): string => `of-${service}`

/** Whoever runs the cluster writes these, past REST. */
const makePool = happeningKind<{ readonly name: string }>({
  name: 'make-node-pool',
  fault: false,
  weight: 3,
  draw: (dice) => ({ name: dice.pick(Object.keys(connectionPoints)) }),
  run: ({ name }, { outside, site: { truth } }) =>
    outside.write('admin', () =>
      truth.commit(
        [{ do: 'create', draft: { kind: 'NodePool', metadata: { name, finalizers: [nodePoolFinalizer] }, spec: poolOf(name) } }],
        'admin',
      ),
    ),
})

const deletePool = happeningKind<{ readonly name: string }>({
  name: 'delete-node-pool',
  fault: false,
  weight: 2,
  draw: (dice) => ({ name: dice.pick(Object.keys(connectionPoints)) }),
  run: ({ name }, { outside, site: { truth } }) =>
    outside.write('admin', () => truth.commit([{ do: 'delete', ref: { kind: 'NodePool', name } }], 'admin')),
})

/** In a Fabric nothing is to be changed, for a while or for good. */
const dryRun = happeningKind<{ readonly name: string; readonly ms?: number }>({
  name: 'dry-run',
  fault: true,
  weight: 2,
  draw: (dice) => ({ name: dice.pick(Object.keys(fabrics)), ...(dice.chance(0.6) && { ms: dice.between(500, 60_000) }) }),
  run({ name, ms }, { outside, site: { truth, scheduler } }) {
    const change = (dry: boolean): void =>
      outside.write('admin', () => {
        const there = truth.at('Fabric', name)!
        truth.commit([{ do: 'update', item: { ...there, spec: { ...there.spec, dryRun: dry } } }], 'admin')
      })
    change(true)
    if (ms !== undefined) scheduler.after(ms, `dry-run of ${name} is over`, () => change(false))
  },
})

const listSubnet = happeningKind<Named>({
  name: 'list-subnet',
  fault: false,
  weight: 4,
  draw: (dice) => ({ namespace: dice.mostly(tenants), name: dice.mostly(services) }),
  run({ namespace, name }, { outside }) {
    const subnet = subnetOf(name)
    outside.spawn('list-subnet', async () => {
      await outside.create(
        {
          kind: 'Subnet',
          metadata: { namespace, name: subnet },
          spec: { l2Service: name, ipv4: { cidr: `10.9.${services.indexOf(name as 's1')}.0/24` } },
        },
        by(namespace),
      )
      return outside.edit({ kind: 'L2Service', namespace, name }, by(namespace), (item) => ({
        ...item,
        spec: { ...item.spec, subnets: [subnet] },
      }))
    })
  },
})

const deleteListed = happeningKind<Named>({
  name: 'delete-listed-subnet',
  fault: false,
  weight: 2,
  draw: (dice) => ({ namespace: dice.mostly(tenants), name: subnetOf(dice.mostly(services)) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('delete-listed-subnet', () => outside.remove({ kind: 'Subnet', namespace, name }, by(namespace))),
})

const makeGroup = happeningKind<Named & { readonly remoteGroup?: string }>({
  name: 'make-security-group',
  fault: false,
  weight: 3,
  draw: (dice) => ({
    namespace: dice.mostly(tenants),
    name: dice.mostly(groups),
    ...(dice.chance(0.4) && { remoteGroup: dice.pick(groups) }),
  }),
  run({ namespace, name, ...of }, { outside }) {
    outside.spawn('make-security-group', () =>
      outside.create(
        {
          kind: 'SecurityGroup',
          metadata: { namespace, name },
          spec: { rules: 'remoteGroup' in of ? [{ direction: 'ingress', ...of }] : [] },
        },
        owner(namespace),
      ),
    )
  },
})

const deleteGroup = happeningKind<Named>({
  name: 'delete-security-group',
  fault: false,
  weight: 2,
  draw: (dice) => ({ namespace: dice.mostly(tenants), name: dice.mostly(groups) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('delete-security-group', () => outside.remove({ kind: 'SecurityGroup', namespace, name }, owner(namespace))),
})

/** A Port may be in them before there is a Subnet for it. */
const joinGroup = happeningKind<Named & { readonly securityGroups: string[] }>({
  name: 'join-security-group',
  fault: false,
  weight: 3,
  draw: (dice) => ({ namespace: dice.mostly(tenants), name: dice.mostly(ports), securityGroups: [dice.mostly(groups)] }),
  run({ namespace, name, securityGroups }, { outside }) {
    outside.spawn('join-security-group', () =>
      outside.create({ kind: 'Port', metadata: { namespace, name }, spec: { subnet: 'one', securityGroups } }, owner(namespace)),
    )
  },
})

const leaveGroup = happeningKind<Named>({
  name: 'leave-security-group',
  fault: false,
  weight: 2,
  draw: (dice) => ({ namespace: dice.mostly(tenants), name: dice.mostly(ports) }),
  run: ({ namespace, name }, { outside }) =>
    outside.spawn('leave-security-group', () => outside.remove({ kind: 'Port', namespace, name }, owner(namespace))),
})

export const inUseKinds: readonly HappeningKind[] = [
  makePool,
  deletePool,
  dryRun,
  listSubnet,
  deleteListed,
  makeGroup,
  deleteGroup,
  joinGroup,
  leaveGroup,
]
