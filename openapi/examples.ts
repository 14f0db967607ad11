// An object of each kind as it may be sent: what the document shows, what the page of documentation shows, and what the fuzzer begins
// with. test/openapi holds each to its schema.

const apiVersion = 'megrez.io/v1alpha1'
const callbackURL = 'https://nfvo.example.org/notices'

export const examples: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  Vpc: {
    apiVersion,
    kind: 'Vpc',
    metadata: { name: 'blue', labels: { tenant: 'a' } },
    spec: { mtu: 1450, defaultSubnet: 'front', sharedWith: ['guests'] },
  },
  Subnet: {
    apiVersion,
    kind: 'Subnet',
    metadata: { name: 'front' },
    spec: { vpc: 'blue', ipv4: { cidr: '192.0.2.0/24', gateway: '192.0.2.1' }, dns: { nameservers: ['192.0.2.53'] } },
  },
  Port: {
    apiVersion,
    kind: 'Port',
    metadata: { name: 'web-eth0' },
    spec: { subnet: 'front', ips: ['192.0.2.12'], portID: 'web-eth0', retain: true, callbackURL },
  },
  SecurityGroup: {
    apiVersion,
    kind: 'SecurityGroup',
    metadata: { name: 'web' },
    spec: { rules: [{ direction: 'ingress', protocol: 'tcp', l4PortMin: 443, l4PortMax: 443, remoteCIDR: '0.0.0.0/0' }] },
  },
  Pod: {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', annotations: { 'megrez.io/callback-url': callbackURL } },
    spec: {
      containers: [{ name: 'web', image: 'example.org/web' }],
      vpc: 'blue',
      nics: [{ name: 'eth0', subnet: 'front', portID: 'web-eth0' }],
    },
  },
  Node: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n1' } },
  Namespace: {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'demo', labels: { 'megrez.io/default': 'enabled' }, annotations: { 'megrez.io/vpc': 'blue' } },
  },
}
