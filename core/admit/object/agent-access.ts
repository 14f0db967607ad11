// What an agent may read and write, the one table: its ClusterRole is rendered from it, REST's role agent and the server of agents
// outside Kubernetes ask it. Which objects, and what of them, agent-writes.ts and the policies of agents say.
import type { Kind } from '../../kinds/index.ts'

/** `watch`: also listed and read; `get`: read by name. */
export const agentReads = {
  Port: 'watch',
  IPLock: 'watch',
  Subnet: 'watch',
  L2ServiceAttachment: 'watch',
  Inquiry: 'watch',
  PolicyRuleSet: 'watch',
  BGPSpeaker: 'watch',
  ServiceAddress: 'watch',
  VpcPeering: 'watch',
  SegmentLock: 'watch',
  Vpc: 'watch',
  Pod: 'watch',
  Node: 'get',
  Namespace: 'get',
} as const satisfies { readonly [K in Kind]?: 'watch' | 'get' }

/** All are patches: of the object, as finalizers are, or of its status. */
export const agentWrites = {
  Port: ['object', 'status'],
  Inquiry: ['status'],
  BGPSpeaker: ['status'],
  Pod: ['status'],
  Node: ['status'],
} as const satisfies { readonly [K in Kind]?: readonly ('object' | 'status')[] }
