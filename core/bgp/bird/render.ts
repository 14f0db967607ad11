// A speaker as configuration of BIRD 2 (2.0.12, "User's Guide").
import { chosenSessions, type ChosenSession } from '../chosen.ts'
import { groupWord, sessionWord } from '../names.ts'
import type { Rendered, Surroundings } from '../renderer.ts'
import { families, familyOf } from '../safety.ts'
import type { Family, SpeakerGroup, SpeakerSpec } from '../speaker.ts'
import { startAfterLines } from '../start-after.ts'
import { validate } from '../validity.ts'
import { exportLines, importLines, kernelLines, learnLines } from './filters.ts'

/** Where next hops are looked up: links and the node's own routes through gateways. The kernel's main table is never opened. */
const underlay: Readonly<Record<Family, string>> = { ipv4: 'm_underlay4', ipv6: 'm_underlay6' }
const tableOf = ({ name }: SpeakerGroup, family: Family): string => `${groupWord(name)}_${family}`

const block = (head: string, lines: readonly string[], end = '}'): readonly string[] => [
  `${head} {`,
  ...lines.map((line) => `  ${line}`),
  end,
]

/** Seconds after an error until a session is tried again; BIRD waits for a minute where it is not told. */
const errorWait = 'error wait time 1,5;'

export function render(speaker: SpeakerSpec, around: Surroundings): Rendered {
  validate(speaker)
  const { sessions, leftOut } = chosenSessions(speaker, around)
  const [first] = speaker.groups
  const wait = Math.max(0, ...speaker.groups.map(({ gracefulRestartSeconds = 0 }) => gracefulRestartSeconds))
  const lines = [
    ...startAfterLines('#', speaker, around),
    'log stderr { warning, error, fatal, bug, auth };',
    `router id ${first?.routerID ?? '0.0.0.1'};`,
    'timeformat protocol "%Y-%m-%dT%H:%M:%SZ";',
    ...(wait > 0 ? [`graceful restart wait ${wait};`] : []),
    ...block('protocol device m_devices', ['scan time 5;']),
    ...(sessions.some(({ session }) => session.bfd !== undefined) ? ['protocol bfd m_bfd { }'] : []),
    ...(sessions.length > 0 ? underlayLines(around) : []),
    ...speaker.groups.flatMap(groupLines),
    ...sessions.flatMap(sessionLines),
  ]
  return { text: `${lines.join('\n')}\n`, leftOut }
}

const underlayLines = ({ underlay: routes }: Surroundings): readonly string[] => [
  ...families.map((family) => `${family} table ${underlay[family]};`),
  ...block(
    'protocol direct m_links',
    families.map((family) => `${family} { table ${underlay[family]}; };`),
  ),
  ...families.flatMap((family) => {
    const through = routes.filter(({ prefix, via }) => familyOf(prefix) === family && familyOf(via) === family)
    return block(`protocol static ${underlay[family]}_routes`, [
      `${family} { table ${underlay[family]}; };`,
      ...through.map(({ prefix, via }) => `route ${prefix} via ${via};`),
    ])
  }),
]

function groupLines(group: SpeakerGroup): readonly string[] {
  const { name, table, maximumPaths, advertise } = group
  return families.flatMap((family) => {
    const own = tableOf(group, family)
    const blocks = advertise.filter(({ cidr, hostRoutes }) => !hostRoutes && familyOf(cidr) === family)
    return [
      `${family} table ${own};`,
      ...block(`protocol kernel ${groupWord(name)}_kernel_${family}`, [
        `kernel table ${table};`,
        'scan time 10;',
        'learn;',
        // Else a restarted daemon clears the table before its sessions are up again.
        'graceful restart on;',
        ...(maximumPaths > 1 ? [`merge paths on limit ${maximumPaths};`] : []),
        // A Port that is here is here, also while the node that it was on still says that it has it.
        ...block(
          family,
          [
            `table ${own};`,
            'preference 250;',
            ...block('import filter', learnLines(group, family), '};'),
            ...block('export filter', kernelLines(group, family), '};'),
          ],
          '};',
        ),
      ]),
      ...block(`protocol static ${groupWord(name)}_blocks_${family}`, [
        `${family} { table ${own}; };`,
        ...blocks.map(({ cidr }) => `route ${cidr} blackhole;`),
      ]),
    ]
  })
}

function sessionLines(chosen: ChosenSession): readonly string[] {
  const { group, session, local, password } = chosen
  const { address, bfd, rrClient, clusterID } = session
  const gracefully = group.gracefulRestartSeconds
  return block(`protocol bgp ${sessionWord(group.name, session.name)}`, [
    `router id ${group.routerID};`,
    `local ${local} as ${group.as};`,
    `neighbor ${address}${session.l4Port === undefined ? '' : ` port ${session.l4Port}`} as ${session.as};`,
    `${reach(chosen)};`,
    `hold time ${session.holdSeconds};`,
    `keepalive time ${session.keepaliveSeconds};`,
    `connect retry time ${session.connectRetrySeconds};`,
    'connect delay time 1;',
    errorWait,
    ...(password === undefined ? [] : [`password "${password}";`]),
    ...(bfd === undefined ? [] : bfdLines(bfd, !session.external && gracefully !== undefined)),
    ...(rrClient === true ? ['rr client;'] : []),
    ...(clusterID === undefined ? [] : [`rr cluster id ${clusterID};`]),
    ...(gracefully === undefined ? ['graceful restart aware;'] : ['graceful restart on;', `graceful restart time ${gracefully};`]),
    ...chosen.families.flatMap((family) => channelLines(chosen, family)),
  ])
}

/**
 * A daemon that is killed is silent as a node that is lost (RFC 5882 section 4.3). Between nodes of ours the one that asked for graceful
 * restart keeps the routes; of a gateway they go at once. A link that is lost for a moment is such a silence too, as where the node's
 * address is on a bridge of an Open vSwitch that starts anew: BFD judges it, and not the link, which would close the session at once.
 */
const bfdLines = (
  { intervalMilliseconds: ms, multiplier }: NonNullable<ChosenSession['session']['bfd']>,
  gracefully: boolean,
): string[] => [
  `bfd { ${gracefully ? 'graceful; ' : ''}min rx interval ${ms} ms; min tx interval ${ms} ms; multiplier ${multiplier}; };`,
  ...(gracefully ? ['check link no;'] : []),
]

/** From its neighbour alone come next hops, and they are on the link. */
const isDirect = ({ group, session }: Pick<ChosenSession, 'group' | 'session'>): boolean =>
  session.as !== group.as && session.multihop === undefined

function reach({ group, session, onLink }: ChosenSession): string {
  if (session.as === group.as) return onLink ? 'direct' : 'multihop'
  return session.multihop === undefined ? 'direct' : `multihop ${session.multihop}`
}

function channelLines({ group, session }: ChosenSession, family: Family): readonly string[] {
  const most = session.maximumPrefixes?.[family]
  const isForeign = family !== familyOf(session.address)
  const nextHops = isForeign && family === 'ipv4' ? families : [family]
  return block(
    family,
    [
      `table ${tableOf(group, family)};`,
      // Of a session that is not on a link, and of what a reflector passes on, the next hop is looked up.
      ...(isDirect({ group, session }) ? [] : [...nextHops.map((each) => `igp table ${underlay[each]};`), 'gateway recursive;']),
      'next hop self ebgp;',
      ...(isForeign && family === 'ipv6' ? [`next hop address ${group.addresses.ipv6!};`] : []),
      ...(isForeign && family === 'ipv4' ? ['extended next hop on;'] : []),
      ...(most === undefined ? [] : [`import limit ${most} action disable;`]),
      ...block('import filter', importLines(group, session, family), '};'),
      ...block('export filter', exportLines(group, session, family), '};'),
    ],
    '};',
  )
}
