// megrez bundle: an archive for whoever helps, without secrets.
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { flagLines, helpFlag, readArgs, refuseExcess, serverFlags, type Flags } from '../args.ts'
import { gatherBundle } from '../bundle/gather.ts'
import { redactText } from '../bundle/redact.ts'
import { tar } from '../bundle/tar.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { findingLines } from '../doctor/finding.ts'
import { factsOf, serverFindings as ofMachine } from '../doctor/machine.ts'
import { serverFindings } from '../doctor/server.ts'
import { ourVersion } from '../our-version.ts'
import { progressOf } from '../output/terminal.ts'
import { ApiOnce } from '../rest/api-once.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  output: { type: 'string', short: 'o', value: 'FILE', meaning: 'where to (megrez-bundle-TIME.tar.gz)' },
  namespace: { type: 'string', short: 'n', value: 'NAME', meaning: 'only objects of this namespace, and of none; all when absent' },
  ...serverFlags,
  ...helpFlag,
}
export const usage = `megrez bundle [-o FILE] [-n NAMESPACE]

Versions, health, figures, what doctor says, and the objects that you may see. Credentials, what receivers are addressed by, arguments and
environment of containers are replaced by (redacted). Look at it before you send it: names and addresses are in it.

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  refuseExcess(given.words[0])
  const at = new Date(context.now()).toISOString()
  const name = `megrez-bundle-${at.replace(/[-:]|\.\d+/g, '')}`
  const file = given.text('output') ?? `${name}.tar.gz`
  const api = new ApiOnce(await targetOf(given, context), context.signal)
  const progress = progressOf(context)
  const { files, missing } = await gatherBundle(api, { namespace: given.text('namespace'), tell: (what) => progress(`reading ${what}`) })
  progress('looking at the server')
  const findings = [...ofMachine(await factsOf(context)), ...(await serverFindings(api, ourVersion(), context.now()))]
  progress('')
  const all = [
    ...files,
    { path: 'doctor.txt', text: redactText(findingLines(findings)) },
    { path: 'left-out.txt', text: missing.map((each) => `${each}\n`).join('') },
  ]
  const archive = tar(
    all.map(({ path, text }) => ({ path: `${name}/${path}`, text })),
    context.now() / 1000,
  )
  await writeFile(file, await promisify(gzip)(archive), { mode: 0o600, flag: 'wx' }).catch((err: NodeJS.ErrnoException) => {
    throw new CliError(1, err.code === 'EEXIST' ? `${file} is there already` : `${file} cannot be written: ${err.message}`)
  })
  context.out(`${file}\n`)
  context.err(`${all.length} files, secrets redacted; look at it before you send it\n`)
  return 0
}
