// A table of core/linux/rule-table.ts in the node's kernel, by the program nft: it is made once, and looked at now and then.
import { LinkRefused } from '../../core/errors.ts'
import { tableRuleset, tableText, type RuleTable } from '../../core/linux/rule-table.ts'
import { run, type Outcome } from '../../platform/programs/run.ts'
import type { NodeTable } from './with-node-table.ts'

/** Of `nft -j list table`, what is read of it. */
interface Listed {
  readonly nftables: readonly { readonly rule?: { readonly chain: string; readonly comment?: string } }[]
}

/** @param netns the node's namespace, where it is not that of this process */
export function nftTable(table: RuleTable, netns?: string): Pick<NodeTable, 'text' | 'seen' | 'put' | 'drop'> {
  const { family, name, rules } = table
  const what = `the table ${name} of nftables`
  const nft = (args: readonly string[], input = ''): Promise<Outcome> =>
    netns === undefined ? run('nft', args, { input }) : run('nsenter', [`--net=${netns}`, '--', 'nft', ...args], { input })
  return {
    text: tableText(table, rules),
    async seen() {
      const { code, stdout, stderr } = await nft(['-j', 'list', 'table', family, name])
      if (code === undefined) throw new LinkRefused({ what, reason: stderr })
      // It says what is wrong in words alone; what is there though it cannot be read is made anew.
      if (code !== 0) return undefined
      const there = (JSON.parse(stdout) as Listed).nftables.flatMap(({ rule }) =>
        rule === undefined ? [] : [{ chain: rule.chain, comment: rule.comment ?? 'a rule of somebody else' }],
      )
      return tableText(table, there)
    },
    async put() {
      const { code, stderr } = await nft(['-f', '-'], tableRuleset(table))
      if (code !== 0) throw new LinkRefused({ what, reason: stderr.trim() })
    },
    async drop() {
      await nft(['delete', 'table', family, name])
    },
  }
}
