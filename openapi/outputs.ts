// All generated files, as path → text. Writing them is generate.ts's; test/repo compares them with what is there.
import { Document, Scalar, stringify, visit } from 'yaml'
import { definitionOf, kinds, type OwnKind } from '../core/kinds/index.ts'
import { group } from '../core/kinds/meta.ts'
import { cliKinds } from './cli-kinds.ts'
import { crd } from './schemas/crd.ts'
import { document } from './document.ts'
import { errorsPage, kindsPage } from './pages.ts'
import { wrapped } from './wrapped.ts'
import { policies } from './rights/policies.ts'
import { agentRules } from './rights/agent.ts'
import { clusterRoles } from './rights/rbac.ts'
import { typesText } from './types-text.ts'

const mark = '# Generated from core/kinds by npm run gen.\n'
const rightsMark = '# Generated from core/admit/rest/rights.ts by npm run gen.\n'
const yaml = (value: unknown): string => mark + stringify(value, { lineWidth: 140, aliasDuplicateObjects: false })

/** As people write such files: a rule on a line, long CEL folded. */
function readable(value: unknown): string {
  const made = new Document(value, { aliasDuplicateObjects: false })
  visit(made, {
    Map: (_, map) => void (map.flow = map.has('apiGroups')),
    Seq: (_, list) => void (list.flow = list.items.every((item) => item instanceof Scalar)),
    Scalar: (_, text) => void (String(text.value).length > 100 && (text.type = 'BLOCK_FOLDED')),
  })
  return made.toString({ lineWidth: 140, flowCollectionPadding: true })
}

/** Folders in which every file is generated: what is not among the outputs is removed. */
export const generatedFolders = ['charts/megrez/files/crds']

/** Paths are relative to the root of the repository. */
export async function outputs(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>()
  for (const kind of Object.keys(kinds) as OwnKind[]) {
    const definition = definitionOf(kind)
    files.set(`charts/megrez/files/crds/${definition.plural}.${group}.yaml`, yaml(crd(definition)))
  }
  files.set('charts/megrez/files/roles.yaml', rightsMark + readable(clusterRoles))
  files.set(
    'charts/megrez/files/agent-rules.yaml',
    '# Generated from core/admit/object/agent-access.ts by npm run gen.\n' + readable(agentRules),
  )
  files.set('charts/megrez/files/policies/rights.yaml', rightsMark + policies.map(readable).join('---\n'))
  const promised = document()
  files.set('openapi/openapi.yaml', yaml(promised))
  files.set('openapi/types.ts', await typesText(promised))
  files.set('cli/kinds/table.ts', await cliKinds())
  files.set('docs/errors.md', wrapped(errorsPage()))
  files.set('docs/kinds.md', wrapped(kindsPage()))
  return files
}
