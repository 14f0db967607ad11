// What a ServiceAddress takes and refuses.
import type { OwnKind } from '../../core/kinds/index.ts'

interface ServiceCase {
  readonly kind: OwnKind
  readonly spec: object
  readonly was?: object
  readonly refused?: string
}

const spec = {
  subnet: 'a/pool',
  vpc: 'a/v',
  vni: 7,
  addresses: ['192.0.2.10', '2001:db8::10'],
  ports: [{ name: 'http', protocol: 'TCP', port: 80 }],
  externalTrafficPolicy: 'Cluster',
  endpoints: [{ port: 'web-1', node: 'n1', addresses: ['10.0.0.5'], targetPorts: [8080], state: 'ready' }],
}
const scaler = (more: object, refused?: string): ServiceCase => ({
  kind: 'EndpointScaler',
  spec: { scaleTargetRef: { name: 'd' }, ...more },
  ...(refused !== undefined && { refused }),
})
const address = (more: object, refused?: string): ServiceCase => ({
  kind: 'ServiceAddress',
  spec: { ...spec, ...more },
  ...(refused !== undefined && { refused }),
})
const changed = (more: object, refused?: string): ServiceCase => ({ ...address(more, refused), was: spec })
const endpoint = (more: object, refused?: string): ServiceCase => address({ endpoints: [{ ...spec.endpoints[0], ...more }] }, refused)

export const serviceCases: Readonly<Record<string, ServiceCase>> = {
  'a ServiceAddress': address({}),
  'a ServiceAddress of one client, one endpoint': address({ sessionAffinity: { clientIPSeconds: 10_800 } }),
  'a ServiceAddress that forgets clients at once': address(
    { sessionAffinity: { clientIPSeconds: 0 } },
    'spec.sessionAffinity.clientIPSeconds',
  ),
  'a ServiceAddress with a protocol that is none': address({ ports: [{ protocol: 'ICMP', port: 1 }] }, 'spec.ports[0].protocol'),
  'an endpoint that drains': endpoint({ state: 'draining' }),
  'an endpoint in a state that is none': endpoint({ state: 'gone' }, 'spec.endpoints[0].state'),
  'a ServiceAddress whose pod has no such port': endpoint({ targetPorts: [0] }),
  'a ServiceAddress that gets an address': changed({ addresses: ['192.0.2.11'] }),
  'a ServiceAddress that gets another pool': changed({ subnet: 'a/other' }, 'spec.subnet'),
  'a ServiceAddress that gets another Vpc': changed({ vpc: 'a/w' }, 'spec.vpc'),
  'a ServiceAddress of a node': address({ node: 'n1', ports: [], endpoints: [] }),
  'a ServiceAddress that becomes that of a node': changed({ node: 'n1' }, 'spec.node'),
  'a ServiceAddress that gets another VNI': changed({ vni: 8 }, 'spec.vni'),
  'an EndpointScaler': scaler({}),
  'an EndpointScaler with its kind and time': scaler({ scaleTargetRef: { kind: 'Deployment', name: 'd' }, cooldownSeconds: 10 }),
  'an EndpointScaler of a StatefulSet': scaler({ scaleTargetRef: { kind: 'StatefulSet', name: 'd' } }, 'spec.scaleTargetRef.kind'),
  'an EndpointScaler of another namespace': scaler({ scaleTargetRef: { name: 'b/d' } }, 'spec.scaleTargetRef.name'),
  'an EndpointScaler that stops at once': scaler({ cooldownSeconds: 9 }, 'spec.cooldownSeconds'),
}
