// The third mode of the store: kube's own code (reflector, patches, fences) over the simulated API server, whose network goes wrong.
import { tableFor } from './kube-api/tables.ts'
import { KubeStore } from '../../platform/store/kube/kube.ts'
import { silentLog } from '../../platform/log.ts'
import type { Clock } from '../../platform/clock.ts'
import { pluralOf, type Kind } from '../../core/kinds/index.ts'
import type { KubeResponse, KubeRequest } from '../../platform/kube/client.ts'
import { SimulatedClient, type Call, type Hooks } from './kube-api/client.ts'
import { SimulatedApi } from './kube-api/server.ts'
import { epochMs, type CallFault, type Laid, type Process } from './process.ts'
import type { Scheduler } from './scheduler.ts'
import { givenUpMs, lateMs } from './store.ts'

/** Longest that an event is under way when nothing is wrong. */
const usualMs = 10

/** An API server whose time is the scheduler's. */
export function apiOn(scheduler: Scheduler, uid: () => string): SimulatedApi {
  const clock: Clock = {
    now: () => Math.floor(epochMs + scheduler.now),
    elapsed: () => scheduler.now,
    after: (ms, call) => scheduler.after(Math.max(ms, 0.001), 'timer of the API server', call),
    soon: (call) => void scheduler.after(0, 'soon', call),
  }
  return new SimulatedApi({ clock, uids: uid })
}

/** A process's own store, which ends with it. */
export function kubeStoreOf(api: SimulatedApi, process: Process): KubeStore {
  const client = new SimulatedClient(api, { by: process.name, hooks: hooksOf(api, process) })
  process.onEnd(() => void client.close())
  return new KubeStore(client, { clock: process.clock, random: () => process.dice.next(), log: silentLog() })
}

const isWrite = ({ verb }: KubeRequest): boolean => verb === 'create' || verb === 'patch' || verb === 'delete'
const labelOf = ({ ask }: Call): string => `${ask.verb} ${ask.path.replace(/^\/apis?\/[^/]+(?:\/v1[a-z0-9]*)?\//, '')}`

function hooksOf(api: SimulatedApi, process: Process): Hooks {
  const laid = new WeakMap<Call, CallFault>()
  const givenUp = async (call: Call): Promise<never> => {
    await process.suffer(process.dice.next() * givenUpMs, `no answer: ${labelOf(call)}`)
    throw new Error('the connection was cut')
  }
  return {
    async before(call) {
      await process.pass(process.way(), labelOf(call))
      if (process.isCut) return givenUp(call)
      const fault = faultFor(process.faults, call.ask)
      if (fault === undefined) return undefined
      process.scheduler.say(process.name, `fault ${fault}: ${labelOf(call)}`)
      process.trouble()
      if (fault === 'conflict') return conflict
      if (fault === 'lost-request') return givenUp(call)
      laid.set(call, fault)
      return undefined
    },
    async after(call, answer) {
      const fault = laid.get(call)
      if (fault === 'lost-answer') return givenUp(call)
      if (fault === 'late') await process.suffer(process.dice.next() * lateMs, `late answer: ${labelOf(call)}`)
      return answer
    },
    async event(_, { type, object }) {
      const kind = (object as { readonly kind: Kind }).kind
      await process.pass(process.dice.next() * usualMs, `news of ${kind}`)
      // The connection is gone by then: whoever watches goes on from what it has seen.
      if (process.isCut)
        return process.connected(`news of ${kind}`).then(() => {
          throw new Error('the connection was cut')
        })
      if (type === 'ERROR') return undefined
      return stalled(api, process, tableFor(kind).kind)
    },
  }
}

/** Held back as long as it is laid; a watch that lists anew has missed what was in between, and so have all that begin anew. */
async function stalled(api: SimulatedApi, process: Process, kind: Kind): Promise<'over' | undefined> {
  for (let stall = process.stalls.get(kind); stall !== undefined; stall = process.stalls.get(kind)) {
    if (process.scheduler.now < stall.until) await process.pass(stall.until - process.scheduler.now, `late news of ${kind}`)
    if (process.stalls.get(kind) !== stall) continue
    process.stalls.delete(kind)
    process.trouble()
    if (!stall.relists) return undefined
    api.etcd.compact()
    return 'over'
  }
  return undefined
}

const conflict: KubeResponse = {
  status: 409,
  retryAfterMs: undefined,
  body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', reason: 'Conflict', message: 'a rival was faster', code: 409 },
}

/** The next fault that this request can have: a conflict is a patch's, an answer is lost only of a write, a watch has faults of its own. */
function faultFor(faults: Laid[], ask: KubeRequest): CallFault | undefined {
  if (ask.verb === 'watch') return undefined
  const at = faults.findIndex(
    ({ fault, of }) =>
      (fault !== 'conflict' || ask.verb === 'patch') &&
      (of === undefined
        ? fault === 'late' || fault === 'lost-request' || isWrite(ask)
        : isWrite(ask) && ask.path.split('/').includes(pluralOf(of))),
  )
  return at < 0 ? undefined : faults.splice(at, 1)[0]!.fault
}
