// Who owns which bit of the registers: the drawing below is read by test/repo/pipeline-page.test.ts, and this is the only place.
//
//   reg0   31                                                 0
//          |                       vni                        |
//   reg1   31     20 19     19 18     18 17    16 15          0
//          | unused | learnt  | routed  |  from  |   source   |
//   reg2   31                        16 15                    0
//          |           none            |         out          |
//   reg3   31     23 22     18 17     17 16    16 15          0
//          | unused | audited | decided | inward |  subject   |
//   reg4   31                                                 0
//          |                     asked4                       |
//   reg5   31                        16 15                    0
//          |            qos            |        chain         |
//   reg12  31     25 24     24 23                             0
//          | unused | ingress |           judged              |
//   reg13  31     24 23                                       0
//          | unused |                 peer                    |
//   reg14  31                                                 0
//          |                      part                        |
//   reg15  31            14 13       12 11                    0
//          |     unused    | inspected |        vlan         |
//   xreg3  63                        48 47                    0
//          |          unused           |        found         |
//   xxreg2 127                                                0
//          |                     asked6                       |
import { doubleRegisters, quadRegisters, registers, type Field } from './openflow/fields.ts'
import type { Bits } from './openflow/actions.ts'

/** Bits of a register, who sets them, and what for. */
export interface Owned extends Bits {
  readonly setIn: string
  readonly says: string
}

const owned = (field: Field, from: number, to: number, { setIn, says }: { readonly setIn: string; readonly says: string }): Owned => ({
  field,
  from,
  count: to - from + 1,
  setIn,
  says,
})

export const owners = {
  vni: owned(registers[0]!, 0, 31, {
    setIn: 'classify',
    says: 'the segment: a VNI, or above all of them the number of a VLAN of a physical network',
  }),
  source: owned(registers[1]!, 0, 15, {
    setIn: 'classify',
    says: 'OpenFlow port number of the local port that sent the packet; 0 for a tunnel',
  }),
  from: owned(registers[1]!, 16, 17, { setIn: 'classify', says: '1 a local port, 2 a tunnel, 3 an uplink' }),
  routed: owned(registers[1]!, 18, 18, { setIn: 'ask', says: '1: it came to the gateway, and goes to another subnet of its VNI' }),
  learnt: owned(registers[1]!, 19, 19, { setIn: 'learnt', says: '1: its MAC was learnt, and `out` says where' }),
  out: owned(registers[2]!, 0, 15, { setIn: 'forward, learnt', says: 'OpenFlow port number that the packet leaves by' }),
  none: owned(registers[2]!, 16, 31, {
    setIn: 'nowhere',
    says: 'always 0: what asks about some of its bits is another flow of the same meaning, for what one flow cannot hold',
  }),
  subject: owned(registers[3]!, 0, 15, {
    setIn: 'policyOut, policyIn',
    says: 'conntrack zone of the local port that policies judge: its OpenFlow port number, or of one in several VLANs a number for each',
  }),
  inward: owned(registers[3]!, 16, 16, { setIn: 'policyIn', says: '1: the packet is on its way to that port' }),
  decided: owned(registers[3]!, 17, 17, {
    setIn: 'policyNetwork, policyGroups',
    says: '1: a NetworkPolicy or a SecurityGroup has had its say',
  }),
  audited: owned(registers[3]!, 18, 22, {
    setIn: 'policyAdmin to policyBaseline',
    says: 'a bit for each tier, the lowest for the first: its rules that are in audit have had their say',
  }),
  asked4: owned(registers[4]!, 0, 31, {
    setIn: 'ask, policyState',
    says: 'the IPv4 address whose MAC is looked up, or whose identity',
  }),
  chain: owned(registers[5]!, 0, 15, {
    setIn: 'guard, chain to function, forward',
    says: 'how far it is in a service chain: 0: nothing is decided, 1: in none, or out of it, 2: handed to a function, 3: the same on the node that it came from; else which way it goes, and the number of the function that it comes from',
  }),
  qos: owned(registers[5]!, 16, 31, {
    setIn: 'policyOut, policyAdmin to policyBaseline',
    says: '64 and the DSCP that what the port sends is marked with; 0: as it comes',
  }),
  found: owned(doubleRegisters[3]!, 0, 47, { setIn: 'neighbour', says: 'the MAC that was found' }),
  asked6: owned(quadRegisters[2]!, 0, 127, {
    setIn: 'ask, policyState',
    says: 'the IPv6 address whose MAC is looked up, or whose identity',
  }),
  judged: owned(registers[12]!, 0, 23, { setIn: 'policyOut, policyIn', says: "identity of the port's address" }),
  ingress: owned(registers[12]!, 24, 24, { setIn: 'policyState', says: '1: the connection came to the port; 0: it went out from it' }),
  peer: owned(registers[13]!, 0, 23, { setIn: 'policyPeer', says: 'identity of the other end; 0: none, 0xffffff: not known' }),
  part: owned(registers[14]!, 0, 31, {
    setIn: 'guard, policyAdmin to policyBaseline, policyVerdict, chain, forward, inspect',
    says: 'the rule whose rate is asked about, the service chain, or the direction that a set inspects: number of the set, and its own in the lowest 8 bits',
  }),
  vlan: owned(registers[15]!, 0, 11, {
    setIn: 'classify',
    says: 'the VLAN that a judged port sent or gets the packet in; 0: it is in a VNI',
  }),
  inspected: owned(registers[15]!, 12, 13, {
    setIn: 'guard, inspect',
    says: 'a bit for each direction of connections, egress the lowest: of such a one nothing is asked any more',
  }),
} as const satisfies Readonly<Record<string, Owned>>

/** Of a packet that a tunnel takes: as many as VXLAN has (RFC 7348 section 5). */
export const vniBits: Bits = { ...owners.vni, count: 24 }

export const origins = { port: 1, tunnel: 2, uplink: 3 } as const
const fromShift = 2 ** owners.from.from

/** The whole of reg1 of a packet that has just come in. */
export const cameFrom = (origin: keyof typeof origins, number = 0): number => origins[origin] * fromShift + number
/** Value and mask in reg1 for where a packet came from, whichever port it was. */
export const originOf = (origin: keyof typeof origins): readonly [value: number, mask: number] => [
  origins[origin] * fromShift,
  3 * fromShift,
]
