// A table of nftables that stands beside a data plane's own: rules that are the same whatever the Ports are. Pure.

/** One rule, told apart by what it says of itself. */
export interface TableRule<Chain extends string = string> {
  readonly chain: Chain
  readonly comment: string
  readonly rule: string
}

export interface RuleTable<Chain extends string = string> {
  readonly family: 'inet' | 'bridge'
  readonly name: string
  /** The hook of each chain, as nft has it. */
  readonly hooks: Readonly<Record<Chain, string>>
  readonly rules: readonly TableRule<Chain>[]
}

/** What a table is like, in one spelling: the rules that say something of themselves, in their order. */
export const tableText = ({ hooks }: Pick<RuleTable, 'hooks'>, rules: readonly Pick<TableRule, 'chain' | 'comment'>[]): string =>
  Object.keys(hooks)
    .map(
      (chain) =>
        `${chain}: ${rules
          .filter((each) => each.chain === chain)
          .map(({ comment }) => comment)
          .join('; ')}`,
    )
    .join(' | ')

/** As nft reads it: whole, in place of what is there. */
export function tableRuleset({ family, name, hooks, rules }: RuleTable): string {
  const chains = Object.entries(hooks).map(([chain, hook]) => {
    const own = rules.filter((each) => each.chain === chain).map(({ rule, comment: says }) => `    ${rule} comment "${says}"`)
    return `  chain ${chain} {\n    type filter hook ${hook}; policy accept;\n${own.join('\n')}\n  }`
  })
  return `table ${family} ${name}\ndelete table ${family} ${name}\ntable ${family} ${name} {\n${chains.join('\n')}\n}\n`
}
