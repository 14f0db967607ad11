// Who asks: the cookie says it, which no script can read.
import { signal } from '@preact/signals'
import type { components, operations } from '../../openapi/types.ts'
import type { Kind } from './kinds.ts'

export type Me = operations['getMe']['responses'][200]['content']['application/json']
export type Verb = Me['kinds'][number]['verbs'][number]['verb']
export type SignInWay = operations['getSession']['responses'][200]['content']['application/json']['ways'][number]
export type Problem = components['schemas']['Problem']

/** `out`: nobody; `unknown`: the server has not said yet. */
export type SessionState = 'unknown' | 'in' | 'out'

export const session = {
  state: signal<SessionState>('unknown'),
  me: signal<Me | undefined>(undefined),
  ways: signal<readonly SignInWay[]>(['token']),
  /** A server has answered that it knows nobody by this. */
  lost(): void {
    session.me.value = undefined
    session.state.value = 'out'
  },
}

/** What one may not do is not offered. @param namespace absent: anywhere */
export function may(verb: Verb, kind: Kind, namespace?: string): boolean {
  const found = session.me.value?.kinds.find((each) => each.kind === kind)?.verbs.find((each) => each.verb === verb)
  if (found === undefined) return false
  return namespace === undefined || found.namespaces === undefined || found.namespaces.includes(namespace)
}
