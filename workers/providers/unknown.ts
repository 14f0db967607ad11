// A provider that these workers do not know.
import type { Resource } from '../../core/kinds/index.ts'
import { planUnknownProvider } from '../../core/plan/unknown-provider.ts'
import { nothing } from '../drivers/store-objects.ts'
import type { Env } from '../controller-env.ts'
import type { AnyController } from '../loop/controller.ts'
import type { ProvidedKind, Provider } from './provider.ts'

export function unknownProvider(env: Env): Provider {
  const driver = nothing(env.store)
  const controller = (kind: ProvidedKind): AnyController => ({
    gather: (key, made) => made ?? env.caches[kind].get(key),
    driver: () => driver,
    scope: () => undefined,
    item: (item) => item as Resource,
    plan: (item) => planUnknownProvider(item as Resource),
  })
  return { Vpc: controller('Vpc'), Subnet: controller('Subnet'), Port: controller('Port') }
}
