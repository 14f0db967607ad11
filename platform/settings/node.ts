// Settings of what an agent has beside the data plane.
import { bgpSettings } from './bgp.ts'
import { nsmgrSettings } from './nsmgr.ts'
import { underlaySettings } from './underlay.ts'

export const nodeSettings = { ...bgpSettings, ...nsmgrSettings, ...underlaySettings } as const
