// A body in YAML: one document, read as the command line reads its files.
import { Malformed, TooLarge } from '../../../core/errors.ts'
import { YamlProblem, yamlIn as documentsIn } from '../../../core/yaml.ts'

const tokensMax = 20_000

/** What a document means. @throws Malformed, TooLarge */
export function yamlIn(text: string, depthMax: number): unknown {
  try {
    return documentsIn(text, { depth: depthMax, tokens: tokensMax, documents: 1 })[0] ?? null
  } catch (err) {
    if (!(err instanceof YamlProblem)) throw err
    throw err.tooLarge
      ? new TooLarge({ what: 'the YAML', max: `${err.message}; send JSON` })
      : new Malformed({ what: 'this address', reason: err.message, cause: err })
  }
}
