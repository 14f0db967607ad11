// A workers process: controllers and the dispatcher, as workers/start-in-cluster.ts starts them.
import { startDispatcher } from '../../../workers/notify/start-dispatcher.ts'
import { startWorkers } from '../../../workers/start.ts'
import type { World } from '../happening.ts'
import type { Role } from '../site.ts'

type Beside = Pick<World, 'switches' | 'clouds' | 'resolvers' | 'deployments'>

export const workers = (number: number, { switches, clouds, resolvers, deployments }: Beside): Role => ({
  name: `workers-${number}`,
  async start(process, site) {
    const store = site.storeFor(process)
    const caches = await site.cachesFor(process, store)
    const random = (): number => process.dice.next()
    const { config, log } = site
    const deps = { store, caches, queues: site.broker.queuesOf(process, log), config, clock: process.clock, log, random }
    await startDispatcher({ ...deps, notifier: site.receivers.notifierOf(process) })
    await startWorkers({
      ...deps,
      fabricRegistry: switches.registryFor(process),
      cloudRegistry: clouds.registryFor(process),
      lookup: resolvers.lookupFor(process),
      ...(site.mode !== 'sqlite' && { scales: deployments.scalesFor(process) }),
    })
  },
})
