// An object that is asked for something is waited for, until it is ready or in error.
import type { Resource } from '../../core/kinds/index.ts'
import { CliError } from '../context.ts'
import type { Api } from './api.ts'
import { follow, watchPath } from './events.ts'

/** @throws CliError where it is deleted before */
export async function settled<K extends 'Inquiry' | 'Audit'>(
  kind: K,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
  api: Api,
  signal: AbortSignal,
): Promise<Resource<K>> {
  for await (const change of follow(api, watchPath(kind, namespace, { fieldSelector: `metadata.name=${name}` }), signal)) {
    const now = change.event === 'all' ? change.items : [change.item]
    if (change.event === 'gone') break
    const done = (now as readonly unknown[] as readonly Resource<K>[]).find(
      ({ status }) => status?.phase === 'ready' || status?.phase === 'error',
    )
    if (done !== undefined) return done
  }
  throw new CliError(1, `the ${kind} was deleted before it was answered`)
}
