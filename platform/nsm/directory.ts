// What a hop asks a registry: which services and endpoints there are, and when a service changes.
import type {
  NetworkService,
  NetworkServiceDraft,
  NetworkServiceEndpoint,
  NetworkServiceEndpointDraft,
} from '../../core/wire/nsm/registry.ts'
import { pause, type Clock } from '../clock.ts'
import { endpointMethods, serviceMethods } from './registry-methods.ts'
import type { Finds } from './upstream.ts'

export interface Directory {
  /** By name, of that payload where one is said. @throws PeerUnavailable, PeerRefused */
  service(name: string, payload: string): Promise<NetworkService | undefined>
  /** Those that fit what the draft says. @throws as service */
  endpoints(query: NetworkServiceEndpointDraft): Promise<readonly NetworkServiceEndpoint[]>
  /** Tells of the service as it is and of each change, until the signal falls. Watches of one service are one. */
  watch(service: string, notify: (service: NetworkService) => void, signal: AbortSignal): void
}

const findMs = 5_000
const againMs = 100
/** Answers that one question may have. */
const mostAnswers = 10_000

/** @param registry what is asked */
export function registryDirectory(registry: Finds, clock: Clock): Directory {
  const watches = new Map<string, Watch>()
  const stream = async (name: string, notify: (service: NetworkService) => void, signal: AbortSignal): Promise<void> => {
    const answers = registry.find(serviceMethods.find, { networkService: { name }, watch: true }, { signal })
    for await (const { networkService, deleted } of answers) if (networkService?.name === name && !deleted) notify(networkService)
  }
  const changes = async (name: string, notify: (service: NetworkService) => void, signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      // While the registry is away, what it has told so far stands.
      await stream(name, notify, signal).catch(() => undefined)
      await pause(againMs, clock, signal)
    }
  }
  return {
    async service(name, payload) {
      const networkService: NetworkServiceDraft = { name, payload }
      const answers = registry.find(serviceMethods.find, { networkService }, { timeoutMs: findMs })
      const found = await collected(answers, ({ networkService }) => networkService)
      return found.find((each) => each.name === name)
    },
    async endpoints(networkServiceEndpoint) {
      const answers = registry.find(endpointMethods.find, { networkServiceEndpoint }, { timeoutMs: findMs })
      return collected(answers, (answer) => answer.networkServiceEndpoint)
    },
    watch(name, notify, signal) {
      const watch =
        watches.get(name) ??
        new Watch(
          (each, until) => void changes(name, each, until),
          () => watches.delete(name),
        )
      watches.set(name, watch)
      watch.add(notify, signal)
    },
  }
}

async function collected<A, T>(answers: AsyncIterable<A>, of: (answer: A) => T | undefined): Promise<readonly T[]> {
  const all: T[] = []
  for await (const answer of answers) {
    const one = of(answer)
    if (one !== undefined) all.push(one)
    if (all.length >= mostAnswers) break
  }
  return all
}

/** One stream for all who look at one service. */
class Watch {
  readonly #listeners = new Set<(service: NetworkService) => void>()
  readonly #ended = new AbortController()
  readonly #forget: () => void
  #last: NetworkService | undefined

  constructor(begin: (each: (service: NetworkService) => void, until: AbortSignal) => void, forget: () => void) {
    this.#forget = forget
    begin((service) => {
      this.#last = service
      for (const notify of [...this.#listeners]) notify(service)
    }, this.#ended.signal)
  }

  add(notify: (service: NetworkService) => void, signal: AbortSignal): void {
    this.#listeners.add(notify)
    signal.addEventListener('abort', () => this.#drop(notify), { once: true })
    if (this.#last !== undefined) notify(this.#last)
  }

  #drop(notify: (service: NetworkService) => void): void {
    this.#listeners.delete(notify)
    if (this.#listeners.size > 0) return
    this.#forget()
    this.#ended.abort()
  }
}
