// megrez apply: what the manifests say is made so.
import { literalPointer } from '../../core/admit/pod/rewrite.ts'
import { readArgs, flagLines, helpFlag, serverFlags, type Flags } from '../args.ts'
import { patchFor, withApplied } from '../rest/applied.ts'
import { Api, inWords, type ApiAnswer, type Problem } from '../rest/api.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { nameWithKind } from '../kinds/names.ts'
import { readManifests } from '../manifests/manifests.ts'
import { addressOf, type AddressedObject } from '../manifests/placed.ts'
import { targetOf } from '../rest/target.ts'
import { applyByKubectl } from '../manifests/kubectl.ts'

export const flags: Flags = {
  file: {
    type: 'string',
    short: 'f',
    multiple: true,
    value: 'FILE',
    meaning: 'manifests, YAML or JSON: a file, a folder, or - for standard input; may be repeated',
  },
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'where a manifest names none (default)' },
  'dry-run': { type: 'boolean', meaning: 'have everything judged, and change nothing' },
  kubectl: { type: 'boolean', meaning: 'send the rewritten manifests through kubectl apply, to a cluster' },
  ...serverFlags,
  ...helpFlag,
}
export const usage = `megrez apply -f FILE [-n NAMESPACE] [--kubectl] [--dry-run]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const dryRun = given.has('dry-run')
  const namespace = given.text('namespace')
  const [excess] = given.words
  if (excess !== undefined) throw new CliError(2, `${JSON.stringify(excess)} is one word too many: files are named with -f`)
  const manifests = await readManifests(given.texts('file'), context)
  if (given.has('kubectl'))
    return applyByKubectl(
      manifests.map(({ body }) => body),
      { namespace, dryRun, context },
    )
  const placed = manifests.map((manifest) => addressOf(manifest, namespace))
  return applyPlaced(new Api(await targetOf(given, context), context.signal), placed, dryRun, context)
}

/** One after another, and on after a refusal. */
export async function applyPlaced(api: Api, placed: readonly AddressedObject[], dryRun: boolean, context: Context): Promise<Exit> {
  let exit: Exit = 0
  for (const each of placed) if (!reported(each, await applyOne(api, each, dryRun), dryRun, context)) exit = 1
  return exit
}

type Outcome =
  { readonly done: 'unchanged'; readonly answer?: undefined } | { readonly done: 'created' | 'configured'; readonly answer: ApiAnswer }

/** @returns whether it went well */
function reported(
  { kind, name: given = '', from, literal }: AddressedObject,
  { done, answer }: Outcome,
  dryRun: boolean,
  { out, err }: Context,
): boolean {
  const { problem, item, warnings = [] }: Partial<ApiAnswer> = answer ?? {}
  const name = item?.metadata.name ?? given
  for (const warning of warnings) err(`warning: ${warning}\n`)
  if (problem === undefined) out(`${nameWithKind(kind, name)} ${done}${dryRun ? ' (dry run)' : ''}\n`)
  else
    err(
      `megrez: ${nameWithKind(kind, name)} of ${from} is refused:\n  ${inWords(problem, (pointer) => (literal === undefined ? pointer : literalPointer(pointer, literal)))}\n`,
    )
  return problem === undefined
}

/** A rival may change the object between our read and our write. */
const attempts = 5

async function applyOne(api: Api, placed: AddressedObject, dryRun: boolean): Promise<Outcome> {
  const { kind, namespace, name, body } = placed
  if (name === undefined) return { done: 'created', answer: await api.create(kind, namespace, withApplied(body), dryRun) }
  for (let attempt = 1; ; attempt++) {
    const there = await api.get(kind, namespace, name)
    const outcome =
      there.status === 404
        ? ({ done: 'created', answer: await api.create(kind, namespace, withApplied(body), dryRun) } as const)
        : await change(api, placed, there, dryRun)
    if (attempt === attempts || !isOvertaken(outcome)) return outcome
  }
}

const isOvertaken = ({ answer }: Outcome): boolean => answer?.status === 412 || answer?.problem?.code === 'already-exists'

/** What is on its way out is nobody's to change, and what was applied would be gone with it. */
const going: Problem = {
  type: 'about:blank',
  title: 'Terminating',
  status: 409,
  code: 'terminating',
  detail: 'it is being deleted: apply again once it is gone',
}

async function change(api: Api, { kind, namespace, body }: AddressedObject, there: ApiAnswer, dryRun: boolean): Promise<Outcome> {
  const { item, etag } = there
  if (item === undefined) return { done: 'configured', answer: there }
  if (item.metadata.deletionTimestamp !== undefined) return { done: 'configured', answer: { ...there, problem: going } }
  const patch = patchFor(body, item)
  return patch === undefined
    ? { done: 'unchanged' }
    : { done: 'configured', answer: await api.patch(kind, { namespace, name: item.metadata.name, etag }, patch, dryRun) }
}
