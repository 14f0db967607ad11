// megrez delete: one object, several of a kind, or what manifests name.
import { Api, inWords } from '../rest/api.ts'
import { flagLines, helpFlag, readArgs, serverFlags, type Flags, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { kindNamed, said } from '../kind-names.ts'
import { readManifests } from '../manifests/manifests.ts'
import { defaultNamespace, addressOf } from '../manifests/placed.ts'
import { targetOf } from '../rest/target.ts'
import type { Kind } from '../../core/kinds/index.ts'

export const flags: Flags = {
  file: {
    type: 'string',
    short: 'f',
    multiple: true,
    value: 'FILE',
    meaning: 'what these manifests name, the last first; a file, a folder, or -',
  },
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'in this namespace (default)' },
  'ignore-not-found': { type: 'boolean', meaning: 'what is not there is deleted already' },
  'dry-run': { type: 'boolean', meaning: 'have it judged, and delete nothing' },
  ...serverFlags,
  ...helpFlag,
}
export const summary = 'delete objects by name, or those that manifests name'
export const usage = `megrez delete KIND NAME… [-n NAMESPACE]\nmegrez delete -f FILE [-n NAMESPACE]\n\n${flagLines(flags)}`

interface Doomed {
  readonly kind: Kind
  readonly namespace: string
  readonly name: string
}

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const doomed = await doomedOf(given, context)
  const api = new Api(await targetOf(given, context), context.signal)
  const dryRun = given.has('dry-run')
  let exit: Exit = 0
  for (const { kind, namespace, name } of doomed) {
    const { status, problem } = await api.delete(kind, namespace, name, dryRun)
    if (problem === undefined)
      context.out(`${said(kind, name)} ${status === 202 ? 'is being deleted' : 'deleted'}${dryRun ? ' (dry run)' : ''}\n`)
    else if (status !== 404 || !given.has('ignore-not-found')) {
      context.err(`megrez: ${inWords(problem)}\n`)
      exit = 1
    }
  }
  return exit
}

async function doomedOf(given: GivenArguments, context: Context): Promise<readonly Doomed[]> {
  const namespace = given.text('namespace')
  const [word, ...names] = given.words
  if (given.texts('file').length > 0) {
    if (word !== undefined) throw new CliError(2, `${JSON.stringify(word)} is one word too many beside -f`)
    // What was made last may rest on what was made first.
    const named = (await readManifests(given.texts('file'), context))
      .map((manifest) => addressOf(manifest, namespace))
      .toReversed()
      .flatMap(({ kind, name, namespace: where }) => (name === undefined ? [] : [{ kind, namespace: where, name }]))
    return [...new Map(named.map((each) => [`${each.kind} ${each.namespace}/${each.name}`, each])).values()]
  }
  if (word === undefined) throw new CliError(2, 'delete what? megrez delete port NAME, or -f FILE')
  const [kindWord = '', slashed] = word.split('/')
  const all = slashed === undefined ? names : [slashed, ...names]
  if (all.length === 0) throw new CliError(2, `which ${kindWord}? name it`)
  const kind = kindNamed(kindWord)
  return all.map((name) => ({ kind, namespace: namespace ?? defaultNamespace, name }))
}
