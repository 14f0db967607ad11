// megrez import: what another system wrote down, made here.
import { stringify } from 'yaml'
import { flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import { Api } from '../rest/api.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { documentsIn, readTexts } from '../manifests/files.ts'
import { importEno, type EnoDocument, type Imported } from '../import/eno.ts'
import { importKos } from '../import/kos.ts'
import { addressOf } from '../manifests/placed.ts'
import { targetOf } from '../rest/target.ts'
import { applyPlaced } from './apply.ts'

export const flags: Flags = {
  namespace: {
    type: 'string',
    short: 'n',
    value: 'NAME',
    meaning:
      'ENO: of objects that it keeps in the cluster, that of the L2ServiceAttachments when absent; KOS: of all, in place of their own',
  },
  switch: {
    type: 'string',
    value: 'ADDRESS',
    meaning: "where the switch is that fabricConf speaks of, as tcp:192.0.2.1:6640 (FABRIC_OVS_IP and FABRIC_OVS_PORT, as of ENO's plugin)",
  },
  print: { type: 'boolean', meaning: 'print the objects, and send nothing' },
  'dry-run': { type: 'boolean', meaning: 'have everything judged, and change nothing' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = ['eno', 'kos']
export const usage = `megrez import eno [--namespace NS] [--switch ADDRESS] FILE… [--print] [--dry-run]\nmegrez import kos [--namespace NS] FILE… [--print] [--dry-run]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const [system, ...files] = given.words
  if ((system !== 'eno' && system !== 'kos') || files.length === 0)
    throw new CliError(2, 'say megrez import eno FILE… or megrez import kos FILE…')
  const documents = (await readTexts(files, context))
    .flatMap(documentsIn)
    .filter(({ body }) => typeof body === 'object') as readonly EnoDocument[]
  const namespace = given.text('namespace')
  const { objects, notes } = imported(() =>
    system === 'kos'
      ? importKos(documents, { namespace })
      : importEno(documents, { namespace, address: given.text('switch') ?? addressIn(context) }),
  )
  for (const note of notes) context.err(`note: ${note}\n`)
  if (given.has('print')) {
    context.out(objects.map((each) => stringify(each)).join('---\n'))
    return 0
  }
  const api = new Api(await targetOf(given, context), context.signal)
  return applyPlaced(
    api,
    objects.map((body) => addressOf({ from: system.toUpperCase(), body }, undefined)),
    given.has('dry-run'),
    context,
  )
}

function addressIn({ env }: Context): string | undefined {
  const host = env['FABRIC_OVS_IP']
  return host === undefined ? undefined : `tcp:${host.includes(':') ? `[${host}]` : host}:${env['FABRIC_OVS_PORT'] ?? '6640'}`
}

function imported(read: () => Imported): Imported {
  try {
    return read()
  } catch (err) {
    throw new CliError(1, `nothing was sent\n  ${(err as Error).message}`)
  }
}
