/**
 * What `network` of a UnifiedNetworkPolicy may be: a Vpc as `name` or `namespace/name`, that which has a VNI, as `vni:NUMBER`, or that
 * which is a VLAN, as `vlan:NETWORK/NUMBER`.
 */
export const networkPattern =
  /^(vni:[1-9][0-9]{0,7}|vlan:[a-z0-9]([-a-z0-9.]*[a-z0-9])?\/[1-9][0-9]{0,3}|([a-z0-9]([-a-z0-9]*[a-z0-9])?\/)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?)$/
