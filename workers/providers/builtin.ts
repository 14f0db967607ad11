// Our own provider: a VNI for each Vpc, IPLocks for addresses, and a fabric that our nodes are.
import type { Env } from '../controller-env.ts'
import { builtinPorts } from './builtin-ports.ts'
import { builtinSubnets } from './builtin-subnets.ts'
import { builtinVpcs } from './builtin-vpcs.ts'
import type { Provider } from './provider.ts'

export const builtinProvider = (env: Env): Provider => ({
  Vpc: builtinVpcs(env),
  Subnet: builtinSubnets(env),
  Port: builtinPorts(env),
})
