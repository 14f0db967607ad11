// What an edited policy would change: asked of the server as `megrez plan` asks it. Nothing is stored.
import type { paths } from '../../../openapi/types.ts'
import { client, taken } from '../../contract/api.ts'
import { keyOf, type Item } from '../../contract/kinds.ts'
import { objects } from '../../live/objects.ts'
import { yamlOf } from '../objects/yaml.ts'

type Ask = paths['/v1/policy/plan']['post']
export type Plan = Ask['responses'][200]['content']['application/json']
export type PlannedVerdict = Plan['verdicts'][number]
type Ref = NonNullable<Ask['requestBody']['content']['application/json']['delete']>[number]

/** Those that people of a namespace write. */
const editable = ['UnifiedNetworkPolicy', 'SecurityGroup'] as const
export type Editable = Item<(typeof editable)[number]>

export const editables = (): readonly Editable[] => editable.flatMap((kind) => [...objects.of(kind).values()])
export const titleOf = (policy: Editable): string => `${policy.kind} ${keyOf(policy)}`

/** As one writes it: without what the store has added. */
export function textOf({ apiVersion, kind, metadata: { namespace, name, labels }, spec }: Editable): string {
  return yamlOf({ apiVersion, kind, metadata: { namespace, name, ...(labels && { labels }) }, spec })
}
export const refOf = ({ kind, metadata: { namespace, name } }: Editable): Ref => ({
  kind,
  name,
  ...(namespace !== undefined && { namespace }),
})

/** Documents of YAML, or JSON, as one that has them in a list. */
export const listed = (text: string): string =>
  `put:\n${text
    .split(/^---[ \t]*$/m)
    .filter((each) => each.trim() !== '')
    .map((each) =>
      each
        .replace(/^(?:[ \t]*\n)+/, '')
        .trimEnd()
        .split('\n'),
    )
    .map((lines) => lines.map((line, i) => `${i === 0 ? '- ' : '  '}${line}`).join('\n'))
    .join('\n')}\n`

/** @throws Refusal with the paths of what is wrong */
export async function planned(vpc: string, change: { readonly text: string } | { readonly gone: Ref }): Promise<Plan> {
  const params = { query: { vpc } }
  if ('gone' in change) return taken(await client.POST('/v1/policy/plan', { params, body: { delete: [change.gone] } }))
  return taken(
    await client.POST('/v1/policy/plan', {
      params,
      body: listed(change.text) as never,
      bodySerializer: (text) => text as unknown as string,
      headers: { 'content-type': 'application/yaml' },
    }),
  )
}
