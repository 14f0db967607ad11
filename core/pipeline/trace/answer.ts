// What ofproto/trace (ovs-vswitchd(8), ofproto/ofproto-dpif-trace.c) says of a packet, read: the rules of our bridge that it met, and by
// what it leaves. What it met in other bridges, as the one that a tunnel goes through, is not ours to tell.
import type { RuleOwner, TracedOutput, TracedRule, TracedWay } from '../../node/traced.ts'
import { readCookie } from '../cookie.ts'
import { readRuleOwner } from '../rule-owner.ts'
import { numbers } from '../settings.ts'
import { tableName, tables } from '../tables.ts'
import { printMac } from '../openflow/values.ts'

interface ReadRule extends TracedRule {
  readonly does: string[]
  readonly notes: string[]
}
/** One that was tried; `failed`: nothing left by it. */
interface Output {
  readonly to: TracedOutput | undefined
  failed: boolean
}

/**
 * Where connections are tracked, a copy of the packet goes on in another part of the text: what is said of the copy begins with `thaw`, and
 * the packet itself ends there.
 *
 * Rules of the bridge stand at the left, what they do four further in, what is said of that five. What a rule meets in a table that it
 * comes back from (resubmit) stands four further in, and what that does eight more. Another bridge that a packet goes through is further
 * in, or, where nothing comes after it, at the left too, under its own name.
 */
const bridgeLine = /^ *bridge\("(.*)"\)$/
const ruleLine = /^ *(\d+)\. (.*)$/
const actionLine = /^(?: {4}| {12})(?! |bridge\(|-{5}|\d+\. )(.*)$/
const noteLine = /^(?: {5}| {13})(->|>>+) (.*)$/
const spaces = /^ */

type BecauseOf = (where: string) => string | undefined

/** @param becauseOf of a flow of the Port or of every node, by its table and cookie */
export function readTrace(text: string, bridge: string, becauseOf: BecauseOf): TracedWay {
  const { rules, outputs } = readLines(text, bridge, becauseOf)
  const isDropped = /^Datapath actions: (.*)$/m.exec(text)?.[1] === 'drop'
  const left = isDropped ? [] : outputs.flatMap(({ to, failed }) => (failed || to === undefined ? [] : [to]))
  const mac = left.includes('back') ? answeredMac(text) : undefined
  return { rules, outputs: [...new Set(left)], ...(mac !== undefined && { mac }) }
}

function readLines(text: string, bridge: string, becauseOf: BecauseOf): { readonly rules: ReadRule[]; readonly outputs: Output[] } {
  const rules: ReadRule[] = []
  const outputs: Output[] = []
  let at: { readonly left: TextPart; inner: TextPart } = { left: { bridge }, inner: { bridge } }
  for (const line of text.split('\n')) {
    const isInner = isFurtherIn(line)
    const name = bridgeLine.exec(line)?.[1]
    if (name !== undefined) at = { left: isInner ? at.left : { bridge: name }, inner: { bridge: name } }
    const place = isInner ? at.inner : at.left
    if (place.bridge !== bridge) continue
    const rule = readRule(line, becauseOf)
    if (rule === undefined) readDone(line, place.rule, outputs)
    else rules.push((place.rule = rule))
    if (rule !== undefined && !isInner) at.inner = { bridge }
  }
  return { rules, outputs }
}

/** At the left, or further in: of which bridge it is, and the last rule there. */
interface TextPart {
  readonly bridge: string
  rule?: ReadRule
}

const isFurtherIn = (line: string): boolean => {
  const { length } = spaces.exec(line)![0]
  return ruleLine.test(line) || bridgeLine.test(line) ? length >= 4 : length > 5
}

function readRule(line: string, becauseOf: BecauseOf): ReadRule | undefined {
  const [, table, rest = ''] = ruleLine.exec(line) ?? []
  return table === undefined ? undefined : ruleOf(Number(table), rest, becauseOf)
}

function ruleOf(number: number, rest: string, becauseOf: BecauseOf): ReadRule {
  const where = `${number} ${tableName(number)}`
  const [, match = '', , cookie = '0x0'] = /^(?:(.*), )?priority (\d+)(?:, cookie (0x[\da-f]+))?$/.exec(rest) ?? []
  if (rest === 'No match.') {
    const says = Object.values(tables).find((table) => table.number === number)?.says
    return { where, match: 'nothing', does: [], owner: 'node', notes: [], ...(says !== undefined && { because: says }) }
  }
  const because = becauseOf(placeOf(number, cookie))
  return {
    where,
    match: matchOf(match) || 'everything else',
    does: [],
    owner: ownerOf(cookie),
    notes: [],
    ...(because !== undefined && { because }),
  }
}

/** Name of the flows of one cause in one table. */
export const placeOf = (table: number, cookie: string): string => `${table} ${BigInt(cookie).toString(16)}`

/** @param cookie as Open vSwitch writes it */
export function ownerOf(cookie: string): RuleOwner {
  const bits = BigInt(cookie)
  const read = readCookie({ high: Number(bits >> 32n), low: Number(bits & 0xffffffffn) })
  if (read === undefined) return 'stranger'
  if (read.feature === 'rule') return readRuleOwner(read.owner) ?? 'segment'
  if (read.feature === 'learnt') return 'segment'
  if (read.owner === 0) return 'node'
  return read.owner < 2 ** 24 ? 'segment' : { mac: printMac(read.owner) }
}

/** Names of ovs-fields(7) that ovs-ofctl still writes the old way. */
const newNames: Readonly<Record<string, string>> = {
  dl_src: 'eth_src',
  dl_dst: 'eth_dst',
  dl_type: 'eth_type',
  nw_src: 'ipv4_src',
  nw_dst: 'ipv4_dst',
  nw_proto: 'ip_proto',
  nw_ttl: 'ip_ttl',
}
const matchOf = (match: string): string => match.replace(/(?<=^|,)\w+(?==)/g, (name) => newNames[name] ?? name)

function readDone(line: string, rule: ReadRule | undefined, outputs: Output[]): void {
  if (rule === undefined) return
  const [, action] = actionLine.exec(line) ?? []
  if (action !== undefined) {
    if (isOutput(action)) outputs.push({ to: outputOf(action), failed: false })
    if (!isOfCopy(action, rule))
      rule.does.push(action.replace(/^goto_table:(\d+)$/, (_, table: string) => `go to ${tableName(Number(table))}`))
    return
  }
  const [, mark, note = ''] = noteLine.exec(line) ?? []
  if (mark !== undefined) readNote(mark, note, { rule, outputs })
}

/** Said of where a copy goes on, and of the packet without it. */
const isOfCopy = (action: string, { does }: ReadRule): boolean =>
  action === 'thaw' || (action === 'drop' && does.at(-1)?.startsWith('ct(') === true)

const isOutput = (action: string): boolean => /^(?:output:|IN_PORT$|NORMAL$)/.test(action)
function outputOf(action: string): TracedOutput | undefined {
  if (action === 'IN_PORT') return 'back'
  if (action === 'NORMAL') return 'vlan'
  return numbered(/^output:(\d+)$/.exec(action)?.[1])
}
const named: ReadonlyMap<number, TracedOutput> = new Map([
  [numbers.tunnel, 'tunnel'],
  [numbers.uplink, 'uplink'],
])
const numbered = (number: string | undefined): TracedOutput | undefined =>
  number === undefined ? undefined : (named.get(Number(number)) ?? Number(number))

function readNote(mark: string, note: string, { rule, outputs }: { readonly rule: ReadRule; readonly outputs: Output[] }): void {
  const last = outputs.at(-1)
  const number = /^output port is (\d+)$/.exec(note)?.[1]
  if (number !== undefined) {
    outputs.pop()
    outputs.push({ to: numbered(number), failed: false })
    return
  }
  // Whose address it is, is a node's.
  const isUnresolved = note.startsWith('neighbor cache miss')
  if (isUnresolved) rule.notes.push('the MAC of the other node is not known yet: it is asked for, and this packet is lost')
  else if (mark !== '->') rule.notes.push(note.replace(/\S*\d\S*/g, '…'))
  if (last !== undefined && (isUnresolved || mark !== '->')) last.failed = true
}

/** Whose MAC an answer tells. */
function answeredMac(text: string): string | undefined {
  const end = [...text.matchAll(/^Final flow: (.*)$/gm)].at(-1)?.[1] ?? ''
  return /(?:^|,)(?:arp_sha|nd_tll)=([\da-f:]{17})(?:,|$)/.exec(end)?.[1]
}
