// YAML for people, at a cost that grows no faster than what was sent: one reading of it for REST and for the command line. What is YAML is
// the library's to judge; the bounds are ours, for its parser recurses, and compares each key with each.
import { Composer, CST, isAlias, isCollection, isMap, isPair, isScalar, Lexer, Parser, visit, type Document } from 'yaml'

export interface YamlBounds {
  /** Levels of nesting. */
  readonly depth: number
  /** Words and signs: a page of YAML is some hundred, and the parser needs some microseconds for each. */
  readonly tokens: number
  readonly documents: number
}

/** Why a text is not taken. */
export class YamlProblem extends Error {
  override readonly name = 'YamlFault'
  /** Not wrong in itself, but more than is read. */
  readonly tooLarge: boolean

  constructor(message: string, { tooLarge = false, cause }: { readonly tooLarge?: boolean; readonly cause?: unknown } = {}) {
    super(message, cause === undefined ? {} : { cause })
    this.tooLarge = tooLarge
  }
}

/** What each document means, null for an empty one. @throws YamlFault */
export function yamlIn(text: string, bounds: YamlBounds): unknown[] {
  try {
    holdShape(text, bounds)
    return documentsIn(text, bounds).map(valueOf)
  } catch (err) {
    // Parsers that recurse run out of stack.
    throw err instanceof RangeError ? deeper(bounds.depth, err) : err
  }
}

const several = 'it has several YAML documents, not one'
const deeper = (depth: number, cause?: unknown): YamlProblem => new YamlProblem(`it is nested more than ${depth} levels deep`, { cause })

const brackets: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }
const isLineEnd = (token: string): boolean => /^[\r\n]/.test(token)
const begins: Readonly<Record<string, number>> = { '---': 1 }
const indicators: readonly string[] = ['-', '?', ':']

/**
 * Looks at the library's own tokens alone. Brackets that are open at once, and indicators of lists and keys on one line: each is a
 * level, for one letter. Levels of indentation cost as many letters as they are deep, and are counted when it is read.
 */
function holdShape(text: string, { depth, tokens: most, documents }: YamlBounds): void {
  const seen = { open: 0, onLine: 0, tokens: 0, documents: 0 }
  for (const token of new Lexer().lex(text)) {
    seen.open += brackets[token] ?? 0
    seen.onLine = isLineEnd(token) ? 0 : seen.onLine + Number(seen.open === 0 && indicators.includes(token))
    seen.tokens += 1
    seen.documents += begins[token] ?? 0
    if (seen.tokens > most) throw new YamlProblem(`${most} words and signs`, { tooLarge: true })
    if (seen.open > depth || seen.onLine > depth) throw deeper(depth)
    if (seen.documents > documents) throw new YamlProblem(several)
  }
}

/** Values are those of JSON: no sets, maps or bytes of YAML 1.1, whatever a tag says. */
const options = { version: '1.2', uniqueKeys: false, prettyErrors: false, resolveKnownTags: false } as const

function documentsIn(text: string, { documents: most }: YamlBounds): readonly Document[] {
  const tokens = [...new Parser().parse(text)]
  for (const token of tokens) if (token.type === 'document') holdScalars(token, text)
  // A document there must be, so that what stands before one is judged where there is none.
  const documents: Document[] = [...new Composer(options).compose(tokens, true, text.length)]
  if (documents.length > most) throw new YamlProblem(several)
  for (const {
    errors: [problem],
  } of documents)
    if (problem !== undefined) throw notYaml(problem.message, text, problem.pos[0])
  // Neither begun nor with anything in it: between two ends, or in an empty text.
  return documents.filter(({ contents, directives }) => !isVoid(contents) || directives?.docStart === true)
}

const isVoid = (contents: unknown): boolean => contents === null || (isScalar(contents) && contents.range?.[0] === contents.range?.[1])

const notYaml = (message: string, text: string, offset: number): YamlProblem =>
  new YamlProblem(`it is not YAML: ${message.split('\n')[0]} (line ${text.slice(0, offset).split('\n').length})`)

/** Between double quotes each letter may be a fault: the first is enough, and the library would make an error of every one. */
function holdScalars(document: CST.Document, text: string): void {
  const judge = (token: CST.Token | null | undefined): void => {
    if (token?.type !== 'double-quoted-scalar') return
    CST.resolveAsScalar(token, true, (offset, _code, message) => {
      throw notYaml(message, text, offset)
    })
  }
  CST.visit(document, ({ key, value }) => {
    judge(key)
    judge(value)
  })
}

function valueOf(document: Document): unknown {
  holdKeys(document)
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown
  } catch (cause) {
    throw new YamlProblem('its YAML aliases make too much of it', { cause })
  }
}

/** A key twice is a mistake of whoever wrote it (YAML 1.2, 3.2.1.3), and objects have no keys but texts. */
function holdKeys(document: Document): void {
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>()
      for (const { key } of isMap(map) ? map.items.filter(isPair) : []) {
        const meant = isAlias(key) ? key.resolve(document) : key
        if (isCollection(meant)) throw new YamlProblem('one of its keys is a list or an object: only a text can be the name of a field')
        const name = isScalar(meant) ? meant.value : meant
        if (seen.has(name)) throw new YamlProblem(`it is not YAML: the key ${String(name).slice(0, 100)} is there twice`)
        seen.add(name)
      }
    },
  })
}
