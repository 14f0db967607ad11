// megrez nsm: an endpoint or a client of Network Service Mesh, in a process of its own.
import { flagLines, helpFlag, readArgs, refuseExcess, suggestion, type Flags } from '../args.ts'
import { CliError, type Context, type Exit } from '../context.ts'
import { connect, connectFlags } from '../nsm/connect.ts'
import { endpoint, endpointFlags } from '../nsm/endpoint.ts'

export const flags: Flags = { ...endpointFlags, ...connectFlags, ...helpFlag }
export const completes = ['endpoint', 'connect']
export const usage = `megrez nsm endpoint --listen URL --service NAME --cert FILE --key FILE --ca FILE [FLAGS]
megrez nsm connect SERVICE --nsmgr URL --cert FILE --key FILE --ca FILE [FLAGS]

${flagLines(flags)}`

export async function run(args: readonly string[], context: Context): Promise<Exit> {
  const given = readArgs(args, flags)
  const [role = '', service, more] = given.words
  if (role === 'endpoint') {
    refuseExcess(service)
    return endpoint(given, context)
  }
  if (role !== 'connect') throw new CliError(2, `megrez nsm ${JSON.stringify(role)}: ${suggestion(role, completes)}`)
  refuseExcess(more)
  if (service === undefined) throw new CliError(2, 'say which network service: megrez nsm connect SERVICE')
  return connect(service, given, context)
}
