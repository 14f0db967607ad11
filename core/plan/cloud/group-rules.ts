// A SecurityGroup's rules as a cloud has them: what is allowed, family by family, and nothing else. What the cloud has no rule for allows
// nothing there, and is told of.
import type { CloudRule } from '../../contracts/cloud.ts'
import type { Resource } from '../../kinds/index.ts'
import { parseCidr, printCidr } from '../../net/cidr.ts'
import type { CommonPeers, CommonRule } from '../../policy/one-form.ts'
import { ofSecurityGroup } from '../../policy/read/security-group.ts'

export interface GroupRules {
  readonly rules: readonly CloudRule[]
  /** What of it is not done there, each with its path. */
  readonly unable: readonly string[]
  /** SecurityGroups that its rules name (`namespace/name`), and that are not there yet. */
  readonly awaited: readonly string[]
}
export interface AtCloud {
  /** By `namespace/name` the ID of each SecurityGroup that rules name; undefined: it is not there yet. Of any other nobody is a member. */
  readonly remotes: ReadonlyMap<string, string | undefined>
  readonly cannot: (rule: CloudRule) => string | undefined
}

export function rulesAtCloud(group: Resource<'SecurityGroup'>, { remotes, cannot }: AtCloud): GroupRules {
  const { policy, problems } = ofSecurityGroup(group)
  const rules = new Map<string, CloudRule>()
  const unable = problems.map(({ path, message }) => `${path} ${message}`)
  for (const rule of policy?.rules ?? [])
    for (const each of plain(rule, remotes)) {
      const reason = cannot(each)
      if (reason === undefined) rules.set(ruleText(each), each)
      else unable.push(`${rule.source} ${reason}`)
    }
  const awaited = [...remotes].flatMap(([key, id]) => (id === undefined ? [key] : []))
  return { rules: [...rules.values()], unable: [...new Set(unable)], awaited }
}

/** In an order of its own: the same for all that say the same. */
export const ruleText = ({ direction, family, protocol = -1, first = -1, last = -1, block = '', group = '' }: CloudRule): string =>
  [direction, family, protocol, first, last, block, group].join(' ')

export function sameRules(a: readonly CloudRule[], b: readonly CloudRule[]): boolean {
  const [one, other] = [new Set(a.map(ruleText)), new Set(b.map(ruleText))]
  return one.size === other.size && [...one].every((text) => other.has(text))
}

const families = [4, 6] as const
const portsMost = 65_535

function plain(rule: CommonRule, remotes: AtCloud['remotes']): readonly CloudRule[] {
  const transports = (rule.transport ?? [undefined]).map(transportOf)
  return (rule.families ?? families).flatMap((family) =>
    transports.flatMap((transport) =>
      remotesOf(rule.peers, remotes).map((remote) => ({ direction: rule.direction, family, ...transport, ...remote })),
    ),
  )
}

type Transport = Pick<CloudRule, 'protocol' | 'first' | 'last'>

/** Rules of a SecurityGroup name no ports of containers. */
function transportOf(match: NonNullable<CommonRule['transport']>[number] | undefined): Transport {
  if (match === undefined || 'named' in match) return {}
  const { protocol, icmpType, icmpCode } = match
  const [first, last] = match.first === 0 && match.last === portsMost ? [] : [match.first ?? icmpType, match.last ?? icmpCode]
  return { protocol, ...(first !== undefined && { first }), ...(last !== undefined && { last }) }
}

function remotesOf(peers: CommonPeers | undefined, remotes: AtCloud['remotes']): readonly Pick<CloudRule, 'block' | 'group'>[] {
  if (peers === undefined) return [{}]
  const blocks = peers.blocks.flatMap((text) => {
    const block = parseCidr(text)
    if (block === undefined) return []
    return block.length === 0 ? {} : { block: printCidr(block) }
  })
  const groups = peers.selections.flatMap(({ group: key = '' }) => remotes.get(key) ?? [])
  return [...blocks, ...groups.map((group) => ({ group }))]
}
