// Which objects the words of a command line ask for, as kubectl takes them: `KIND`, `KIND,KIND`, `KIND NAME…`, `KIND/NAME…`, `all`.
import type { Kind } from '../../core/kinds/index.ts'
import { CliError } from '../context.ts'
import { isNamespaced, kindNamed, knownKinds, rowOf } from './names.ts'

export interface AskedObjects {
  readonly kind: Kind
  /** None: all of the kind. */
  readonly names: readonly string[]
}

/** What `all` stands for: what people write in a namespace. What is asked or told of them comes by its own name. */
const leftOut: readonly Kind[] = ['Event', 'Inquiry', 'Audit']
export const kindsOfAll: readonly Kind[] = knownKinds.filter(
  (kind) => isNamespaced(kind) && !rowOf(kind).internal && !leftOut.includes(kind),
)

/** @throws CliError 2 */
export function askedIn(words: readonly string[], example: string): readonly AskedObjects[] {
  const [first, ...more] = words
  if (first === undefined) throw new CliError(2, `which kind? ${example}, for one`)
  if (first.includes('/')) return words.map(slashedIn)
  const slashed = more.find((word) => word.includes('/'))
  if (slashed !== undefined) throw new CliError(2, `${JSON.stringify(slashed)} is one word too many: KIND/NAME… or KIND NAME…`)
  const kinds = [...new Set(first.split(',').flatMap((word) => (word === 'all' ? kindsOfAll : [kindNamed(word)])))]
  return kinds.map((kind) => ({ kind, names: more }))
}

function slashedIn(word: string): AskedObjects {
  const [kindWord = '', name, excess] = word.split('/')
  if (!name || excess !== undefined) throw new CliError(2, `${JSON.stringify(word)} is one word too many: KIND/NAME… or KIND NAME…`)
  return { kind: kindNamed(kindWord), names: [name] }
}
