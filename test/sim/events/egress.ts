// Classes by which Vpcs send to the world outside, which come, change and go, and owners who name one and take that back.
import { egressFinalizer } from '../../../core/kinds/annotations.ts'
import type { Dice } from '../dice.ts'
import { happeningKind, type HappeningKind } from '../happening.ts'
import { namespaces, vpcNames } from '../layout.ts'
import { vpcs } from './peering.ts'
import { lateWorkers } from './stale.ts'

export const egressClassNames = ['internet', 'office'] as const

interface DrawnClass {
  readonly name: string
  /** `namespace/name` of each. */
  readonly vpcs: readonly string[]
  /** Absent: everywhere. */
  readonly to?: readonly string[]
  /** `namespace/name` of a Subnet. Absent: from addresses of nodes. */
  readonly pool?: string
}

const drawClass = (dice: Dice): DrawnClass => ({
  name: dice.mostly(egressClassNames),
  vpcs: vpcs.filter(() => dice.chance(0.7)),
  ...(dice.chance(0.3) && { to: ['198.51.100.0/24'] }),
})

/** As an operator does it, whom admission has nothing to say against. */
export const putEgressClass = happeningKind<DrawnClass>({
  name: 'put-egress-class',
  fault: false,
  weight: 8,
  draw: drawClass,
  run({ name, vpcs: named, to, pool }, { outside, site: { truth } }) {
    const spec = { vpcs: [...named], ...(to && { to: [...to] }), ...(pool !== undefined && { pool }) }
    outside.write('admin', () => {
      const before = truth.at('EgressClass', name)
      return before === undefined
        ? truth.commit([{ do: 'create', draft: { kind: 'EgressClass', metadata: { name, finalizers: [egressFinalizer] }, spec } }], 'admin')
        : truth.commit([{ do: 'update', item: { ...before, spec } }], 'admin')
    })
  },
})

const deleteEgressClass = happeningKind<{ readonly name: string }>({
  name: 'delete-egress-class',
  fault: false,
  weight: 3,
  draw: (dice) => ({ name: dice.mostly(egressClassNames) }),
  run: ({ name }, { outside, site: { truth } }) =>
    outside.write('admin', () => truth.commit([{ do: 'delete', ref: { kind: 'EgressClass', name } }], 'admin')),
})

interface DrawnWord {
  readonly namespace: string
  readonly name: string
  /** Absent: none. */
  readonly egressClass?: string
}

function drawWord(dice: Dice): DrawnWord {
  const [namespace, name, none] = [dice.mostly(namespaces), dice.mostly(vpcNames), dice.chance(0.3)]
  return { namespace, name, ...(!none && { egressClass: dice.mostly(egressClassNames) }) }
}

export const nameEgressClass = happeningKind<DrawnWord>({
  name: 'name-egress-class',
  fault: false,
  weight: 12,
  draw: drawWord,
  run({ namespace, name, egressClass }, { outside }) {
    outside.spawn('name-egress-class', () =>
      outside.edit({ kind: 'Vpc', namespace, name }, `provider:${namespace}`, (vpc) => {
        const { egressClass: _, ...spec } = vpc.spec
        return { ...vpc, spec: { ...spec, ...(egressClass !== undefined && { egressClass }) } }
      }),
    )
  },
})

/** Of one namespace, and lent to others; no pod has a Port in it. */
export const egressPool = { namespace: 'a', name: 'pool', vpc: 'v1', cidr: '203.0.113.0/27' } as const
/** The group that says it. */
export const poolGroup = 'pools'
const poolKey = `${egressPool.namespace}/${egressPool.name}`
/** Mostly from a pool, else of nodes: what sends changes from one to the other. */
export const putPooledClass = {
  ...putEgressClass,
  draw: (dice: Dice): DrawnClass => ({ ...drawClass(dice), ...(dice.chance(0.75) && { pool: poolKey }) }),
}
/** All Vpcs may send from the pool. */
export const pooledClass: DrawnClass = { name: egressClassNames[0], vpcs, pool: poolKey }

export const ofEgress: readonly HappeningKind[] = [putEgressClass, deleteEgressClass, nameEgressClass]
/** Workers that hear late of what decides who sends outside. */
export const lateOfEgress = lateWorkers(['EgressClass', 'Vpc', 'Subnet', 'Port', 'Node'])
/** The same of what decides which address of a pool. */
export const lateOfPools = lateWorkers(['EgressClass', 'EgressAddress', 'IPLock', 'PrefixLock', 'BGPSessionGroup', 'Vpc', 'Port', 'Subnet'])
