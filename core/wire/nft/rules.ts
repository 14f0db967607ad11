// What the rules of a table do (linux/netfilter/nf_tables.h): enough to tell whether they are those that once were put there.
import { attributes, textOf, Writer } from '../netlink/bytes.ts'
import { readDump, type Dump } from '../netlink/dump.ts'
import { flag, message } from '../netlink/message.ts'
import { family, head, type } from './message.ts'

const ruleAttr = { table: 1, chain: 2, expressions: 4 } as const

/** A rule of a chain, and its expressions. */
export interface ChainRule {
  readonly chain: string
  readonly does: string
}

export function encodeRulesDump(of: keyof typeof family, table: string): Uint8Array {
  const to = new Writer()
  message(to, { type: type.getRule, flags: flag.dump, sequence: 1 }, () => head(to, family[of]).attrText(ruleAttr.table, table))
  return to.done()
}

/** In order. A set without a name has a number, which another one in its place has not. */
export function readRules(bytes: Uint8Array, table: string): Dump<ChainRule> {
  return readDump(bytes, ({ type: of, body }) => {
    const all = attributes(body, 4)
    if (of !== type.newRule || textOf(all, ruleAttr.table) !== table) return []
    return [{ chain: textOf(all, ruleAttr.chain) ?? '', does: Buffer.from(all.get(ruleAttr.expressions) ?? []).toString('hex') }]
  })
}
