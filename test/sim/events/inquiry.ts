// Nodes are asked: of one's own Ports, of those of others, of Ports that are not there; once, or as often as one may and more. Some take
// their Inquiries back, some read those of others, and some answer by themselves.
import type { Resource, SpecOf } from '../../../core/kinds/index.ts'
import { inquiriesMax, topics } from '../../../core/kinds/node/inquiry.ts'
import { happeningKind, type World } from '../happening.ts'
import { talk } from './talk.ts'
import { addresses, hostile, inquiryNames, namespaces, nodeNames, portNames } from '../layout.ts'

interface Named {
  readonly namespace: string
  readonly name: string
}
interface InquiryRequest extends Named {
  readonly rest: boolean
  readonly about: (typeof topics)[number]
  /** The node is named in place of the Port. */
  readonly byNode: boolean
  /** Whose Port is named, and which of them: the asker may know its name from wherever. */
  readonly of: string
  readonly nth: number
  readonly ttlSeconds: number
  /** So many at once, each by a name of its own. */
  readonly times: number
}

/** Longest: all are over before the time that a case has to come to rest. */
const ttlLongest = 120
/** An asker waits so often for a Port that is on a node, and then asks of whatever there is. */
const waits = 10
const waitMs = 2_000

export const ask = happeningKind<InquiryRequest>({
  name: 'ask',
  fault: false,
  weight: 14,
  draw(dice) {
    const namespace = dice.mostly(namespaces)
    const about = dice.pick(topics)
    return {
      namespace,
      name: dice.pick(inquiryNames),
      rest: dice.chance(0.3),
      about,
      byNode: about === 'wiring' && dice.chance(0.6),
      of: dice.chance(0.8) ? namespace : dice.pick(namespaces),
      nth: dice.int(6),
      ttlSeconds: dice.between(10, ttlLongest),
      times: dice.chance(0.04) ? inquiriesMax + 4 : 1,
    }
  },
  run(asked, world) {
    const { outside, site } = world
    const { namespace, name, rest, times } = asked
    const go = (left: number): void => {
      const port = portOf(asked, site)
      if (port?.spec.node === undefined && left > 0) return void site.scheduler.after(waitMs, 'who asks looks again', () => go(left - 1))
      const spec = specOf(asked, port, site)
      if (asked.about === 'capture') talk.run({ from: namespace, to: namespace, times: 8, everyMs: 250 }, world)
      for (let time = 0; time < times; time++)
        outside.spawn('ask', () =>
          outside.create(
            { kind: 'Inquiry', metadata: { namespace, name: time === 0 ? name : `${name}-${time}` }, spec },
            `operator:${namespace}`,
            { rest },
          ),
        )
    }
    go(waits)
  },
})

/** Rather one that is on a node. */
function portOf({ of, nth }: InquiryRequest, { truth }: World['site']): Resource<'Port'> | undefined {
  const all = [...truth.values('Port')].filter(({ metadata }) => metadata.namespace === of)
  const placed = all.filter(({ spec }) => spec.node !== undefined)
  const from = placed.length > 0 ? placed : all
  return from[nth % Math.max(1, from.length)]
}

function specOf(
  { about, byNode, nth, ttlSeconds }: InquiryRequest,
  port: Resource<'Port'> | undefined,
  { truth }: World['site'],
): SpecOf<'Inquiry'> {
  if (byNode) return { about, ttlSeconds, node: port?.spec.node ?? nodeNames[nth % nodeNames.length]! }
  return {
    about,
    ttlSeconds,
    port: port?.metadata.name ?? portNames[0],
    ...(about === 'trace' && {
      packet: packetTo(
        [...truth.values('Port')].flatMap(({ status }) => status?.addresses ?? []),
        nth,
      ),
    }),
    // Each second is fifty looks.
    ...(about === 'capture' && { capture: { packets: 1 + nth, seconds: 1 + (nth % 3) } }),
  }
}

/** To anybody's address, and now and then from somebody else's. */
function packetTo(known: readonly string[], nth: number): NonNullable<SpecOf<'Inquiry'>['packet']> {
  const to = known[(nth * 7) % Math.max(1, known.length)] ?? addresses[0]
  const from = known.find((each) => each !== to && each.includes(':') === to.includes(':'))
  return { to, ...(from !== undefined && nth % 3 === 0 && { from }) }
}

export const takeBack = happeningKind<Named & { readonly rest: boolean }>({
  name: 'take-back',
  fault: false,
  weight: 3,
  draw: (dice) => ({ namespace: dice.mostly(namespaces), name: dice.pick(inquiryNames), rest: dice.chance(0.3) }),
  run: ({ namespace, name, rest }, { outside }) =>
    outside.spawn('take-back', () => outside.remove({ kind: 'Inquiry', namespace, name }, `operator:${namespace}`, { rest })),
})

/** More than anybody may ask for. */
const tooLarge = {
  'too-many-packets': { about: 'capture', port: portNames[0], capture: { packets: 100_000 } },
  'too-long': { about: 'capture', port: portNames[0], capture: { seconds: 86_400 } },
  'for-ever': { about: 'wiring', node: nodeNames[0], ttlSeconds: 864_000 },
  'to-everybody': { about: 'trace', port: portNames[0], packet: { to: '255.255.255.255' } },
} as const satisfies Readonly<Record<string, SpecOf<'Inquiry'>>>
const largeNames = Object.keys(tooLarge) as (keyof typeof tooLarge)[]

/** What nobody may: ask in a namespace that is not his, read an answer where he may only look, ask for too much. */
export const askAsStranger = happeningKind<Named & { readonly does: 'ask' | 'look' | keyof typeof tooLarge }>({
  name: 'ask-as-stranger',
  fault: false,
  weight: 2,
  draw: (dice) => ({
    namespace: dice.pick(['a', 'b']),
    name: dice.pick(inquiryNames),
    does: dice.pick(['ask', 'look', ...largeNames] as const),
  }),
  run({ namespace, name, does }, { outside }) {
    const make = (spec: SpecOf<'Inquiry'>, by: string, rest: boolean): ReturnType<typeof outside.create> =>
      outside.create({ kind: 'Inquiry', metadata: { namespace, name: `${name}-${hostile}` }, spec }, by, { rest })
    outside.forbidden(`${does} by Inquiry ${namespace}/${name}`, () => {
      if (does === 'look') return outside.read({ kind: 'Inquiry', namespace, name }, `viewer:${namespace}`)
      return does === 'ask'
        ? make({ about: 'wiring', node: nodeNames[0] }, `operator:${hostile}`, true)
        : make(tooLarge[does], `operator:${namespace}`, false)
    })
  },
})

/** Of his own Inquiry: which node is to answer, and what it is to have answered. That is taken for nobody's word. */
export const forgeAnswer = happeningKind<{ readonly name: string; readonly node: string; readonly answers: boolean }>({
  name: 'forge-answer',
  fault: false,
  weight: 2,
  draw: (dice) => ({ name: dice.pick(inquiryNames), node: dice.pick(nodeNames), answers: dice.chance(0.5) }),
  run({ name, node, answers }, { outside }) {
    const answer = { time: '2026-01-01T00:00:00Z', outcome: 'answered', dataplane: 'forged' } as const
    outside.spawn('forge-answer', () =>
      outside.edit(
        { kind: 'Inquiry', namespace: hostile, name },
        `operator:${hostile}`,
        (item) => ({ ...item, status: { ...item.status, node, ...(answers && { answer }) } }),
        { rest: true },
      ),
    )
  },
})
