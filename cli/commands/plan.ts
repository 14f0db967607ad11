// megrez plan: what something would come to, without making it.
import { stringify } from 'yaml'
import { isObject } from '../../core/json.ts'
import { Api, inWords } from '../rest/api.ts'
import { defaultNamespace, flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { documentsIn, readTexts } from '../manifests/files.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: `where the objects are to be (${defaultNamespace})` },
  'connection-point': { type: 'string', value: 'NAME', meaning: 'for Saps that name none in their metadata' },
  'physical-network': { type: 'string', value: 'NAME,…', meaning: 'whose gateway-facing switch ports carry the VLANs too' },
  'callback-url': { type: 'string', value: 'URL', meaning: 'who is to be told of the objects' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = ['nsd']
export const usage = `megrez plan nsd FILE [-n NAMESPACE] [--connection-point NAME]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const [what, file, ...more] = given.words
  if (what !== 'nsd' || file === undefined || more.length > 0) throw new CliError(2, 'say megrez plan nsd FILE')
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
