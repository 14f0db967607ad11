// docs/wakes.md, drawn from the rows of workers/controllers/index.ts and from what brings that which plans wait for.
import { releases } from '../../workers/watch/wake-waiting-keys.ts'
import { rows } from '../../workers/controllers/index.ts'
import type { Watch } from '../../workers/watch/watch.ts'
import { wrapped } from '../../openapi/wrapped.ts'

export const wakesPath = 'docs/wakes.md'

const intro = `# Who wakes whom

Generated from the rows of \`workers/controllers/index.ts\` by \`npm run gen\`. A change of an object on the left adds keys to the queues on the right; a queue has the
name of its kind. A row's own kind wakes it too. How the keys are found is in the tables below; an index is one of \`platform/cache/caches.ts\`.`

const waits = `## What is waited for

A plan may say what has to come before there is anything to do (\`waitsFor\` in \`core/plan/plan.ts\`). Its key is woken when that comes, in the process
that planned it; it is also reconciled again after a while, and after a restart, when every key is.

| what comes | by a | that |
|---|---|---|`

const next = `## What is next

A plan may also name what is to be reconciled next (\`next\`): what its steps make, in the same pass, and what is there already by its key. A pod names the
Ports that it makes; a Subnet whose guests are to leave names their Ports; a reservation and the sweep name pods that only the store has told of; a
Fabric names the L2BridgeDomains that one of its switches disagrees with.`

const things: { readonly [K in (typeof releases)[number]['brings']]: string } = {
  lock: 'an IPLock is free',
  address: 'an address of a Subnet is free: the first who waits, once it has rested',
  identity: 'all rule sets that match a PolicyIdentity have it',
  segment: 'a VNI or VLAN is free',
  named: 'what a pod may name in its namespace',
}

const cell = (text: string): string => text.replaceAll('|', '\\|')

function tableOf({ queue, watches, everyMs }: (typeof rows)[number]): string {
  const line = ({ kind, when, keys, after }: Watch): string =>
    `| ${kind} | ${cell(when)} | ${cell(keys)} | ${after === undefined ? '' : cell(after)} |`
  const timed = everyMs === undefined ? [] : [`| a clock | every ${everyMs.ms / 1_000} s | \`${everyMs.key}\` | |`]
  return [`## ${queue}`, '', '| a | that | wakes | after |', '|---|---|---|---|', ...watches.map(line), ...timed].join('\n')
}

/** Of which kind to which queue, each once. */
export const edges = (): readonly (readonly [kind: string, queue: string])[] =>
  [
    ...new Map(
      rows.flatMap(({ queue, watches }) =>
        watches.filter(({ kind }) => kind !== queue).map(({ kind }) => [`${kind} ${queue}`, [kind, queue] as const] as const),
      ),
    ).values(),
  ].sort()

export function wakesPage(): string {
  const drawing = ['```mermaid', 'flowchart LR', ...edges().map(([kind, queue]) => `  ${kind} --> ${queue}`), '```'].join('\n')
  const brought = releases.map(({ brings, kind, when }) => `| ${things[brings]} | ${kind} | ${cell(when)} |`)
  return wrapped(`${[intro, drawing, ...rows.map(tableOf), [waits, ...brought].join('\n'), next].join('\n\n')}\n`)
}
