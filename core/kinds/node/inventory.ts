// What the agent of a node answers to whoever audits: what it has wired, and what it has beside that. It is the node's own word: short
// texts of printable characters, so that one that is not ours any more can neither fill the store nor write to anybody's terminal.
import { Type, type Static } from 'typebox'
import { closed, OneOf } from '../meta.ts'

/** Of each list: with both full an object stays below the 1.5 MiB that etcd takes. */
export const inventoriedMax = 2_048

/** Printable ASCII. */
export const printable = '^[ -~]*$'
const text = (maxLength: number, description?: string) =>
  Type.String({ maxLength, pattern: printable, ...(description !== undefined && { description }) })

const InventoriedPort = Type.Object(
  {
    uid: text(64),
    port: text(512, 'namespace/name'),
    interface: Type.Optional(text(64, 'on the node')),
    pod: Type.Optional(text(64, 'UID of the pod that it is wired into')),
    state: OneOf(['wired', 'lost', 'unwired', 'changing'], {
      description:
        'wired; lost: its interface is gone; unwired: it was told to be wired, and is not; changing: it is being wired, or what is told of it is on its way',
    }),
  },
  { ...closed, description: 'a Port, as its node has it' },
)
const InventoriedInterface = Type.Object(
  { name: text(64), uid: Type.Optional(text(64, 'of the Port that it says it is of')) },
  { ...closed, description: 'an interface that Megrez has made, and no Port here has' },
)

export const Inventory = Type.Object(
  {
    ports: Type.Array(InventoriedPort, { maxItems: inventoriedMax, 'x-kubernetes-list-type': 'atomic' }),
    interfaces: Type.Array(InventoriedInterface, { maxItems: inventoriedMax, 'x-kubernetes-list-type': 'atomic' }),
    problem: Type.Optional(text(512, 'why its data plane is not as it should be, if it is not')),
  },
  { ...closed, description: 'what a node has' },
)
export type Inventory = Static<typeof Inventory>
export type InventoriedPort = Static<typeof InventoriedPort>
