// A webhooks process: admission, and REST for who asks it; both are called by Fastify's inject.
import type { FastifyInstance } from 'fastify'
import { networkViewKinds, networkViewOf } from '../../../platform/cache/network-view.ts'
import { openCaches } from '../../../platform/cache/caches.ts'
import { catchUpOf } from '../../../webhooks/admission/catch-up.ts'
import type { Caller, Tokens } from '../../../webhooks/plugins/auth.ts'
import { Signer } from '../../../webhooks/plugins/signer.ts'
import { uidsOf } from '../../../platform/chance.ts'
import { buildRest } from '../../../webhooks/rest/server.ts'
import { buildAdmission } from '../../../webhooks/server.ts'
import type { StandaloneStore } from '../../../webhooks/rest/deps.ts'
import { grantOf } from '../../../core/admit/rest/roles.ts'
import type { Process } from '../process.ts'
import type { Role, Site } from '../site.ts'
import type { Backlogs } from '../world/backlogs.ts'

/** What is called of a webhooks process. */
export interface Webhooks {
  readonly process: Process
  readonly admission: FastifyInstance
  /** Built when it is first called: that takes as long as a hundred steps. */
  readonly rest: () => FastifyInstance
}

/** The webhooks that answer now, by name. */
export const answering = new WeakMap<Site, Map<string, Webhooks>>()

/** `Bearer operator:a`: a caller with that role there, whose signature somebody else has looked at. */
function callerOf(authorization: string | undefined): Caller {
  const [, words = ''] = /^Bearer (.+)$/.exec(authorization ?? '') ?? []
  const grants = words.split(' ').flatMap((word) => grantOf(word) ?? [])
  return { subject: words, issuer: 'simulation', grants, until: Number.POSITIVE_INFINITY }
}

export const webhooks = (number: number, backlogs: Backlogs): Role => ({
  name: `webhooks-${number}`,
  async start(process, site) {
    const store = site.storeFor(process)
    const caches = openCaches(store, { only: networkViewKinds })
    await caches.start(new AbortController().signal)
    const { clock } = process
    const { log, config } = site
    const uids = uidsOf(() => process.dice.next())
    const deps = { store, world: networkViewOf(caches), settings: config, clock, log, news: catchUpOf(caches, clock) }
    const admission = buildAdmission(deps) as FastifyInstance
    await admission.ready()
    const standalone = site.mode === 'sqlite' ? { standalone: store as unknown as StandaloneStore } : {}
    let rest: FastifyInstance | undefined
    const all = answering.get(site) ?? new Map<string, Webhooks>()
    answering.set(site, all)
    all.set(process.name, {
      process,
      admission,
      rest: () =>
        (rest ??= buildRest({
          store,
          ...standalone,
          admission: deps,
          tokens: { callerOf } as unknown as Tokens,
          clock,
          random: () => process.dice.next(),
          uids,
          seal: new Signer(Buffer.alloc(32, 1)),
          log,
          document: '{}',
          testWaitMs: 1,
          openBacklog: () => backlogs.open(),
        })),
    })
    process.onEnd(() => all.delete(process.name))
  },
})
