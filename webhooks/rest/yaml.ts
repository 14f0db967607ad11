// YAML for people, at a cost that grows no faster than what was sent: the library's parser recurses, and compares each key with each.
import { isMap, isPair, isScalar, Lexer, parseDocument, visit, type Document } from 'yaml'
import { Malformed, TooLarge } from '../../core/errors.ts'

const malformed = (reason: string, cause?: unknown): Error => new Malformed({ what: 'this address', reason, ...(cause !== undefined && { cause }) })

/** What a document means. @throws Malformed, TooLarge */
export function yamlIn(text: string, depthMax: number): unknown {
  holdShape(text, depthMax)
  const document = parseDocument(text, { version: '1.2', uniqueKeys: false, prettyErrors: false })
  const [problem] = document.errors
  if (problem !== undefined) throw malformed(problem.code === 'MULTIPLE_DOCS' ? 'it has several YAML documents, not one' : `it is not YAML: ${problem.message.split('\n')[0]} (line ${text.slice(0, problem.pos[0]).split('\n').length})`)
  holdKeys(document)
  try {
    return document.toJS({ maxAliasCount: 100 }) as unknown
  } catch (cause) {
    throw malformed('its YAML aliases make too much of it', cause)
  }
}

/** A page of YAML is some hundred; the parser needs some microseconds for each. */
const tokensMax = 20_000
/** What may follow a backslash between double quotes (YAML 1.2, 5.7); the parser tells of each that may not. */
const badEscape = /\\[^0abt\tnvfre "/\\N_LPxuU\r\n]/

const brackets: Readonly<Record<string, number>> = { '[': 1, '{': 1, ']': -1, '}': -1 }
const indicators: readonly string[] = ['-', '?', ':']

/**
 * Looks at the letters alone. Brackets that are open at once, and indicators of lists and keys on one line: each is a level, for one
 * letter. Levels of indentation cost as many letters as they are deep, and are counted when it is read.
 */
function holdShape(text: string, depthMax: number): void {
  const seen = { open: 0, onLine: 0, documents: 0, tokens: 0 }
  for (const token of new Lexer().lex(text)) {
    seen.open += brackets[token] ?? 0
    seen.onLine = /^[\r\n]/.test(token) ? 0 : seen.onLine + (seen.open === 0 && indicators.includes(token) ? 1 : 0)
    seen.documents += token === '---' ? 1 : 0
    seen.tokens += 1
    if (seen.tokens > tokensMax) throw new TooLarge({ what: 'the YAML', max: `${tokensMax} words and signs; send JSON` })
    const fault = faultIn(token, seen, depthMax)
    if (fault !== undefined) throw malformed(fault)
  }
}

function faultIn(token: string, { open, onLine, documents }: { readonly open: number; readonly onLine: number; readonly documents: number }, depthMax: number): string | undefined {
  if (open > depthMax || onLine > depthMax) return `it is nested more than ${depthMax} levels deep`
  if (documents > 1) return 'it has several YAML documents, not one'
  return token.startsWith('"') && badEscape.test(token) ? 'it is not YAML: a backslash stands before what it cannot stand before' : undefined
}

/** A key twice is a mistake of whoever wrote it (YAML 1.2, 3.2.1.3). */
function holdKeys(document: Document): void {
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>()
      for (const { key } of isMap(map) ? map.items.filter(isPair) : []) {
        const name = isScalar(key) ? key.value : key
        if (seen.has(name)) throw malformed(`it is not YAML: the key ${String(name).slice(0, 100)} is there twice`)
        seen.add(name)
      }
    },
  })
}
