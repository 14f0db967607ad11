// Packets that rules log, as the kernel tells of them: an interface by its index and a treatment by its number, which the table's elements
// have the rule of.
import type { LoggedPacket } from '../../../core/node/logged-packet.ts'
import type { PolicyRuleOwner } from '../../../core/kinds/policy/peer-decision.ts'
import { encodeLogBind, readLogged, type TappedPacket } from '../../../core/wire/nft/log.ts'
import { isDecision, type PolicyElement } from '../../../core/wire/nft/policies.ts'
import { marks } from '../../../core/node/frame-marks.ts'
import { readPacketHead } from '../../../core/wire/packet-head.ts'
import type { Link } from '../../../core/wire/netlink/link.ts'
import type { NativeSocket } from '../../native/addon.ts'
import type { NodeKernel } from './node-kernel.ts'
import { loggingIn } from './policy-elements.ts'
import { logGroup, snapBytes } from './policy-ruleset.ts'

export interface RuleLogDeps {
  readonly home: NodeKernel
  readonly judged: () => Promise<readonly PolicyElement[]>
  readonly links: () => Promise<readonly Pick<Link, 'index' | 'ifname'>[]>
}

type TakeLogged = (packet: LoggedPacket) => void
interface LoggingRule {
  readonly vni: number
  readonly by: PolicyRuleOwner
}

export class LinuxRuleLog {
  readonly #deps: RuleLogDeps
  readonly #take: TakeLogged
  #socket: NativeSocket | undefined
  #ifnames = new Map<number, string>()
  /** By interface and treatment, whose number says what it is: a rule that is known stays right. */
  #rules = new Map<string, LoggingRule>()
  #reading: Promise<void> | undefined

  constructor(deps: RuleLogDeps, take: TakeLogged) {
    this.#deps = deps
    this.#take = take
  }

  /** Where somebody else has the group, an agent of before that is about to end, it is asked for again when this is called again. */
  async open(): Promise<void> {
    this.#socket ??= await this.#deps.home.listen(encodeLogBind(logGroup, snapBytes), (bytes) => {
      for (const each of bytes === undefined ? [] : readLogged(bytes)) void this.#hear(each)
    })
  }

  close(): void {
    if (this.#socket !== undefined) this.#deps.home.addon.close(this.#socket)
    this.#socket = undefined
  }

  /** What was logged by a rule that is gone again is not told. */
  async #hear(packet: TappedPacket): Promise<void> {
    const head = readPacketHead(withEther(packet))
    if (head === undefined) return
    // The list is taken once for all that come meanwhile: the kernel tells of few a second.
    if (this.#ruleOf(packet) === undefined) await (this.#reading ??= this.#read().finally(() => (this.#reading = undefined)))
    const known = this.#ruleOf(packet)
    if (known !== undefined) this.#take({ ...known, head, direction: packet.way === 'out' ? 'egress' : 'ingress' })
  }

  #ruleOf({ index, mark }: TappedPacket): (LoggingRule & { readonly ifcName: string }) | undefined {
    const ifcName = this.#ifnames.get(index)
    const rule = this.#rules.get(`${ifcName} ${mark & marks.treatment}`)
    return ifcName === undefined || rule === undefined ? undefined : { ...rule, ifcName }
  }

  async #read(): Promise<void> {
    const [elements, links] = await Promise.all([this.#deps.judged(), this.#deps.links()]).catch(() => [[], []] as const)
    const networks = new Map(elements.flatMap((each) => (each.of === 'network' ? [[each.ifname, each.vni] as const] : [])))
    this.#ifnames = new Map(links.map(({ index, ifname }) => [index, ifname]))
    this.#rules = new Map(
      elements.flatMap((each) => {
        const [by, vni] = isDecision(each) ? [loggingIn(each), networks.get(each.ifname)] : []
        return isDecision(each) && by !== undefined && vni !== undefined
          ? [[`${each.ifname} ${each.mark & marks.treatment}`, { vni, by }] as const]
          : []
      }),
    )
  }
}

/** As a frame is, of which nobody asks for the MACs. */
const withEther = ({ etherType, payload }: TappedPacket): Uint8Array =>
  Uint8Array.of(...new Uint8Array(12), etherType >> 8, etherType & 255, ...payload)
