import { tunnelName } from '../../../../core/pipeline/compile.ts'

export const bridge = 'megrez'
export const tunnelPort = tunnelName(bridge)
