import { tunnelName } from '../../../../core/pipeline/compile.ts'

export const bridge = 'megrez'
/** The interface that leads to the wire of the physical network. */
export const uplink = 'ens1'
export const tunnelPort = tunnelName(bridge)
