// Settings of the nsmgr in an agent: what clients and endpoints of Network Service Mesh on this node call.
import { vniMax } from '../../core/net/segment.ts'
import { blocks, oneOf, optional, text, whole } from '../setting-kinds.ts'

export const nsmgrSettings = {
  nsmgrListen: optional(
    'MEGREZ_NSMGR_LISTEN',
    "agent: where this node's clients and endpoints of Network Service Mesh call, as tcp://192.0.2.7:5001 or unix:///run/megrez/nsm.sock; absent: nowhere",
  ),
  nsmgrSocket: optional(
    'MEGREZ_NSMGR_SOCKET',
    'agent: a unix socket beside it, as unix:///run/megrez/nsm/nsm.sock, on which clients send their network namespaces as descriptors: with one, mechanism KERNEL takes no others; absent: none',
  ),
  nsmgrUrl: optional(
    'MEGREZ_NSMGR_URL',
    'agent: where the nsmgrs and forwarders of other nodes get to it, as tcp://192.0.2.7:5001; absent: where it listens',
  ),
  nsmgrRegistry: optional(
    'MEGREZ_NSMGR_REGISTRY',
    'agent: the registry that the nsmgrs of all nodes share, as tcp://registry.example.org:5002; absent: one in its memory, for its node alone',
  ),
  nsmgrForwarder: oneOf(
    'MEGREZ_NSMGR_FORWARDER',
    ['builtin', 'kernel', 'foreign'],
    'builtin',
    "agent: builtin: one of ours in this process, with mechanism NOOP; kernel: KERNEL and between nodes VXLAN too, in network namespaces that clients send to MEGREZ_NSMGR_SOCKET, without one in those that the call names; foreign: somebody else's, which register with the nsmgr",
  ),
  nsmgrForwarderService: text(
    'MEGREZ_NSMGR_FORWARDER_SERVICE',
    'forwarder',
    'agent: the network service that forwarders are registered under',
  ),
  nsmgrExcludedPrefixes: blocks('MEGREZ_NSMGR_EXCLUDED_PREFIXES', 'agent: blocks that no endpoint may give addresses of, as those of pods'),
  nsmgrTunnelL4Port: whole(
    'MEGREZ_NSMGR_TUNNEL_L4PORT',
    14_789,
    'agent: the UDP port of VXLAN for its connections with other nodes; with Open vSwitch or BESS another one than MEGREZ_TUNNEL_L4PORT',
    { min: 1, max: 65_535 },
  ),
  nsmgrVniMin: whole('MEGREZ_NSMGR_VNI_MIN', 15_728_640, 'agents and workers: lowest VNI of such connections, which no Vpc gets', {
    min: 1,
    max: vniMax,
  }),
  nsmgrVniMax: whole('MEGREZ_NSMGR_VNI_MAX', vniMax, 'agents and workers: highest VNI of such connections', { min: 1, max: vniMax }),
  nsmgrCert: text('MEGREZ_NSMGR_CERT', '/etc/megrez/nsm/tls.crt', 'agent: path of its certificate, PEM, with one SPIFFE id'),
  nsmgrKey: text('MEGREZ_NSMGR_KEY', '/etc/megrez/nsm/tls.key', 'agent: path of its key on P-256, PEM; tokens are signed with it'),
  nsmgrCa: text('MEGREZ_NSMGR_CA', '/etc/megrez/nsm/ca.crt', 'agent: path of the authorities of all certificates of the mesh, PEM'),
  nsmgrTokenSeconds: whole('MEGREZ_NSMGR_TOKEN_SECONDS', 600, 'agent: the longest that its tokens hold, in seconds', {
    min: 10,
    max: 86_400,
  }),
} as const
