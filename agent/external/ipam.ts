// Addresses of an interface in VLANs: an IPAM plugin hands them out, and is called as every plugin does that delegates to one.
import { ExternalRefused } from '../../core/errors.ts'
import type { CniCommand, CniRequest, CniResult } from '../../core/wire/cni/cni.ts'
import type { DelegateCall } from '../cni/delegate.ts'

type Call = Omit<DelegateCall, 'conf'>

const ipamOf = ({ conf }: CniRequest): string | undefined => (conf['ipam'] as { readonly type?: string } | undefined)?.type

/** Section 4 of the specification: the whole configuration goes on, and the plugin answers with addresses, routes and DNS. */
async function run(command: CniCommand, call: Call): Promise<string> {
  const type = ipamOf(call.request)
  if (type === undefined) return ''
  // We would ask ourselves, without end.
  if (type === 'megrez')
    throw new ExternalRefused({ reason: 'Megrez hands out no addresses of L2 services yet: its Subnets say ipam whereabouts' })
  return call.machine.plugin(command, type, call.request.conf, call)
}

/** Nothing where the configuration names no plugin. */
export async function ipamAdd(call: Call): Promise<Pick<CniResult, 'ips' | 'routes' | 'dns'>> {
  const answer = await run('ADD', call)
  return answer === '' ? {} : (JSON.parse(answer) as CniResult)
}

export async function ipamDel(call: Call): Promise<void> {
  if (ipamOf(call.request) !== 'megrez') await run('DEL', call)
}

export async function ipamCheck(call: Call): Promise<void> {
  await run('CHECK', call)
}
