// How many ports a project has, and may have.
import type { PortQuota } from '../../../../core/contracts/cloud.ts'
import type { Caller, NeutronApi } from './api.ts'

/** As Neutron tells it; a limit of -1 is none. */
interface QuotaDetails {
  readonly limit: number
  readonly used: number
  readonly reserved: number
}

export async function portQuota(api: NeutronApi, caller: Caller): Promise<PortQuota> {
  const { tenant_id: project } = await api.show<{ readonly tenant_id: string }>('/v2.0/quotas/tenant', 'tenant', caller)
  const { port } = await api.show<{ readonly port: QuotaDetails }>(`/v2.0/quotas/${project}/details.json`, 'quota', caller)
  return { used: port.used + port.reserved, limit: port.limit < 0 ? Infinity : port.limit }
}
