import { Type } from 'typebox'
import { encloses, parseCidr, parsePlainCidr, printCidr } from '../../net/cidr.ts'
import { specialBlocks } from '../../net/forbidden.ts'
import { egressFinalizer } from '../annotations.ts'
import { defineKind } from '../kind.ts'
import { CallbackURL, closed, reportFields } from '../meta.ts'

/** As long as IPv6 and a length are. */
const Block = Type.String({ minLength: 3, maxLength: 43 })
const blocks = (description: string, maxItems: number) => Type.Array(Block, { maxItems, description, 'x-kubernetes-list-type': 'set' })

/** What nothing leaves for, whatever a class says: it is the node's own, or nobody's. */
const hardUses = ['this network', 'loopback', 'link-local', 'cloud metadata', 'multicast', 'reserved', 'unspecified', 'IPv4-mapped']
export const neverLeft = specialBlocks.filter(({ is }) => hardUses.includes(is)).map(({ cidr }) => cidr)
const neverText = neverLeft.map(printCidr)
/** An API server's CEL takes no IPv4-mapped block, here as in `to`. */
const isPlain = (text: string): boolean => parsePlainCidr(text) !== undefined

const isLeft = (text: string): boolean => {
  const cidr = parseCidr(text)
  return cidr === undefined || !neverLeft.some((never) => encloses(never, cidr))
}
const isCidr = 'isCIDR(c) && cidr(c) == cidr(c).masked()'

const namespacedName = '^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$'

/** What workers tell the nodes of a Vpc that sends outside. */
export const EgressStatus = Type.Object(
  {
    class: Type.String({ description: 'the EgressClass' }),
    to: Type.Array(Type.String(), { description: 'blocks', 'x-kubernetes-list-type': 'atomic' }),
    except: Type.Array(Type.String(), { description: 'blocks that it does not send to', 'x-kubernetes-list-type': 'atomic' }),
    nodes: Type.Array(
      Type.Object(
        {
          node: Type.String(),
          addresses: Type.Array(Type.String(), { description: 'that the world outside sees', 'x-kubernetes-list-type': 'atomic' }),
        },
        closed,
      ),
      {
        description: 'those that it sends from: of those that have a Port in it',
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['node'],
      },
    ),
  },
  { ...closed, description: 'how it sends outside, while its EgressClass and its owner agree' },
)

export const EgressClass = defineKind({
  kind: 'EgressClass',
  plural: 'egressclasses',
  finalizer: egressFinalizer,
  shortNames: ['ec'],
  scope: 'Cluster',
  description: 'Which Vpcs may send to the world outside, to which blocks, and from addresses of their nodes or of a pool.',
  spec: Type.Object(
    {
      vpcs: Type.Array(
        Type.String({
          minLength: 3,
          maxLength: 317,
          pattern: namespacedName,
          'x-refers-to': 'Vpc',
        }),
        { maxItems: 256, description: 'namespace/name of each; it names this class in egressClass', 'x-kubernetes-list-type': 'set' },
      ),
      to: Type.Optional({
        ...blocks(
          'what they may send to; all of IPv4 and IPv6 when absent. Private blocks only where one is named here that lies in them',
          64,
        ),
        minItems: 1,
      }),
      except: Type.Optional(blocks('of that, what they may not send to, beside nodes, their pods and neighbours by BGP', 256)),
      pool: Type.Optional(
        Type.String({
          minLength: 3,
          maxLength: 317,
          pattern: namespacedName,
          'x-refers-to': 'Subnet',
          description: 'namespace/name of the Subnet that what leaves has its addresses from; addresses of nodes when absent',
        }),
      ),
      callbackURL: Type.Optional(CallbackURL),
    },
    closed,
  ),
  status: Type.Object(
    {
      ...reportFields,
      vpcs: Type.Optional(
        Type.Array(
          Type.Object({ vpc: Type.String({ description: 'a/v' }), nodes: Type.Integer({ description: 'that it sends from' }) }, closed),
          {
            description: 'those that send by it; each Vpc has the addresses of its nodes',
            'x-kubernetes-list-type': 'map',
            'x-kubernetes-list-map-keys': ['vpc'],
          },
        ),
      ),
      refused: Type.Optional(
        Type.Array(Type.Object({ what: Type.String({ description: 'Vpc a/v' }), message: Type.String() }, closed), {
          description: 'what is asked for and is not done',
          'x-kubernetes-list-type': 'atomic',
        }),
      ),
    },
    closed,
  ),
  sections: { users: ['vpcs', 'refused'] },
  writers: { users: 'workers' },
  rules: [
    {
      cel: `!has(self.to) || self.to.all(c, ${isCidr})`,
      message: 'each must be a block whose host bits are zero',
      at: 'spec.to',
      holds: ({ to = [] }) => to.every((each) => parsePlainCidr(each) !== undefined),
    },
    {
      cel: `!has(self.to) || self.to.all(c, !isCIDR(c) || [${neverText
        .filter(isPlain)
        .map((each) => `'${each}'`)
        .join(', ')}].all(n, !cidr(n).containsCIDR(c)))`,
      message: `must not lie in ${neverText.join(', ')}: that is the node's own, or nobody's`,
      at: 'spec.to',
      holds: ({ to = [] }) => to.every(isLeft),
    },
    {
      cel: `!has(self.except) || self.except.all(c, ${isCidr})`,
      message: 'each must be a block whose host bits are zero',
      at: 'spec.except',
      holds: ({ except = [] }) => except.every((each) => parsePlainCidr(each) !== undefined),
    },
  ],
  columns: [{ name: 'To', type: 'string', path: '.spec.to' }],
})
