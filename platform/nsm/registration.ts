// An endpoint that stays registered: asked for again after two thirds of its time, and at once where the registry has forgotten it.
// Rules: networkservicemesh/sdk, pkg/registry/common/{refresh,heal,retry} (2026-11).
import { msOf } from '../../core/wire/nsm/well-known.ts'
import type { NetworkServiceEndpoint, NetworkServiceEndpointDraft } from '../../core/wire/nsm/registry.ts'
import { pause, type Clock } from '../clock.ts'
import { tokenHeaders } from './connection/hops/headers.ts'
import type { Tokens } from './tokens/token.ts'
import type { Dialled } from './dial.ts'
import { endpointMethods } from './registry-methods.ts'

const { register, unregister, find } = endpointMethods

/** Between tries. */
const againMs = 200
/** A registry takes what a call has left off the time that it keeps the entry. */
const callMs = 5_000

export interface Registrar {
  readonly registry: Dialled
  readonly tokens: Tokens
  readonly clock: Clock
  /** Once a try that failed. */
  failed(err: unknown): void
}

export interface Registered {
  /** Unregisters, once. @throws as a call does */
  stop(): Promise<void>
}

/** Resolves when it is registered for the first time; it is tried until `signal` falls. @throws what that says */
export async function keepRegistered(draft: NetworkServiceEndpointDraft, registrar: Registrar, signal: AbortSignal): Promise<Registered> {
  const stopping = new AbortController()
  const stopped = stopping.signal
  signal.addEventListener('abort', () => stopping.abort(signal.reason), { once: true })
  if (signal.aborted) stopping.abort(signal.reason)
  let entry = await registered(draft, registrar, stopped)
  const keeping = (async () => {
    while (!stopped.aborted) {
      await untilDue(entry, registrar, stopped)
      if (!stopped.aborted) entry = await registered(draft, registrar, stopped).catch(() => entry)
    }
  })()
  return {
    async stop() {
      stopping.abort()
      await keeping
      await registrar.registry.channel.unary(unregister, entry, { timeoutMs: callMs, headers: await headersOf(registrar) })
    },
  }
}

/** As the first hop says it: who is on the way adds itself. */
const headersOf = async ({ registry, tokens }: Registrar): Promise<Readonly<Record<string, string>>> => ({
  ...tokenHeaders(await tokens.make(await registry.identity())),
  path: '{"Index":0,"PathSegments":null}',
})

async function registered(draft: NetworkServiceEndpointDraft, registrar: Registrar, signal: AbortSignal): Promise<NetworkServiceEndpoint> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await registrar.registry.channel.unary(register, draft, { signal, timeoutMs: callMs, headers: await headersOf(registrar) })
    } catch (err) {
      signal.throwIfAborted()
      registrar.failed(err)
      await pause(againMs, registrar.clock, signal)
    }
  }
}

/** Until it is time to refresh, or the registry no longer tells of the entry. */
async function untilDue({ name, expirationTime }: NetworkServiceEndpoint, registrar: Registrar, signal: AbortSignal): Promise<void> {
  const round = new AbortController()
  const end = (): void => round.abort()
  signal.addEventListener('abort', end)
  if (signal.aborted) end()
  const leftMs = expirationTime === undefined ? 0 : msOf(expirationTime) - registrar.clock.now()
  const due = pause(Math.max(againMs, (leftMs * 2) / 3), registrar.clock, round.signal)
  await Promise.race([due, watched(name, registrar, round.signal)])
  signal.removeEventListener('abort', end)
  end()
}

async function watched(name: string, { registry, tokens, clock }: Registrar, signal: AbortSignal): Promise<void> {
  try {
    const query = { networkServiceEndpoint: { name }, watch: true }
    const headers = tokenHeaders(await tokens.make(await registry.identity()))
    for await (const { deleted } of registry.channel.serverStream(find, query, { signal, headers })) if (deleted) return
  } catch {
    // Whatever has ended it: it is registered again.
  }
  await pause(againMs, clock, signal)
}
