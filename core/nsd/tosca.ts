// A network service descriptor's virtual links and external connection points (ETSI GS NFV-SOL 001 V4.2.1, sections 7.6 and 7.8) as
// objects of ours. What is not understood is refused by its path: a guess would be a VLAN on a switch.
import { vlanMax } from '../net/segment.ts'
import { DescriptorProblems, fieldsOf, tokenOf, type Fields } from './problems.ts'
import type { Listed, Manifest } from './manifest.ts'
import { subnetsOf } from './subnets.ts'

export interface NsdOptions {
  /** For connection points that name none in their metadata. */
  readonly connectionPoint?: string
  readonly physicalNW?: readonly string[]
  readonly callbackURL?: string
}
export type NsdPlan =
  | { readonly kind: 'plan'; readonly items: readonly Manifest[] }
  | { readonly kind: 'refused'; readonly problems: readonly { readonly at: string; readonly message: string }[] }

const apiVersion = 'megrez.io/v1alpha1'
const virtualLink = 'tosca.nodes.nfv.NsVirtualLink'
const accessPoint = 'tosca.nodes.nfv.Sap'
/** Nodes that say nothing of networks outside; a VNF's own types derive from VNF under any name. */
const passing = /^tosca\.nodes\.nfv\.(NS|VNF|PNF|Forwarding|NfpPosition|NFP|VnfGroup)\b/

/** Words in the metadata of a node that say what TOSCA cannot. */
const pointWord = 'megrez.io/connection-point'
const typeWord = 'megrez.io/vlan-type'

/** @param nsd the service template, as JSON or YAML reads it */
export function planNsd(nsd: unknown, options: NsdOptions = {}): NsdPlan {
  const problems = new DescriptorProblems()
  const at = '/topology_template/node_templates'
  const nodes = Object.entries(fieldsOf(fieldsOf(fieldsOf(nsd)['topology_template'])['node_templates']))
  if (nodes.length === 0) problems.add(at, 'has no node')
  const links = new Map<string, Fields>()
  const points = new Map<string, Fields>()
  for (const [name, node] of nodes) {
    const type = fieldsOf(node)['type']
    if (type === virtualLink) links.set(name, fieldsOf(node))
    else if (type === accessPoint) points.set(name, fieldsOf(node))
    else if (typeof type !== 'string' || !(passing.test(type) || isVnf(fieldsOf(node))))
      problems.add(`${at}/${tokenOf(name)}/type`, `${String(type)} is not understood: ${virtualLink}, ${accessPoint} and VNFs are`)
  }
  const items = [
    ...[...links].flatMap(([name, node]) => itemsOfLink(name, node, { at: `${at}/${tokenOf(name)}`, options, problems })),
    ...[...points].flatMap(([name, node]) => itemOfPoint(name, node, { at: `${at}/${tokenOf(name)}`, options, problems, links })),
  ]
  return problems.all.length > 0 ? { kind: 'refused', problems: problems.all } : { kind: 'plan', items }
}

/** A VNF of a type of its own has a descriptor's id. */
const isVnf = (node: Fields): boolean => typeof fieldsOf(node['properties'])['descriptor_id'] === 'string'

interface DescriptorPosition {
  readonly at: string
  readonly options: NsdOptions
  readonly problems: DescriptorProblems
}

export const nameOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')

function itemsOfLink(name: string, { properties, ...node }: Fields, { at, options, problems: faults }: DescriptorPosition): Manifest[] {
  faults.only(node, ['type', 'metadata', 'description'], at)
  const { connectivity_type: connectivity, vl_profile: profile, ...more } = fieldsOf(properties)
  faults.only(more, ['description', 'test_access'], `${at}/properties`)
  const layers = fieldsOf(connectivity)['layer_protocols']
  const known = ['ethernet', 'ipv4', 'ipv6']
  if (!Array.isArray(layers) || !layers.every((each) => known.includes(String(each))))
    faults.add(`${at}/properties/connectivity_type/layer_protocols`, `must be a list of ${known.join(', ')}`)
  const { virtual_link_protocol_data: protocols, ...limits } = fieldsOf(profile)
  faults.only(
    limits,
    ['max_bitrate_requirements', 'min_bitrate_requirements', 'qos', 'service_availability', 'nfvi_maintenance_info'],
    `${at}/properties/vl_profile`,
  )
  const place = `${at}/properties/vl_profile/virtual_link_protocol_data`
  if (!Array.isArray(protocols)) faults.add(place, 'is needed: it has the VLAN')
  const listed = (Array.isArray(protocols) ? (protocols as unknown[]) : []).map((each, i) => ({
    at: `${place}/${i}`,
    protocol: fieldsOf(each),
  }))
  const vlan = vlanOf(listed, faults, place)
  const service = nameOf(name)
  faults.one('L2Service', service, at)
  const subnets = subnetsOf(service, listed, faults)
  const { physicalNW = [], callbackURL } = options
  const spec = {
    segmentationID: vlan,
    ...(subnets.length > 0 && { subnets: subnets.map((each) => each.metadata.name) }),
    ...(physicalNW.length > 0 && { physicalNW }),
    ...(callbackURL !== undefined && { callbackURL }),
  }
  return [...subnets, { apiVersion, kind: 'L2Service', metadata: { name: service }, spec }]
}

function vlanOf(listed: readonly Listed[], problems: DescriptorProblems, place: string): number {
  const [ethernet, ...others] = listed.filter(({ protocol }) => protocol['associated_layer_protocol'] === 'ethernet')
  if (ethernet === undefined || others.length > 0) {
    if (listed.length > 0) problems.add(place, 'needs one entry for ethernet')
    return 0
  }
  const { segmentation_id: id, network_type: type, ...more } = fieldsOf(ethernet.protocol['l2_protocol_data'])
  const at = `${ethernet.at}/l2_protocol_data`
  problems.only(more, ['name', 'mtu', 'vlan_transparent'], at)
  if (type !== 'vlan') problems.add(`${at}/network_type`, 'must be vlan')
  const vlan = Number(id)
  if (!Number.isInteger(vlan) || vlan < 1 || vlan > vlanMax) problems.add(`${at}/segmentation_id`, `must be a VLAN, 1 to ${vlanMax}`)
  return vlan
}

function itemOfPoint(
  name: string,
  { properties, requirements, metadata, ...node }: Fields,
  { at, options, problems: faults, links }: DescriptorPosition & { readonly links: ReadonlyMap<string, Fields> },
): Manifest[] {
  faults.only(node, ['type', 'description'], at)
  const { trunk_mode: trunk, ...more } = fieldsOf(properties)
  faults.only(more, ['layer_protocols', 'role', 'description', 'protocol', 'sap_address_data'], `${at}/properties`)
  const named = linksOf(requirements, { at: `${at}/requirements`, problems: faults, links })
  const words = fieldsOf(metadata)
  const connectionPoint = words[pointWord] ?? options.connectionPoint
  if (typeof connectionPoint !== 'string')
    faults.add(`${at}/metadata/${pointWord.replace('/', '~1')}`, 'is needed: TOSCA does not say where nodes are plugged in')
  const vlanType = words[typeWord] ?? (trunk === true ? 'selectivetrunk' : 'access')
  const { callbackURL } = options
  faults.one('L2ServiceAttachment', nameOf(name), at)
  return [
    {
      apiVersion,
      kind: 'L2ServiceAttachment',
      metadata: { name: nameOf(name) },
      spec: { l2Services: named.map(nameOf), connectionPoint, vlanType, ...(callbackURL !== undefined && { callbackURL }) },
    },
  ]
}

function linksOf(
  requirements: unknown,
  { at, problems, links }: { readonly at: string; readonly problems: DescriptorProblems; readonly links: ReadonlyMap<string, Fields> },
): string[] {
  const named = (Array.isArray(requirements) ? (requirements as unknown[]) : []).flatMap((each, i) =>
    Object.entries(fieldsOf(each)).flatMap(([requirement, target]) => {
      const place = `${at}/${i}/${requirement}`
      const name = typeof target === 'string' ? target : fieldsOf(target)['node']
      if (!/^(external|internal)_virtual_link/.test(requirement)) problems.add(place, 'is not understood')
      else if (typeof name !== 'string' || !links.has(name)) problems.add(place, `${String(name)} is no ${virtualLink} of this template`)
      else return [name]
      return []
    }),
  )
  if (named.length === 0) problems.add(at, 'names no virtual link')
  return [...new Set(named)]
}
