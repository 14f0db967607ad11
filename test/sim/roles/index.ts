// The processes of a cluster.
import { nodeNames, webhookCount, workerCount } from '../layout.ts'
import type { Role } from '../site.ts'
import type { World } from '../happening.ts'
import { agents } from './agents.ts'
import { webhooks } from './webhooks.ts'
import { workers } from './workers.ts'

const numbers = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

export const rolesOf = ({ machines, routing, pages, ...world }: World): readonly Role[] => [
  ...numbers(workerCount).map((number) => workers(number, world)),
  ...numbers(webhookCount).map((number) => webhooks(number, pages.backlogs)),
  ...nodeNames.map((name) => agents(name, { machines, routing })),
]

/** By these names they are killed, and their watches are late. */
export const processNames: readonly string[] = [
  ...numbers(workerCount).map((i) => `workers-${i}`),
  ...numbers(webhookCount).map((i) => `webhooks-${i}`),
  ...nodeNames.map((name) => `agent-${name}`),
]
