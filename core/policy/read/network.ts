/** What `network` of a UnifiedNetworkPolicy may be: a Vpc as `name` or `namespace/name`, or that which has a VNI, as `vni:NUMBER`. */
export const networkPattern = /^(vni:[1-9][0-9]{0,7}|([a-z0-9]([-a-z0-9]*[a-z0-9])?\/)?[a-z0-9]([-a-z0-9.]*[a-z0-9])?)$/
