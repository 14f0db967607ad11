// megrez plan: what something would come to, without making it.
import { stringify } from 'yaml'
import { isNamespaced, knownKinds } from '../kinds/names.ts'
import { linesOfPlan } from '../policy-plan.ts'
import { isObject, type Json } from '../../core/json.ts'
import { Api, inWords } from '../rest/api.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, refuseExcess, serverFlags, type Flags, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { documentsIn, readTexts } from '../manifests/files.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: `where the objects are to be (${defaultNamespace})` },
  'connection-point': { type: 'string', value: 'NAME', meaning: 'for Saps that name none in their metadata' },
  'physical-network': { type: 'string', value: 'NAME,…', meaning: 'whose gateway-facing switch ports carry the VLANs too' },
  'callback-url': { type: 'string', value: 'URL', meaning: 'who is to be told of the objects' },
  file: { type: 'string', short: 'f', value: 'FILE', multiple: true, meaning: 'policies: what they would change; - for standard input' },
  vpc: { type: 'string', value: 'NAME', meaning: 'policies: in which Vpc, as NAME or NAMESPACE/NAME' },
  attachment: { type: 'string', value: 'NAME', meaning: 'policies: in the VLANs of this L2ServiceAttachment, in place of a Vpc' },
  delete: { type: 'boolean', meaning: 'policies: as if they were deleted' },
  enforce: { type: 'boolean', meaning: 'policies: as if a cluster that audits came to enforce, with -f or without' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = ['nsd']
export const usage = `megrez plan nsd FILE [-n NAMESPACE] [--connection-point NAME]
megrez plan -f FILE --vpc NAME|--attachment NAME [-n NAMESPACE] [--delete] [--enforce]
megrez plan --enforce --vpc NAME|--attachment NAME [-n NAMESPACE]

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  if (given.texts('file').length > 0 || given.has('enforce')) return planPolicies(given, context)
  return planDescriptor(given, context)
}

async function planPolicies(given: GivenArguments, context: Context): Promise<Exit> {
  refuseExcess(given.words[0])
  const namespace = given.text('namespace') ?? defaultNamespace
  const place = placeOf(given, namespace)
  const documents = (await readTexts(given.texts('file'), context)).flatMap(documentsIn).map(({ body }) => body)
  const policies = documents.filter(isObject).map((each) => placed(each, namespace))
  const named = given.has('delete') ? { delete: policies.map(nameOf) } : { put: policies }
  const change = { ...named, ...(given.has('enforce') && { enforce: true }) }
  const api = new Api(await targetOf(given, context), context.signal)
  const plan = await api.planPolicies(place, change)
  context.out(`${linesOfPlan(plan).join('\n')}\n`)
  return 0
}

function placeOf(given: GivenArguments, namespace: string): { readonly [place in 'vpc' | 'attachment']?: string } {
  const [place, second] = (['vpc', 'attachment'] as const).filter((each) => given.text(each) !== undefined)
  if (place === undefined || second !== undefined)
    throw new CliError(2, 'say in which Vpc, or in which VLANs: --vpc NAME or --attachment NAME')
  const name = given.text(place) ?? ''
  return { [place]: name.includes('/') ? name : `${namespace}/${name}` }
}

const isClusterWide = (kind: unknown): boolean => knownKinds.some((each) => each === kind && !isNamespaced(each))

function placed(policy: Json, namespace: string): Json {
  const metadata = isObject(policy['metadata']) ? policy['metadata'] : {}
  return { ...policy, metadata: isClusterWide(policy['kind']) ? metadata : { namespace, ...metadata } }
}

function nameOf({ kind, metadata }: Json): { kind: string; namespace?: string; name: string } {
  const { namespace, name } = metadata as { readonly namespace?: string; readonly name?: string }
  return { kind: String(kind), ...(namespace !== undefined && { namespace }), name: name ?? '' }
}

async function planDescriptor(given: GivenArguments, context: Context): Promise<Exit> {
  const [what, file, ...more] = given.words
  if (what !== 'nsd' || file === undefined || more.length > 0)
    throw new CliError(2, 'say megrez plan nsd FILE, or megrez plan -f POLICIES --vpc NAME')
  const [template, second] = (await readTexts([file], context)).flatMap(documentsIn).map(({ body }) => body)
  if (!isObject(template) || second !== undefined) throw new CliError(1, `${file} is no service template`)
  const api = new Api(await targetOf(given, context), context.signal)
  const options = {
    connectionPoint: given.text('connection-point'),
    physicalNW: given.text('physical-network'),
    callbackURL: given.text('callback-url'),
  }
  const { items, problem } = await api.planNsd(given.text('namespace') ?? defaultNamespace, template, options)
  if (problem !== undefined) throw new CliError(1, `${file} is refused:\n  ${inWords(problem, (pointer) => pointer)}`)
  context.out(items.map((each) => stringify(each)).join('---\n'))
  return 0
}
