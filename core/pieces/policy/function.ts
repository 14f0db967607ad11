// A Port of this node that carries out a function of a service chain. It does so in one place of one chain: else nobody could say how far
// what it sends is. Of several sets the first has it.
import type { LocalPort, RuleSet } from '../../node/wanted.ts'
import { chainsOf } from '../../pipeline/chains/chain.ts'
import { functionFlows, type FunctionOf } from '../../pipeline/chains/function.ts'
import { gives, madeOf, type PieceKind } from '../kind.ts'
import { portPiece } from '../port.ts'
import { ruleSetPiece } from './rule-set.ts'

export interface FunctionPort {
  readonly uid: string
  /** Undefined: it is on another node. */
  readonly port: LocalPort | undefined
  /** Undefined: it carries out none. */
  readonly does: FunctionOf | undefined
}

type Share = { readonly port: LocalPort } | { readonly does: FunctionOf }
const why = 'nothing is handed to functions there'

export const functionPiece: PieceKind<FunctionPort> = {
  name: 'FunctionPort',
  key: ({ uid }) => uid,
  sources: [],
  made: madeOf([gives(portPiece, shareOfPort), gives(ruleSetPiece, sharesOfSet)], (uid, shares: readonly Share[]) => ({
    uid,
    port: shares.find((share) => 'port' in share)?.port,
    does: shares.find((share) => 'does' in share)?.does,
  })),
  planes: {
    ovs: {
      items: ({ port, does }, _, { bridge }) => (port === undefined || does === undefined ? [] : functionFlows(bridge, port, does)),
    },
    bess: why,
    linux: why,
    memory: 'it is in the item of its rules',
  },
}

function shareOfPort(port: LocalPort): readonly (readonly [string, Share])[] {
  return port.attachment.kind === 'vni' && port.portSecurity ? [[port.uid, { port }]] : []
}

function sharesOfSet(set: RuleSet): readonly (readonly [string, Share])[] {
  const { ends, chains } = chainsOf(set)
  return chains.flatMap((chain) =>
    chain.functions.flatMap(({ instances }, i) =>
      instances.map(({ port }) => [port, { does: { set, chain, ends, number: i + 1 } }] as const),
    ),
  )
}
