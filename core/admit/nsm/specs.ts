// What is refused of NetworkServices and their endpoints: by REST, and by admission where NSM's own CRDs have no schema.
import { isNsmKind, nsmSpecs, withoutNulls, type NsmKind } from '../../kinds/foreign-network-services.ts'
import { isObject } from '../../json.ts'
import { parseTemplate } from '../../nsm/template.ts'
import { schemaValidator, type SchemaValidator } from '../object/schema-validator.ts'
import type { JsonSchema } from '../object/strict.ts'
import type { Problem } from '../problem.ts'
import { pointerTo } from '../refusal.ts'

/** Compiled once it is needed. */
const validators = new Map<NsmKind, SchemaValidator>()
function validatorOf(kind: NsmKind): SchemaValidator {
  const found = validators.get(kind) ?? schemaValidator(nsmSpecs[kind] as unknown as JsonSchema)
  validators.set(kind, found)
  return found
}

/** Every fault of a spec, with its JSON pointer. What is null is absent. */
export function nsmProblems(kind: NsmKind, given: unknown): readonly Problem[] {
  const spec = withoutNulls(given)
  const faults = validatorOf(kind).problems(spec, '/spec')
  return faults.length > 0 || !isObject(spec) ? faults : kind === 'NetworkService' ? serviceFaults(spec) : endpointFaults(spec)
}

/** The same of an object as admission has it, of one of these kinds. */
export const nsmProblemsIn = (kind: string, object: unknown): readonly Problem[] =>
  isNsmKind(kind) ? nsmProblems(kind, isObject(object) ? (object['spec'] ?? {}) : object) : []

interface ReadMatch {
  readonly source_selector?: LabelMap
  readonly routes?: readonly { readonly destination_selector?: LabelMap }[]
  readonly metadata?: { readonly labels?: LabelMap }
}
type LabelMap = Readonly<Record<string, string>>

/** Of all matches: each is asked for every client. */
const routesMax = 256

function serviceFaults({ matches = [] }: { readonly matches?: readonly ReadMatch[] }): Problem[] {
  const routes = matches.reduce((sum, match) => sum + (match.routes ?? []).length, 0)
  if (routes > routesMax) return [{ at: '/spec/matches', message: `must have at most ${routesMax} routes in all, not ${routes}` }]
  return matches.flatMap(({ source_selector: source, routes: to = [], metadata }, i) => [
    ...selectorFaults(source, ['spec', 'matches', i, 'source_selector']),
    ...to.flatMap(({ destination_selector: selector }, j) =>
      selectorFaults(selector, ['spec', 'matches', i, 'routes', j, 'destination_selector']),
    ),
    ...keyFaults(metadata?.labels, ['spec', 'matches', i, 'metadata', 'labels']),
  ])
}

const endpointFaults = ({
  network_service_labels: labels = {},
}: {
  readonly network_service_labels?: Readonly<Record<string, { readonly labels?: LabelMap }>>
}): Problem[] =>
  Object.entries(labels).flatMap(([service, { labels: own }]) => keyFaults(own, ['spec', 'network_service_labels', service, 'labels']))

type Path = readonly (string | number)[]

const selectorFaults = (selector: LabelMap | undefined, path: Path): Problem[] => [
  ...keyFaults(selector, path),
  ...Object.entries(selector ?? {}).flatMap(([key, value]) => {
    const template = parseTemplate(value)
    return template.kind === 'refused' ? [{ at: pointerTo(...path, key), message: template.message }] : []
  }),
]

const keyPattern = /^[^\s\p{C}]{1,317}$/u
const keyFaults = (labels: LabelMap | undefined, path: Path): Problem[] =>
  Object.keys(labels ?? {}).flatMap((key) =>
    keyPattern.test(key) ? [] : [{ at: pointerTo(...path, key), message: 'must have a name of 1 to 317 characters without spaces' }],
  )
