// Settings of the registry of Network Service Mesh, which webhooks serve.
import { optional, text, whole } from '../setting-kinds.ts'

export const nsmSettings = {
  nsmListen: optional(
    'MEGREZ_NSM_LISTEN',
    "cluster: where webhooks serve Network Service Mesh's registry by gRPC, to clients with SPIFFE certificates, as tcp://:5002; absent: nowhere",
  ),
  nsmNamespace: optional('MEGREZ_NSM_NAMESPACE', 'cluster: namespace of what is registered there; absent: that of MEGREZ_NAMESPACE'),
  nsmCert: text(
    'MEGREZ_NSM_CERT',
    '/etc/megrez/nsm/tls.crt',
    'path of its certificate, PEM, with one SPIFFE id as URI; read again when it changes, as the next two',
  ),
  nsmKey: text('MEGREZ_NSM_KEY', '/etc/megrez/nsm/tls.key', 'path of its key on P-256, PEM; tokens are signed with it'),
  nsmCa: text('MEGREZ_NSM_CA', '/etc/megrez/nsm/ca.crt', "path of the authorities, PEM, that have signed its clients' certificates"),
  nsmEndpointSeconds: whole(
    'MEGREZ_NSM_ENDPOINT_SECONDS',
    60,
    'the longest that an endpoint stays registered without a refresh, in seconds',
    {
      min: 1,
      max: 86_400,
    },
  ),
  nsmTokenSeconds: whole('MEGREZ_NSM_TOKEN_SECONDS', 600, 'the longest that its tokens hold, in seconds', { min: 10, max: 86_400 }),
} as const
