// The table of core/linux/tunnel-guard.ts in the node's kernel, by the program nft: it is made once, and looked at now and then.
import { LinkRefused } from '../../core/errors.ts'
import { guardRules, guardRuleset, guardTable, guardText, type GuardRule } from '../../core/linux/tunnel-guard.ts'
import { run, type Outcome } from '../../platform/programs/run.ts'
import type { TunnelGuard } from './guarded.ts'

/** Of `nft -j list table`, what is read of it. */
interface Listed {
  readonly nftables: readonly { readonly rule?: { readonly chain: GuardRule['chain']; readonly comment?: string } }[]
}

const what = `the table ${guardTable} of nftables`

/** @param netns the node's namespace, where it is not that of this process */
export function nftTunnelGuard(l4Port: number, netns?: string): TunnelGuard {
  const rules = guardRules(l4Port)
  const nft = (args: readonly string[], input = ''): Promise<Outcome> =>
    netns === undefined ? run('nft', args, { input }) : run('nsenter', [`--net=${netns}`, '--', 'nft', ...args], { input })
  return {
    text: guardText(rules),
    async seen() {
      const { code, stdout, stderr } = await nft(['-j', 'list', 'table', 'inet', guardTable])
      if (code === undefined) throw new LinkRefused({ what, reason: stderr })
      // It says what is wrong in words alone; what is there though it cannot be read is made anew.
      if (code !== 0) return undefined
      const there = (JSON.parse(stdout) as Listed).nftables.flatMap(({ rule }) => (rule === undefined ? [] : [{ chain: rule.chain, says: rule.comment ?? 'a rule of somebody else' }]))
      return guardText(there)
    },
    async put() {
      const { code, stderr } = await nft(['-f', '-'], guardRuleset(rules))
      if (code !== 0) throw new LinkRefused({ what, reason: stderr.trim() })
    },
    async drop() {
      await nft(['delete', 'table', 'inet', guardTable])
    },
  }
}
