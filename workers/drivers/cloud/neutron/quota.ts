// How many ports a project may still make.
import type { Caller, NeutronApi } from './api.ts'

interface PortQuota {
  readonly limit: number
  readonly used: number
  readonly reserved: number
}

/** Infinity: there is no limit. */
export async function portRoom(api: NeutronApi, caller: Caller): Promise<number> {
  const { tenant_id: project } = await api.show<{ readonly tenant_id: string }>('/v2.0/quotas/tenant', 'tenant', caller)
  const { port } = await api.show<{ readonly port: PortQuota }>(`/v2.0/quotas/${project}/details.json`, 'quota', caller)
  return port.limit < 0 ? Infinity : Math.max(0, port.limit - port.used - port.reserved)
}
