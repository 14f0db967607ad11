// The node's own namespace, as tables, routes and programs ask it: netlink over sockets that live for one exchange, and the program nft.
import { LinkRefused } from '../../../core/errors.ts'
import type { Dump } from '../../../core/wire/netlink/dump.ts'
import { transactionErrno } from '../../../core/wire/nft/elements.ts'
import { encodeRulesDump, readRules, type ChainRule } from '../../../core/wire/nft/rules.ts'
import { run, type Outcome } from '../../../platform/programs/run.ts'
import { netlinkProtocol, type Addon, type NativeSocket } from '../../native/addon.ts'

/** A request that changes something or that a list answers, and of which protocol. */
export interface NodeKernelRequest {
  readonly of: keyof typeof netlinkProtocol
  readonly bytes: Uint8Array
}

/** linux/errno.h */
export const errnos = { ENOENT: 2, EBUSY: 16, EEXIST: 17, ENODEV: 19, EINVAL: 22, ENOTEMPTY: 39, EOPNOTSUPP: 95 } as const
/** Changes that rivals hinder, and lists that change while they are taken, are given up after so many. */
export const triesMax = 8

export const refusedBy = (what: string, errno: number) =>
  new LinkRefused({ what, reason: errno === 0 ? 'it changes all the time' : `errno ${errno}` })

/** What nft makes of a text, which is the same whatever the namespace is: it takes a process, and longer than all that is read back. */
const compiled = new Map<string, readonly ChainRule[]>()

export class NodeKernel {
  readonly addon: Addon
  readonly #netns: string | undefined

  /** @param netns the node's namespace, where it is not that of this process */
  constructor(addon: Addon, netns: string | undefined) {
    this.addon = addon
    this.#netns = netns
  }

  /** @returns why the kernel has not done it, as errno; 0 when well */
  async change(request: NodeKernelRequest): Promise<number> {
    return transactionErrno(await this.#request(request))
  }

  /**
   * @param none refusals that say that there is nothing to list
   * @returns undefined: so it is
   * @throws LinkRefused for other refusals, and where the list is never whole
   */
  async list<T>(
    what: string,
    { read, none, ...request }: NodeKernelRequest & { readonly read: (bytes: Uint8Array) => Dump<T>; readonly none: readonly number[] },
  ): Promise<readonly T[] | undefined> {
    for (let times = 0; ; times++) {
      const { all, errno, whole } = read(await this.#request(request))
      if (none.includes(errno)) return undefined
      if (errno === 0 && whole) return all
      if (times >= triesMax) throw refusedBy(what, errno)
    }
  }

  /**
   * @param rules nft's text of the table, whole
   * @param isThere asked before and, since a rival's table is as good, after a refusal
   * @returns what nft says, where there is none
   */
  async makeTable(table: string, rules: string, isThere: () => Promise<boolean>): Promise<string | undefined> {
    if (await isThere()) return undefined
    const { code, stderr } = await this.#nft(['-f', '-'], `table ${table}\ndelete table ${table}\n${rules}`)
    return code === 0 || (await isThere()) ? undefined : stderr.trim()
  }

  /** @returns what nft says of rules that the kernel would not take; nothing is put */
  async tried(rules: string): Promise<string | undefined> {
    const { code, stderr } = await this.#nft(['-c', '-f', '-'], rules)
    return code === 0 ? undefined : (stderr.trim().split('\n')[0] ?? '')
  }

  /** A socket of netfilter's on which somebody listens, after a request. @returns undefined: it was refused */
  async listen(bytes: Uint8Array, hear: (bytes: Uint8Array | undefined) => void): Promise<NativeSocket | undefined> {
    const socket = await this.addon.open(this.#netns, netlinkProtocol.netfilter, [])
    if (transactionErrno(await this.addon.exchange(socket, bytes)) !== 0) {
      this.addon.close(socket)
      return undefined
    }
    this.addon.listen(socket, hear)
    return socket
  }

  /**
   * Whether the rules of a table are those of a text, whoever has edited it: what they do is compared, with what nft makes of the text for
   * a table that judges nothing, and is gone again.
   */
  async isWritten(table: string, rules: string): Promise<boolean> {
    const wanted = await this.compiled(table, rules)
    return wanted.length === 0 || textOf(await this.rulesOf(table)) === textOf(wanted)
  }

  /** What nft makes of a text. None: it refuses it, or others are about the same. */
  async compiled(table: string, rules: string): Promise<readonly ChainRule[]> {
    const made = compiled.get(rules) ?? (await this.#compile(table, rules))
    if (made.length > 0) compiled.set(rules, made)
    return made
  }

  async #compile(table: string, rules: string): Promise<readonly ChainRule[]> {
    const other = `${table}-check`
    const text = rules.replace(`table ${table} {`, `table ${other} {\n  flags dormant;`)
    await this.#nft(['-f', '-'], `table ${other}\ndelete table ${other}\n${text}`)
    const made = await this.rulesOf(other)
    await this.dropTable(other)
    return made
  }

  async rulesOf(table: string): Promise<readonly ChainRule[]> {
    const [of = '', name = ''] = table.split(' ')
    const bytes = encodeRulesDump(of as 'bridge' | 'inet' | 'netdev', name)
    const read = (answer: Uint8Array): Dump<ChainRule> => readRules(answer, name)
    return (await this.list('a list of rules', { of: 'netfilter', bytes, read, none: [errnos.ENOENT] })) ?? []
  }

  /** Of a table that is there, whoever has edited it. @returns as putRules */
  async mendRules(table: string, rules: string): Promise<string | undefined> {
    return (await this.isWritten(table, rules)) ? undefined : this.putRules(table, rules)
  }

  /**
   * Rules anew in one transaction, so that nothing passes meanwhile that would not have: sets keep what they have.
   *
   * @param isOurs whether a chain goes as well, by its name: one that others go on to cannot
   * @returns what nft says where it refuses them
   */
  async putRules(table: string, rules: string, isOurs: (chain: string) => boolean = () => true): Promise<string | undefined> {
    const { stdout } = await this.#nft(['list', 'table', ...table.split(' ')])
    const chains = [...stdout.matchAll(/^\tchain (\S+) {$/gm)].map(([, chain]) => chain!)
    const flushed = chains.filter(isOurs).map((chain) => `flush chain ${table} ${chain}`)
    const dropped = chains.every(isOurs) ? chains.map((chain) => `delete chain ${table} ${chain}`) : []
    const { code, stderr } = await this.#nft(['-f', '-'], [...flushed, ...dropped, rules].join('\n'))
    return code === 0 ? undefined : stderr.trim()
  }

  async dropTable(table: string): Promise<void> {
    await this.#nft(['delete', 'table', ...table.split(' ')])
  }

  #request({ of, bytes }: NodeKernelRequest): Promise<Buffer> {
    return this.addon.once(this.#netns, netlinkProtocol[of], bytes, undefined)
  }

  #nft(args: readonly string[], input = ''): Promise<Outcome> {
    return this.#netns === undefined
      ? run('nft', args, { input })
      : run('nsenter', [`--net=${this.#netns}`, '--', 'nft', ...args], { input })
  }
}

const textOf = (rules: readonly ChainRule[]): string => rules.map(({ chain, does }) => `${chain} ${does}`).join('\n')
