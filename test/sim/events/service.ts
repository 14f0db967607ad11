// Services of our class that come, change and go, and pods that are ready or not. On one machine there are none.
import { addressAnnotation, poolAnnotation, serviceClass } from '../../../core/kinds/annotations.ts'
import type { ServiceSpec } from '../../../core/kinds/foreign-services.ts'
import type { Dice } from '../dice.ts'
import { lateWorkers } from './stale.ts'
import { happeningKind, type HappeningKind, type World } from '../happening.ts'
import { addresses, apps, namespaces, podNames, subnetNames } from '../layout.ts'

export const serviceNames = ['web', 'db'] as const

interface DrawnService {
  readonly namespace: string
  readonly name: string
  readonly pool: string
  readonly app: string
  /** Not of our class any more, or never. */
  readonly inner: boolean
  readonly address?: string
  /** externalTrafficPolicy. */
  readonly local?: boolean
}

function drawService(dice: Dice): DrawnService {
  const namespace = dice.mostly(namespaces)
  return {
    namespace,
    name: dice.mostly(serviceNames),
    pool: `${dice.chance(0.8) ? namespace : dice.pick(namespaces)}/${dice.mostly(subnetNames)}`,
    app: dice.mostly(apps),
    inner: dice.chance(0.15),
    ...(dice.chance(0.3) && { address: dice.pick(addresses) }),
    ...(dice.chance(0.3) && { local: true }),
  }
}

const specOf = ({ app, inner, local = false }: DrawnService): ServiceSpec => ({
  ...(local && { externalTrafficPolicy: 'Local' as const }),
  ...(inner ? { type: 'ClusterIP' } : { type: 'LoadBalancer', loadBalancerClass: serviceClass }),
  selector: { app },
  ports: [{ port: 80, targetPort: 8080 }],
})

/** As whoever admission has let through, or has not been asked of. */
function putOne(given: DrawnService, { outside, site: { truth, mode } }: World): void {
  const { namespace, name, pool, address } = given
  const before = truth.at('Service', `${namespace}/${name}`)
  if (mode === 'sqlite' || before?.metadata.deletionTimestamp !== undefined) return
  const annotations = { [poolAnnotation]: pool, ...(address !== undefined && { [addressAnnotation]: address }) }
  const by = `operator:${namespace}`
  outside.write(by, () =>
    before === undefined
      ? truth.commit([{ do: 'create', draft: { kind: 'Service', metadata: { namespace, name, annotations }, spec: specOf(given) } }], by)
      : truth.commit([{ do: 'update', item: { ...before, metadata: { ...before.metadata, annotations }, spec: specOf(given) } }], by),
  )
}

export const putService = happeningKind<DrawnService>({ name: 'put-service', fault: false, weight: 14, draw: drawService, run: putOne })

const deleteService = happeningKind<{ readonly namespace: string; readonly name: string }>({
  name: 'delete-service',
  fault: false,
  weight: 5,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(serviceNames) }),
  run({ namespace, name }, { outside, site: { truth } }) {
    const by = `operator:${namespace}`
    outside.write(by, () => truth.commit([{ do: 'delete', ref: { kind: 'Service', namespace, name } }], by))
  },
})

export const podReady = happeningKind<{ readonly namespace: string; readonly name: string; readonly ready: boolean }>({
  name: 'pod-ready',
  fault: false,
  weight: 14,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.mostly(podNames), ready: dice.chance(0.7) }),
  run: ({ namespace, name, ready }, { outside }) =>
    outside.write('kubelet', () =>
      outside.status(
        'Pod',
        `${namespace}/${name}`,
        (was) => ({
          ...was,
          conditions: [
            ...(was?.conditions ?? []).filter(({ type }) => type !== 'Ready'),
            { type: 'Ready', status: ready ? 'True' : 'False' },
          ],
        }),
        'kubelet',
      ),
    ),
})

export const ofServices: readonly HappeningKind[] = [putService, deleteService, podReady]
/** Workers that hear late of what decides who has an address, and who serves. */
export const lateOfServices = lateWorkers(['Service', 'ServiceAddress', 'IPLock', 'Pod', 'Port', 'Subnet'])
