// Kubernetes' label selectors: read once, asked often.
import type { LabelSelector } from '../kinds/policy/label-selector.ts'
import { hasOnly, type Problems } from './problem.ts'

export type Labels = Readonly<Record<string, string>>

export type Operator = 'In' | 'NotIn' | 'Exists' | 'DoesNotExist'

/** What a label must be; all of a selector's hold together. Of none: everything is selected. */
export interface Requirement {
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

const tests: Readonly<Record<Operator, (values: readonly string[], value: string | undefined) => boolean>> = {
  In: (values, value) => value !== undefined && values.includes(value),
  NotIn: (values, value) => value === undefined || !values.includes(value),
  Exists: (_, value) => value !== undefined,
  DoesNotExist: (_, value) => value === undefined,
}

export function holds(requirements: readonly Requirement[], labels: Labels): boolean {
  for (const { key, operator, values } of requirements)
    if (!tests[operator](values, Object.hasOwn(labels, key) ? labels[key] : undefined)) return false
  return true
}

/** One value that a selector asks for, by which it can be looked up. */
export const anchorOf = (requirements: readonly Requirement[]): { readonly key: string; readonly value: string } | undefined => {
  const exact = requirements.find(({ operator, values }) => operator === 'In' && values.length === 1)
  return exact && { key: exact.key, value: exact.values[0]! }
}

/** @returns undefined where the selector is none: then it selects nobody */
export function readSelector(selector: LabelSelector, path: string, problems: Problems): readonly Requirement[] | undefined {
  if (!hasOnly(selector, ['matchLabels', 'matchExpressions'], { path, problems })) return undefined
  const exact = Object.entries(selector.matchLabels ?? {}).map(([key, value]): Requirement => ({ key, operator: 'In', values: [value] }))
  const others = (selector.matchExpressions ?? []).map((each, i) => readExpression(each, `${path}/matchExpressions/${i}`, problems))
  if (others.includes(undefined)) return undefined
  return [...exact, ...others.filter((each) => each !== undefined)].sort(byKey)
}

const byKey = (a: Requirement, b: Requirement): number => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)
const isOperator = (text: string): text is Operator => Object.hasOwn(tests, text)

type Expression = NonNullable<LabelSelector['matchExpressions']>[number]

function readExpression({ key, operator, values = [] }: Expression, path: string, problems: Problems): Requirement | undefined {
  if (!isOperator(operator)) return problems.refuse(`${path}/operator`, 'must be In, NotIn, Exists or DoesNotExist')
  const needsValues = operator === 'In' || operator === 'NotIn'
  if (needsValues !== values.length > 0)
    return problems.refuse(`${path}/values`, needsValues ? `must not be empty with ${operator}` : `must be empty with ${operator}`)
  return { key, operator, values: [...values].sort() }
}
