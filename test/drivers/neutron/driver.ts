// Neutron's driver on a Neutron in memory.
import type { CloudDriver } from '../../../core/contracts/cloud.ts'
import type { Resource, SpecOf } from '../../../core/kinds/index.ts'
import { apiVersion } from '../../../core/kinds/meta.ts'
import { realClock } from '../../../platform/clock.ts'
import { silentLog } from '../../../platform/log.ts'
import { neutron } from '../../../workers/drivers/cloud/neutron/neutron.ts'
import type { NeutronModel } from './model.ts'

export const cloudAt = (endpoint: string, spec: Partial<SpecOf<'Cloud'>> = {}): Resource<'Cloud'> => ({
  apiVersion,
  kind: 'Cloud',
  metadata: { name: 'c', uid: 'cloud-uid', resourceVersion: '1', generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' },
  spec: { provider: 'neutron', endpoint, ...spec },
})

/** @param way passed at each request on its way there and back: it may take its time, fail, or never return */
export function driverOn(
  model: NeutronModel,
  way: (method: string) => Promise<void> = () => Promise.resolve(),
  spec: Partial<SpecOf<'Cloud'>> = {},
): CloudDriver {
  const deps = { credentials: {}, clock: realClock, random: Math.random, log: silentLog() }
  return neutron(cloudAt('http://neutron', spec), deps, {
    async ask({ method, url, headers = {}, body }) {
      await way(method)
      const ifMatch = headers['if-match']
      const [status, answer] = model.answer({ method, url, ifMatch, ...(body !== undefined && { body: JSON.parse(body) as unknown }) })
      await way(method)
      return { status, headers: {}, body: answer }
    },
  })
}

/** With the number of requests of a method so far. */
export function countedDriverOn(model: NeutronModel): { readonly driver: CloudDriver; asked(method: string): number } {
  const legs: string[] = []
  const driver = driverOn(model, (method) => {
    legs.push(method)
    return Promise.resolve()
  })
  return { driver, asked: (method) => legs.filter((each) => each === method).length / 2 }
}
