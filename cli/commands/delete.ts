// megrez delete: one object, several of a kind, or what manifests name.
import { Api, inWords } from '../rest/api.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, selectionOf, selectorFlags, serverFlags } from '../args.ts'
import type { Flags, GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { askedIn } from '../kinds/requested-objects.ts'
import { nameWithKind } from '../kinds/names.ts'
import { readManifests } from '../manifests/manifests.ts'
import { addressOf } from '../manifests/placed.ts'
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
  ...selectorFlags,
  all: { type: 'boolean', meaning: 'all of the kind in the namespace' },
  'ignore-not-found': { type: 'boolean', meaning: 'what is not there is deleted already' },
  'dry-run': { type: 'boolean', meaning: 'have it judged, and delete nothing' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = 'objects'
export const usage = `megrez delete KIND NAME… [-n NAMESPACE]\nmegrez delete KIND -l LABELS | --all\nmegrez delete -f FILE [-n NAMESPACE]\n\n${flagLines(flags)}`

interface Doomed {
  readonly kind: Kind
  readonly namespace: string
  readonly name: string
}

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const named = await namedIn(given, context)
  const api = new Api(await targetOf(given, context), context.signal)
  const doomed = [...named, ...(await selected(api, given))]
  const dryRun = given.has('dry-run')
  let exit: Exit = 0
  for (const { kind, namespace, name } of doomed) {
    const { status, problem } = await api.delete(kind, namespace, name, dryRun)
    if (problem === undefined)
      context.out(`${nameWithKind(kind, name)} ${status === 202 ? 'is being deleted' : 'deleted'}${dryRun ? ' (dry run)' : ''}\n`)
    else if (status !== 404 || !given.has('ignore-not-found')) {
      context.err(`megrez: ${inWords(problem)}\n`)
      exit = 1
    }
  }
  return exit
}

async function namedIn(given: GivenArguments, context: Context): Promise<readonly Doomed[]> {
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
  const selected = askedIn([word, ...names], 'megrez delete port NAME')
  const unnamed = selected.find((each) => each.names.length === 0)
  if (unnamed !== undefined && !isSelecting(given)) throw new CliError(2, `which ${word}? name it, or say -l LABELS or --all`)
  if (unnamed === undefined && isSelecting(given))
    throw new CliError(2, 'a name says which object it is: no selector and no --all beside it')
  return selected.flatMap((each) => each.names.map((name) => ({ kind: each.kind, namespace: namespace ?? defaultNamespace, name })))
}

const isSelecting = (given: GivenArguments): boolean =>
  given.has('all') || (given.text('selector') ?? given.text('field-selector')) !== undefined

/** Those that labels or fields select, or all of the kind. */
async function selected(api: Api, given: GivenArguments): Promise<readonly Doomed[]> {
  if (!isSelecting(given) || given.texts('file').length > 0) return []
  const doomed: Doomed[] = []
  const namespace = given.text('namespace') ?? defaultNamespace
  for (const { kind } of askedIn(given.words, 'megrez delete ports'))
    for await (const { metadata } of api.list(kind, namespace, selectionOf(given))) doomed.push({ kind, namespace, name: metadata.name })
  return doomed
}
