// The tables in the order in which packets meet them: the only list. Numbers have gaps, so that a table can come in between without a new
// meaning for the others. Of them the bridge of a physical network has classify, the guards, policyOut and output; the overlay's bridge has
// all.

export const tables = {
  classify: { number: 0, says: 'whose packet is this: which port or tunnel it came from, and which VNI it is in' },
  guard: { number: 10, says: 'a port sends only from its own MAC and addresses, and those that it is allowed beside them' },
  guardNd: { number: 12, says: 'neighbour discovery speaks only for what the port has' },
  policyState: {
    number: 13,
    says: 'whether a connection came to the port that policies judge, or went out from it, and who the other end is',
  },
  policyPeer: { number: 14, says: "the identity of that other end's address" },
  policyAdmin: { number: 15, says: 'rules of the admin tier' },
  policyUnified: { number: 16, says: 'rules of UnifiedNetworkPolicies' },
  policyNetwork: { number: 17, says: 'rules of NetworkPolicies' },
  policyGroups: { number: 18, says: 'rules of SecurityGroups' },
  policyBaseline: { number: 19, says: 'rules of the baseline tier' },
  policyOut: { number: 20, says: 'what a port may send: policies judge it where the port has an identity' },
  policyRate: { number: 21, says: 'how much rules that limit let pass; whoever has asked goes on where it was' },
  policyVerdict: { number: 22, says: 'what policies let pass: its connection is kept, and it goes on where it was' },
  mark: { number: 23, says: 'what a policy marks of what a port sends: its DSCP' },
  rate: { number: 24, says: 'how much a port may send' },
  chain: {
    number: 25,
    says: 'which service chain a packet goes by: one that a subject sends or is sent, or that comes back from a function',
  },
  function: { number: 26, says: 'which function of its chain is next, and which instance of it' },
  learn: { number: 27, says: 'which MACs are behind a port that may have any, and behind which node; in VNIs that carry broadcast' },
  ask: { number: 30, says: 'who asks for an address: ARP, neighbour discovery, or a packet to the gateway' },
  neighbour: { number: 40, says: 'the MAC of an address in a VNI' },
  answer: { number: 45, says: 'the answer to who asked; a routed packet goes on to the MAC that was found' },
  advertise: { number: 47, says: 'the rest of an answer to neighbour discovery' },
  forward: { number: 50, says: 'where a MAC of a VNI is: at a port here, or behind a tunnel' },
  learnt: { number: 55, says: 'where a MAC was last heard that nobody told of: flows that the switch makes by itself, and forgets' },
  flood: { number: 60, says: 'broadcast, multicast and unknown MACs, in VNIs that want them' },
  policyIn: { number: 70, says: 'what a port may receive: policies judge it where the port has an identity' },
  qos: { number: 80, says: 'how much a port may receive' },
  inspect: {
    number: 85,
    says: 'whether something is asked of what is said in a connection: then its inspector gets the packet, else it goes on where it was',
  },
  output: { number: 90, says: 'out by the port that was found' },
} as const satisfies Readonly<Record<string, { readonly number: number; readonly says: string }>>

export type Table = keyof typeof tables

/** Places that pass everything on until somebody fills them, and the table after each. */
export const places = {
  policyOut: 'mark',
  mark: 'rate',
  rate: 'chain',
  chain: 'learn',
  learn: 'ask',
  policyIn: 'qos',
  qos: 'output',
} as const satisfies Partial<Record<Table, Table>>

export const tableName = (number: number): string =>
  Object.entries(tables).find(([, table]) => table.number === number)?.[0] ?? String(number)
