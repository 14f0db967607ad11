// Whether a Port serves others: what a client is to be sent to, or a packet handed to.
import type { Resource } from '../../core/kinds/index.ts'
import type { Env } from '../controller-env.ts'

/** A pod that nobody asks whether it is ready is. */
export const isUnready = ({ status }: Resource<'Pod'>): boolean =>
  status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is !== 'True') === true

export const isServing = ({ status }: Resource<'Port'>, { config }: Pick<Env, 'config'>): boolean =>
  status?.phase === 'ready' && (status.addresses ?? []).length > 0 && (!config.agents || status.node?.wired === true)
