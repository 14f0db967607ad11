// What is written on boxes and lines. A name may be of any length, and may hold marks that turn what stands beside it.
import type { PictureEdge, PictureVertex } from '../../contract/topology.ts'

export interface Naming {
  readonly withNamespace: boolean
  readonly withFabric: boolean
}

const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '\ufffd')
const most = 26

/** In the middle, as names differ at their ends. */
export function shortened(text: string, length = most): string {
  const clean = plain(text)
  return clean.length <= length ? clean : `${clean.slice(0, length - 10)}…${clean.slice(-9)}`
}

const ports = (count: number): string => `${count} Port${count === 1 ? '' : 's'}`
type Labels = Readonly<Record<string, (vertex: PictureVertex, name: string) => readonly string[]>>
const labels: Labels = {
  Node: (_, name) => [name === '' ? 'on no node' : name],
  Vpc: ({ vni, vlan }, name) => [
    name === '' ? 'of no Vpc' : name,
    ...(vni === undefined ? [] : [`VNI ${vni}`]),
    ...(vlan === undefined ? [] : [`VLAN ${vlan}`]),
  ],
  Segment: ({ vni }) => [`VNI ${vni ?? ''}`],
  L2Service: ({ vlan }, name) => [name, ...(vlan === undefined ? [] : [`VLAN ${vlan}`])],
  Subnet: ({ addresses = [] }, name) => [name, ...addresses],
  VLAN: ({ vlan, message = '' }) => [`VLAN ${vlan ?? ''}`, ...(message === '' ? [] : [shortened(message, 24)])],
  Switch: ({ phase }, name) => [name, ...(phase === 'unreachable' ? [phase] : [])],
}
const rangeWords: Readonly<Record<string, string>> = { Nodes: 'nodes', Vpcs: 'Vpcs', Switches: 'switches', VLANs: 'VLANs' }

export function labelOf(vertex: PictureVertex, naming: Naming): string {
  if (vertex.members !== undefined) return rangeLabel(vertex)
  const { kind } = vertex
  const lines = labels[kind]?.(vertex, nameOf(vertex, naming)) ?? [nameOf(vertex, naming)]
  const oneLine = kind === 'Vpc' || kind === 'L2Service'
  return [...(oneLine ? [lines.join(' · ')] : lines), ...countsOf(vertex)].join('\n')
}

function nameOf({ kind, namespace, name }: PictureVertex, { withNamespace, withFabric }: Naming): string {
  const isWhole = kind === 'Switch' ? withFabric : withNamespace && kind !== 'VLAN'
  return shortened(isWhole && name !== '' && namespace !== undefined ? `${namespace}/${name}` : name)
}

/** Of a group. */
function countsOf({ open, shown, ports: count = 0 }: PictureVertex): readonly string[] {
  if (open === false) return [ports(count)]
  return open === true && shown !== undefined ? [`${shown} of ${count}`] : []
}

const rangeLabel = ({ kind, first = '', last = '', members = 0, ports: count }: PictureVertex): string =>
  [
    `${shortened(first, 12)} … ${shortened(last, 12)}`,
    [`${members} ${rangeWords[kind] ?? ''}`, ...(count === undefined ? [] : [ports(count)])].join(' · '),
  ].join('\n')

interface LinkTexts {
  readonly label: string
  readonly atFrom: string
}

type Texts = Readonly<Record<string, (edge: PictureEdge) => LinkTexts>>
const linkLabels: Texts = {
  port: ({ addresses = [], phase = 'new' }) => {
    // Of two addresses the first: the tree has room for both.
    const [first = phase] = addresses
    return { label: addresses.length === 0 ? phase : addresses.join(' '), atFrom: first }
  },
  ports: ({ count = 1 }) => ({ label: String(count), atFrom: String(count) }),
  tunnel: ({ addresses = [] }) => ({ label: ['tunnel', ...addresses].join(' '), atFrom: '' }),
  'wired-to': ({ interface: at, switchPort = '', count = 1 }) =>
    at === undefined
      ? { label: `${count} links`, atFrom: `${count} links` }
      : { label: `${plain(at)} ${plain(switchPort)}`, atFrom: `${plain(at)} · ${plain(switchPort)}` },
  gateway: ({ switchPort = '' }) => ({ label: `gateway ${plain(switchPort)}`, atFrom: plain(switchPort) }),
  'open-on': () => ({ label: 'open', atFrom: '' }),
}

/** In one word for the tree, and what stands at its beginning on the canvas. */
export const linkTexts = (edge: PictureEdge): LinkTexts =>
  linkLabels[edge.relation]?.(edge) ?? { label: edge.relation.replace('-', ' '), atFrom: '' }
