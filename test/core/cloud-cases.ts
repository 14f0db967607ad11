// What a Cloud takes and refuses.
interface CloudCase {
  readonly kind: 'Cloud' | 'Audit'
  readonly spec: object
  readonly refused?: string
}

const cloud = (spec: object, refused?: string): CloudCase => ({
  kind: 'Cloud',
  spec: { endpoint: 'here', ...spec },
  ...(refused !== undefined && { refused }),
})
const cloudWith = (warmPools: object, refused?: string): CloudCase => cloud({ provider: 'memory', warmPools }, refused)

export const cloudCases: Readonly<Record<string, CloudCase>> = {
  'a Cloud': cloud({ provider: 'memory', credentials: 'keys', namespaces: ['a'] }),
  'a Cloud whose Ports are made ahead': cloudWith({ min: 2, max: 2, reserve: 0 }),
  'a pool with more at least than at most': cloudWith({ min: 3, max: 2 }, 'spec.warmPools.min'),
  'a pool of none': cloudWith({ max: 0 }, 'spec.warmPools.max'),
  'a pool of no size': cloudWith({ min: 1 }, 'spec.warmPools.max'),
  'a Cloud of our own provider': cloud({ provider: 'builtin' }, 'spec.provider'),
  'MACs that Neutron chooses': cloud({ provider: 'neutron', macs: 'cloud' }),
  'MACs that Alcor is to choose': cloud({ provider: 'alcor', macs: 'cloud' }, 'spec.macs'),
  'events of a Neutron with credentials': cloud({ provider: 'neutron', credentials: 'mine', events: { roles: ['service'] } }),
  'events of a Neutron whose Keystone nobody may ask': cloud({ provider: 'neutron', events: {} }, 'spec.events'),
  'events of Alcor': cloud({ provider: 'alcor', credentials: 'mine', events: {} }, 'spec.events'),
  'events for roles of no name': cloud({ provider: 'neutron', credentials: 'mine', events: { roles: [''] } }, 'spec.events.roles[0]'),
  'an Audit': { kind: 'Audit', spec: { cloud: 'c', repair: true } },
  "an Audit of what is nobody's, at no Cloud": { kind: 'Audit', spec: { strangers: true }, refused: 'spec.strangers' },
}
