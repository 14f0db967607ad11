// What a label selector requires: read once, asked often.

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
