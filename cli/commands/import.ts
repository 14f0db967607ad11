// megrez import: what another system wrote down, made here.
import { flagLines, helpFlag, readArgs, serverFlags, type Flags } from '../args.ts'
import { Api } from '../rest/api.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { documentsIn, readTexts } from '../manifests/files.ts'
import { importEno, type EnoDocument, type Imported } from '../import/eno.ts'
import { importKos } from '../import/kos.ts'
import { targetOf } from '../rest/target.ts'
import { importFromCloud } from '../import/from-cloud.ts'
import { made } from '../import/made.ts'

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
  apply: { type: 'boolean', meaning: 'cloud, neutron: make the objects; else they are printed, and nothing is sent' },
  'dry-run': { type: 'boolean', meaning: 'have everything judged, and change nothing' },
  ...serverFlags,
  ...helpFlag,
}
export const completes = ['eno', 'kos', 'cloud', 'neutron']
export const usage = `megrez import eno [--namespace NS] [--switch ADDRESS] FILE… [--print] [--dry-run]\nmegrez import kos [--namespace NS] FILE… [--print] [--dry-run]\nmegrez import cloud|neutron CLOUD [NETWORK…] [--namespace NS] [--apply]\n\n${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const [system, ...files] = given.words
  if (system === 'cloud' || system === 'neutron') return importFromCloud(system, files, given, context)
  if ((system !== 'eno' && system !== 'kos') || files.length === 0)
    throw new CliError(2, 'say megrez import eno FILE…, megrez import kos FILE…, or megrez import neutron CLOUD')
  const documents = (await readTexts(files, context))
    .flatMap(documentsIn)
    .filter(({ body }) => typeof body === 'object') as readonly EnoDocument[]
  const namespace = given.text('namespace')
  const { objects, notes } = imported(() =>
    system === 'kos'
      ? importKos(documents, { namespace })
      : importEno(documents, { namespace, address: given.text('switch') ?? addressIn(context) }),
  )
  return made({ objects, notes }, system.toUpperCase(), given.has('print') ? 'print' : given.has('dry-run') ? 'judge' : 'make', {
    context,
    api: async () => new Api(await targetOf(given, context), context.signal),
  })
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
