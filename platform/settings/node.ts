// Settings of what an agent has beside the data plane.
import { bgpSettings } from './bgp.ts'
import { nsmgrSettings } from './nsmgr.ts'

export const nodeSettings = { ...bgpSettings, ...nsmgrSettings } as const
