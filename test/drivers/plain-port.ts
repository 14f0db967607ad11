// A port at a cloud that asks for nothing.
import type { PortSettings, PortWanted } from '../../core/contracts/cloud.ts'

export const plainSettings = {
  securityGroups: [],
  groups: [],
  portSecurity: true,
  closed: false,
  qosPolicy: undefined,
  allowedAddressPairs: [],
} as const satisfies PortSettings

export const plainPort: PortWanted = { ...plainSettings, addresses: [], mac: undefined, host: undefined }
