// NetworkServices whose endpoints register for a short while, refresh that some times, and then stop, or say that they go; and whose
// matches change.
import type { Resource, SpecOf } from '../../../core/kinds/index.ts'
import { happeningKind, type HappeningKind, type World } from '../happening.ts'
import { namespaces } from '../layout.ts'
import { epochMs } from '../process.ts'
import { lateWorkers } from './stale.ts'

const serviceNames = ['svc1', 'svc2'] as const
const endpointNames = ['nse1', 'nse2', 'nse3'] as const

interface Registered {
  readonly namespace: string
  readonly name: string
  readonly rest: boolean
  readonly services: readonly string[]
  /** How long it says that it is there; 0: for good. */
  readonly lifeMs: number
  /** So often, after two thirds of what is left. */
  readonly refreshes: number
}
const by = ({ namespace }: { readonly namespace: string }): string => `operator:${namespace}`

const timeAt = (ms: number): NonNullable<SpecOf<'NetworkServiceEndpoint'>['expiration_time']> => ({
  seconds: Math.floor(ms / 1000),
  nanos: Math.floor(ms % 1000) * 1_000_000,
})

function specOf({ services, lifeMs }: Registered, { site }: World): SpecOf<'NetworkServiceEndpoint'> {
  return {
    network_service_names: [...services],
    url: 'tcp://192.0.2.1:5001',
    ...(lifeMs > 0 && { expiration_time: timeAt(epochMs + site.scheduler.now + lifeMs) }),
  }
}

/** All are over long before a case has to have come to rest. */
const register = happeningKind<Registered>({
  name: 'register-endpoint',
  fault: false,
  weight: 10,
  draw: (dice) => ({
    namespace: dice.mostly(namespaces),
    name: dice.pick(endpointNames),
    rest: dice.chance(0.5),
    services: serviceNames.filter(() => dice.chance(0.7)),
    lifeMs: dice.chance(0.15) ? 0 : dice.between(5_000, 30_000),
    refreshes: dice.int(5),
  }),
  run(registered, world) {
    const { outside, site } = world
    const { namespace, name, rest, lifeMs } = registered
    const ref = { kind: 'NetworkServiceEndpoint', namespace, name } as const
    const spec = (): SpecOf<'NetworkServiceEndpoint'> => specOf(registered, world)
    const again = (item: Resource<'NetworkServiceEndpoint'>): Resource<'NetworkServiceEndpoint'> => ({ ...item, spec: spec() })
    const refresh = (left: number): void => {
      if (left === 0 || lifeMs === 0) return
      site.scheduler.after((lifeMs * 2) / 3, `${name} refreshes`, () => {
        outside.spawn('refresh-endpoint', () => outside.edit(ref, by(ref), again, { rest }))
        refresh(left - 1)
      })
    }
    outside.spawn('register-endpoint', async () => {
      const made = await outside.create({ kind: ref.kind, metadata: { namespace, name }, spec: spec() }, by(ref), { rest })
      return made.ok ? made : outside.edit(ref, by(ref), again, { rest })
    })
    refresh(registered.refreshes)
  },
})

const unregister = happeningKind<{ readonly namespace: string; readonly name: string; readonly rest: boolean }>({
  name: 'unregister-endpoint',
  fault: false,
  weight: 3,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.pick(endpointNames), rest: dice.chance(0.5) }),
  run: ({ namespace, name, rest }, { outside }) =>
    outside.spawn('unregister-endpoint', () =>
      outside.remove({ kind: 'NetworkServiceEndpoint', namespace, name }, by({ namespace }), { rest }),
    ),
})

const putNetworkService = happeningKind<{
  readonly namespace: string
  readonly name: string
  readonly routes: number
  readonly rest: boolean
}>({
  name: 'put-network-service',
  fault: false,
  weight: 4,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.pick(serviceNames), routes: dice.int(3), rest: dice.chance(0.5) }),
  run({ namespace, name, routes, rest }, { outside }) {
    const spec: SpecOf<'NetworkService'> = routes === 0 ? {} : { matches: [{ routes: Array.from({ length: routes }, () => ({})) }] }
    const ref = { kind: 'NetworkService', namespace, name } as const
    outside.spawn('put-network-service', async () => {
      const made = await outside.create({ kind: ref.kind, metadata: { namespace, name }, spec }, by(ref), { rest })
      return made.ok ? made : outside.edit(ref, by(ref), (item) => ({ ...item, spec }), { rest })
    })
  },
})

export const ofNetworkServices: readonly HappeningKind[] = [register, unregister, putNetworkService]
/** Workers that hear of a refresh late. */
export const lateOfNetworkServices = lateWorkers(['NetworkService', 'NetworkServiceEndpoint'])
