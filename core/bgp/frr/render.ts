// A speaker as configuration of FRR's bgpd (8.4, "BGP", "Route Maps"). It carries one group: a second one would need a VRF of the kernel.
import { encloses, parseCidr } from '../../net/cidr.ts'
import { chosenSessions, type ChosenSession } from '../chosen.ts'
import type { LeftOut, Rendered, Surroundings } from '../renderer.ts'
import { families, familyOf, outsideMark } from '../safety.ts'
import type { Family, SpeakerGroup, SpeakerSpec } from '../speaker.ts'
import { startAfterLines } from '../start-after.ts'
import { validate } from '../validity.ts'
import {
  commonLists,
  exportMap,
  importMap,
  kernelMap,
  kernelMapName,
  leavingMap,
  leavingMapName,
  mapName,
  outsideList,
  shutdownList,
} from './maps.ts'

const indented = (lines: readonly string[]): readonly string[] => lines.map((line) => ` ${line}`)

export function render(speaker: SpeakerSpec, around: Surroundings): Rendered {
  validate(speaker)
  const [group, ...others] = speaker.groups.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const tooMany = others.map(({ name }): LeftOut => ({
    at: `/spec/groups/${speaker.groups.findIndex((each) => each.name === name)}`,
    reason: `${name}: FRR carries one group of a node, and that is ${group!.name}`,
  }))
  if (group === undefined) return { text: '', leftOut: [] }
  const { sessions, leftOut } = chosenSessions({ ...speaker, groups: [group] }, around)
  const index = speaker.groups.indexOf(group)
  const ofGroup = leftOut.map(({ at, reason }) => ({ at: at.replace('/spec/groups/0', `/spec/groups/${index}`), reason }))
  const lines = [
    ...startAfterLines('!', { ...speaker, groups: [group] }, around),
    // Seconds until a changed map is looked through; 0 would be never.
    'bgp route-map delay-timer 1',
    `bgp large-community-list standard ${outsideList} seq 5 permit ${group.as}:${outsideMark}:1`,
    `bgp community-list standard ${shutdownList} seq 5 permit 65535:0`,
    ...leavingMap,
    ...families.flatMap((family) => [...commonLists(group, family), ...kernelMap(group, family)]),
    ...sessions.flatMap(({ session, families: carried }) =>
      carried.flatMap((family) => [...importMap(group, session, family), ...exportMap(group, session, family)]),
    ),
    ...routerLines(group, sessions, around),
  ]
  return { text: `${lines.join('\n')}\n`, leftOut: [...ofGroup, ...tooMany] }
}

function routerLines(group: SpeakerGroup, sessions: readonly ChosenSession[], around: Surroundings): readonly string[] {
  const seconds = group.gracefulRestartSeconds
  const clusterID = group.sessions.find((session) => session.clusterID !== undefined)?.clusterID
  return [
    `router bgp ${group.as}`,
    ...indented([
      `bgp router-id ${group.routerID}`,
      ...(clusterID === undefined ? [] : [`bgp cluster-id ${clusterID}`]),
      'no bgp default ipv4-unicast',
      'no bgp network import-check',
      'bgp bestpath as-path multipath-relax',
      // Else the end of what it announces after a restart comes a second before the routes.
      'coalesce-time 0',
      ...(seconds === undefined
        ? []
        : // After a start all neighbours are heard out before any is told: what they have from us would go otherwise.
          [
            'bgp graceful-restart',
            'update-delay 10',
            `bgp graceful-restart restart-time ${seconds}`,
            'bgp graceful-restart preserve-fw-state',
          ]),
      ...sessions.flatMap(neighbourLines),
      ...families.flatMap((family) => [
        `address-family ${family} unicast`,
        ...indented([
          ...new Set(networks(group, family, around)),
          `table-map ${kernelMapName(group, family)}`,
          `maximum-paths ${group.maximumPaths}`,
          `maximum-paths ibgp ${group.maximumPaths}`,
          ...sessions.filter((each) => each.families.includes(family)).flatMap((each) => familyLines(each, family)),
        ]),
        'exit-address-family',
      ]),
    ]),
    'exit',
  ]
}

/** Blocks, and of what is advertised by host routes those that are here: bgpd reads no table of that number. */
function networks({ advertise, table }: SpeakerGroup, family: Family, around: Surroundings): readonly string[] {
  const isOurs = (each: string): boolean => familyOf(each) === family
  const [here, leaving] = [around.hostRoutes(table).filter(isOurs), around.leavingRoutes(table).filter(isOurs)]
  return advertise
    .filter(({ cidr }) => familyOf(cidr) === family)
    .flatMap(({ cidr, hostRoutes }) => {
      if (!hostRoutes) return [`network ${cidr}`]
      const inside = (each: string): boolean => encloses(parseCidr(cidr)!, parseCidr(each)!)
      return [
        ...here.filter(inside).map((each) => `network ${each}`),
        ...leaving.filter(inside).map((each) => `network ${each} route-map ${leavingMapName}`),
      ]
    })
}

function neighbourLines({ group, session, local, password }: ChosenSession): readonly string[] {
  const { address, bfd, holdSeconds, keepaliveSeconds, connectRetrySeconds, multihop } = session
  const says: readonly (string | undefined)[] = [
    `remote-as ${session.as}`,
    session.l4Port === undefined ? undefined : `port ${session.l4Port}`,
    password === undefined ? undefined : `password ${password}`,
    `update-source ${local}`,
    multihop === undefined || session.as === group.as ? undefined : `ebgp-multihop ${multihop}`,
    bfd === undefined ? undefined : `bfd ${bfd.multiplier} ${bfd.intervalMilliseconds} ${bfd.intervalMilliseconds}`,
    `timers ${keepaliveSeconds} ${holdSeconds}`,
    `timers connect ${connectRetrySeconds}`,
    // Else what changes waits for half a minute (RFC 4271 section 9.2.1.1).
    'advertisement-interval 0',
    familyOf(address) === 'ipv6' && session.addressFamilies.includes('ipv4') ? 'capability extended-nexthop' : undefined,
  ]
  return says.filter((each) => each !== undefined).map((each) => `neighbor ${address} ${each}`)
}

function familyLines({ group, session }: ChosenSession, family: Family): readonly string[] {
  const most = session.maximumPrefixes?.[family]
  const says = [
    'activate',
    'next-hop-self',
    ...(session.rrClient === true ? ['route-reflector-client'] : []),
    `route-map ${mapName(group, session, 'in', family)} in`,
    `route-map ${mapName(group, session, 'out', family)} out`,
    ...(most === undefined ? [] : [`maximum-prefix ${most}`]),
  ]
  return says.map((each) => `neighbor ${session.address} ${each}`)
}
