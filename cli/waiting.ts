// What objects can be waited for, as kubectl has it.
import { CliError } from './context.ts'
import type { Item } from './kinds/columns.ts'

export interface Awaited {
  /** `condition met`, for a message. */
  readonly done: string
  /** @param item undefined: it is not there */
  readonly holds: (item: Item | undefined) => boolean
}

interface ObservedCondition {
  readonly type: string
  readonly status: string
  readonly observedGeneration?: number
}

const forms = "--for is delete, create, condition=Ready, condition=Ready=False, or jsonpath='{.status.phase}'=ready"

/** @throws CliError 2 */
export async function awaitedIn(text: string): Promise<Awaited> {
  if (text === 'delete') return { done: 'deleted', holds: (item) => item === undefined }
  if (text === 'create') return { done: 'created', holds: (item) => item !== undefined }
  const [, word, rest = ''] = /^(condition|jsonpath)=(.+)$/s.exec(text) ?? []
  if (word === 'condition') return ofCondition(rest)
  if (word === 'jsonpath') return ofPath(rest)
  throw new CliError(2, `${forms}, not ${JSON.stringify(text)}`)
}

function ofCondition(text: string): Awaited {
  const [type = '', wanted = 'True'] = text.split('=')
  return {
    done: 'condition met',
    holds: (item) => {
      const { conditions = [] } = (item?.['status'] ?? {}) as { readonly conditions?: readonly ObservedCondition[] }
      const found = conditions.find((each) => each.type.toLowerCase() === type.toLowerCase())
      // One that speaks of the spec as it was before says nothing of it as it is.
      const isOld = (found?.observedGeneration ?? Infinity) < (item?.metadata.generation ?? 0)
      return found !== undefined && !isOld && found.status.toLowerCase() === wanted.toLowerCase()
    },
  }
}

/** `{.status.phase}=ready`; without a value: that it is there. */
async function ofPath(text: string): Promise<Awaited> {
  const { jsonPathValues, textOf } = await import('./output/jsonpath.ts')
  const [, braced, bare, value] = /^(?:(\{.*\})|([^{=]*))(?:=(.*))?$/s.exec(text) ?? []
  const path = braced ?? bare
  if (path === undefined || path === '') throw new CliError(2, `${forms}, not ${JSON.stringify(text)}`)
  const valuesIn = jsonPathValues(path)
  return {
    done: 'condition met',
    holds: (item) => {
      const found = item === undefined ? [] : valuesIn(item)
      return value === undefined ? found.length > 0 : found.some((each) => textOf(each) === value)
    },
  }
}
