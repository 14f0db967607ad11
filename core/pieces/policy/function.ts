// A Port of this node that carries out a function of a service chain. It does so in one place of one chain: else nobody could say how far
// what it sends is. Of several sets the first has it.
import { roundsOf } from '../../kinds/policy/chain.ts'
import { ruleSetName } from '../../kinds/policy/policy-rule-set.ts'
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
  /** Of each round of its chain; none: it carries out nothing. */
  readonly does: readonly FunctionOf[]
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
    does: ofFirst(shares.flatMap((share) => ('does' in share ? [share.does] : []))),
  })),
  planes: {
    ovs: {
      items: ({ port, does: [first, ...others] }, _, { bridge }) =>
        port === undefined || first === undefined ? [] : functionFlows(bridge, port, [first, ...others]),
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
  const all = chainsOf(set)
  return roundsOf(all).flatMap(({ round, chains }) =>
    chains.flatMap((chain) =>
      chain.functions.flatMap(({ instances }, i) =>
        instances.map(({ port }) => [port, { does: { set, round, chain, ends: all.ends, number: i + 1 } }] as const),
      ),
    ),
  )
}

const ofFirst = (all: readonly FunctionOf[]): readonly FunctionOf[] =>
  all.filter(({ set }) => ruleSetName(set) === ruleSetName(all[0]!.set))
