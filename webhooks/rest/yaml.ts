// A body in YAML: one document, read as the command line reads its files.
import { Malformed, TooLarge } from '../../core/errors.ts'
import { YamlFault, yamlIn as documentsIn } from '../../core/yaml.ts'

const tokensMax = 20_000

/** What a document means. @throws Malformed, TooLarge */
export function yamlIn(text: string, depthMax: number): unknown {
  try {
    return documentsIn(text, { depth: depthMax, tokens: tokensMax, documents: 1 })[0] ?? null
  } catch (problem) {
    if (!(problem instanceof YamlFault)) throw problem
    throw problem.tooLarge ? new TooLarge({ what: 'the YAML', max: `${problem.message}; send JSON` }) : new Malformed({ what: 'this address', reason: problem.message, cause: problem })
  }
}
