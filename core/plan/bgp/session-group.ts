// What is reported of a BGPSessionGroup, and its end: it stays until no speaker says what it told them.
import type { Resource, StatusOf } from '../../kinds/index.ts'
import { firstAndMore, inPlace, refused, type Plan } from '../plan.ts'
import { lockedAs, rivalOf, wantedOf, type Refused, type WantedPrefix } from './advertised.ts'
import { addressesOf, speaksIn, tableHolder, whyNotVpc, type BGPNet, type SessionGroup } from './net.ts'
import { sessionsOf } from './sessions.ts'

type SpeakingNode = NonNullable<StatusOf<'BGPSessionGroup'>['nodes']>[number]
export interface SessionGroupDesired {
  readonly group: SessionGroup
  readonly nodes: readonly Resource<'Node'>[]
  readonly speakers: readonly Resource<'BGPSpeaker'>[]
  readonly net: BGPNet
}

/** A full mesh of a thousand nodes has a million ends of sessions: an object has room for some kilobytes (etcd: 1.5 MB at most). */
const sessionsMost = 512

export function planSessionGroup(desired: SessionGroupDesired): Plan<never> {
  const { group, speakers, net } = desired
  const { name, deletionTimestamp } = group.metadata
  if (deletionTimestamp !== undefined) return planEnd(name, speakers)
  const holder = tableHolder(group, net.groups)
  if (holder !== undefined)
    return refused(
      'TableTaken',
      `BGPSessionGroup ${holder.metadata.name} has the route table that follows from this name too: choose another name`,
    )
  const ours = desired.nodes.filter((node) => speaksIn(group, node)).sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))
  const nodes = ours.map((node) => nodeOf(node, desired, ours))
  const refusals = [...wantedOf(group, net).refused, ...takenFrom(desired), ...importsRefused(desired)]
  const counts = countsOf(nodes)
  return {
    ...inPlace('InPlace', `${counts.established} of ${counts.configured} sessions are established, on ${nodes.length} nodes`),
    conditions: [advertisedCondition(refusals)],
    sections: { sessions: { nodes: shortened(nodes), ...counts, ...(refusals.length > 0 && { refused: refusals }) } },
  }
}

function planEnd(name: string, speakers: readonly Resource<'BGPSpeaker'>[]): Plan<never> {
  const still = speakers.filter(({ spec }) => spec.groups.some((each) => each.name === name)).map(({ metadata }) => metadata.name)
  if (still.length === 0) return { steps: [], phase: 'deleted', reason: 'Unused', message: 'no node speaks in it' }
  return {
    steps: [],
    phase: 'terminating',
    reason: 'InUse',
    message: `${firstAndMore(`BGPSpeaker ${still[0]!}`, still.length - 1)} still speak in it`,
  }
}

function advertisedCondition([first, ...others]: readonly Refused[]) {
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`
  return first === undefined
    ? ({ type: 'Accepted', status: 'True', reason: 'AllOfIt', message: 'all that is asked for is done' } as const)
    : ({ type: 'Accepted', status: 'False', reason: 'NotAllOfIt', message: `${first.what}: ${first.message}${more}` } as const)
}

/** Prefixes that somebody else has. */
function takenFrom({ group, net }: SessionGroupDesired): readonly Refused[] {
  return wantedOf(group, net).prefixes.flatMap((prefix: WantedPrefix) => {
    if (lockedAs(prefix, net) !== undefined) return []
    const rival = rivalOf(prefix, net.prefixLock(prefix.bucket)?.spec.prefixes ?? [])
    if (rival === undefined) return []
    const { namespace = '', name } = prefix.subnet.metadata
    const leaves = rival.leaving === undefined ? '' : ', which is leaving'
    return [{ what: `Subnet ${namespace}/${name}`, message: `${prefix.cidr} overlaps ${rival.cidr} of Subnet ${rival.subnet}${leaves}` }]
  })
}

const importsRefused = ({ group, net }: SessionGroupDesired): readonly Refused[] =>
  (group.spec.imports ?? []).flatMap(({ vpc }) => {
    const message = whyNotVpc(vpc, net.vpc(vpc), group)
    return message === undefined ? [] : [{ what: `Vpc ${vpc}`, message }]
  })

function nodeOf(node: Resource<'Node'>, { group, speakers }: SessionGroupDesired, ours: readonly Resource<'Node'>[]): SpeakingNode {
  const { name } = node.metadata
  const speaker = speakers.find(({ spec }) => spec.node === name)
  const own = addressesOf(node)
  const mine = speaker?.spec.groups.find((each) => each.name === group.metadata.name)
  const [problem] = [
    ...(own.ipv4 === undefined && own.ipv6 === undefined ? ['the Node has no InternalIP'] : []),
    ...sessionsOf(group, node, ours).problems,
    ...daemonProblems(speaker),
  ]
  return {
    node: name,
    addresses: speaker?.status?.addresses ?? [own.ipv4, own.ipv6].flatMap((each) => each ?? []),
    ...(problem !== undefined && { problem }),
    sessions: (mine?.sessions ?? []).map(({ name: session, address }) => {
      const latest = speaker?.status?.sessions?.find((each) => each.group === group.metadata.name && each.session === session)
      const { group: _, session: __, ...state } = latest ?? { address, state: 'idle' as const, group: '', session: '' }
      return { ...state, name: session }
    }),
  }
}

function daemonProblems(speaker: Resource<'BGPSpeaker'> | undefined): readonly string[] {
  const daemon = speaker?.status?.daemon
  if (daemon === undefined) return ['its agent has not said anything of a BGP daemon']
  if (daemon.problem !== undefined) return [daemon.problem]
  return daemon.state === 'running' ? [] : [`its BGP daemon is ${daemon.state}`]
}

const isUp = ({ state }: SpeakingNode['sessions'][number]): boolean => state === 'established'

function countsOf(nodes: readonly SpeakingNode[]): { readonly established: number; readonly configured: number } {
  const all = nodes.flatMap(({ sessions }) => sessions)
  return { established: all.filter(isUp).length, configured: all.length }
}

/** Nodes with a session that is down, or with a problem, first. */
function shortened(nodes: readonly SpeakingNode[]): readonly SpeakingNode[] {
  const isWell = ({ problem, sessions }: SpeakingNode): boolean => problem === undefined && sessions.every(isUp)
  const ordered = [...nodes.filter((node) => !isWell(node)), ...nodes.filter(isWell)]
  let room = sessionsMost
  const fitting = ordered.filter(({ sessions }) => {
    room -= 1 + sessions.length
    return room >= 0
  })
  return fitting.sort((a, b) => (a.node < b.node ? -1 : 1))
}
