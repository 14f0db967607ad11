// megrez doctor: what this machine and the server lack, in words to type.
import { flagLines, helpFlag, readArgs, refuseExcess, serverFlags, type Flags, type GivenArguments } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { findingLines, lacks, note, type Finding } from '../doctor/finding.ts'
import { dataplanes, factsOf, nodeFindings, serverFindings as ofMachine } from '../doctor/machine.ts'
import { serverFindings } from '../doctor/server.ts'
import { safe } from '../output/table.ts'
import { ourVersion } from '../our-version.ts'
import { Api } from '../rest/api.ts'
import { targetOf } from '../rest/target.ts'

export const flags: Flags = {
  node: { type: 'boolean', meaning: 'what a node with an agent needs, on this machine' },
  dataplane: { type: 'string', value: dataplanes.join('|'), meaning: 'with this data plane (ovs)' },
  ...serverFlags,
  ...helpFlag,
}
export const usage = `megrez doctor [--node [--dataplane NAME]]

Exit code 1 where something is lacking.

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  refuseExcess(given.words[0])
  const word = given.text('dataplane') ?? 'ovs'
  const dataplane = dataplanes.find((each) => each === word)
  if (dataplane === undefined) throw new CliError(2, `there is no data plane ${JSON.stringify(word)}: there are ${dataplanes.join(', ')}`)
  const facts = await factsOf(context)
  const findings = given.has('node') ? nodeFindings(facts, dataplane) : [...ofMachine(facts), ...(await ofServer(given, context))]
  context.out(safe(findingLines(findings)))
  return findings.some(({ state }) => state === 'lacks') ? 1 : 0
}

/** None that is meant is no fault of a machine; one that is named and does not answer is. */
export async function ofServer(given: GivenArguments, context: Context): Promise<readonly Finding[]> {
  const target = await targetOf(given, context).catch((err: unknown) => {
    if (err instanceof CliError && err.exit === 3) return err
    throw err
  })
  if (target instanceof CliError) return [note(target.message)]
  try {
    return await serverFindings(new Api(target, context.signal), ourVersion(), context.now())
  } catch (err) {
    if (!(err instanceof CliError)) throw err
    return [lacks(err.message)]
  }
}
