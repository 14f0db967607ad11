// megrez nsm endpoint: serves network services from this process.
import { parseCidr, type Cidr } from '../../core/net/cidr.ts'
import { startEndpoint } from '../../platform/nsm/roles/endpoint.ts'
import type { Flags, GivenArguments } from '../args.ts'
import { CliError, fallen, type Context, type Exit } from '../context.ts'
import { identityFlags, labelsFrom, mechanismsFrom, needed, ownNamespace, programFrom } from './identity.ts'

export const endpointFlags: Flags = {
  ...identityFlags,
  listen: { type: 'string', value: 'URL', meaning: 'endpoint: where it is called, as tcp://192.0.2.7:5004 or unix:///run/nse.sock' },
  registry: { type: 'string', value: 'URL', meaning: 'endpoint: the nsmgr or registry that it is registered with' },
  service: { type: 'string', multiple: true, value: 'NAME', meaning: 'endpoint: a network service that it serves' },
  label: {
    type: 'string',
    short: 'l',
    multiple: true,
    value: 'KEY=VALUE',
    meaning: 'label of the client, or of the endpoint for each of its services',
  },
  block: {
    type: 'string',
    multiple: true,
    value: 'BLOCK',
    meaning: 'endpoint: addresses for both ends of connections; none: it gives none',
  },
  route: { type: 'string', multiple: true, value: 'BLOCK', meaning: 'endpoint: what its clients get to through it' },
  dns: { type: 'string', multiple: true, value: 'ADDRESS', meaning: 'endpoint: a name server for its clients' },
}

export async function endpoint(given: GivenArguments, context: Context): Promise<Exit> {
  const program = await programFrom(given, 'nse')
  const labels = labelsFrom(given.texts('label'))
  const blocks = given.texts('block').map(blockOf)
  const [routes, servers] = [given.texts('route'), given.texts('dns')]
  try {
    const running = await startEndpoint(program, {
      listen: needed(given, 'listen'),
      registry: given.text('registry'),
      services: Object.fromEntries(given.texts('service').map((service) => [service, labels])),
      mechanisms: mechanismsFrom(given),
      namespace: await ownNamespace(),
      ...(blocks.length > 0 && { addresses: { blocks, strict: true } }),
      ...(routes.length + servers.length > 0 && {
        context: { routes, ...(servers.length > 0 && { dns: { servers, searchDomains: [] } }) },
      }),
      signal: context.signal,
    })
    context.out(`${JSON.stringify({ event: 'serving', name: program.name, url: running.address })}\n`)
    await fallen(context.signal)
    await running.stop()
    return 0
  } finally {
    program.close()
  }
}

function blockOf(text: string): Cidr {
  const block = parseCidr(text)
  if (block === undefined) throw new CliError(2, `--block ${JSON.stringify(text)} is no block such as 10.60.1.0/24`)
  return block
}
