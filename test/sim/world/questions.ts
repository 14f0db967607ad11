// Once a case is at rest nodes are asked of the Ports that there are: then every agent that runs must answer, and whatever changes on a
// machine has changed by that.
import type { SpecOf } from '../../../core/kinds/index.ts'
import { inquiriesMax, topics } from '../../../core/kinds/node/inquiry.ts'
import type { World } from '../happening.ts'
import { addresses, hostile, namespaces, nodeNames } from '../layout.ts'

/** Of a namespace. */
const portsMost = 4
const ttlSeconds = 60
/** A webhook has heard of the one before by then. */
const floodEveryMs = 200
const floodTimes = inquiriesMax + 4

/** @param refused called where what everybody may ask is refused */
export function askNodes({ site, outside }: Pick<World, 'site' | 'outside'>, refused: (what: string) => void): void {
  const { truth, scheduler } = site
  const dice = site.dice.fork('questions')
  const make = (namespace: string, name: string, spec: SpecOf<'Inquiry'>): ReturnType<typeof outside.create> =>
    outside.create({ kind: 'Inquiry', metadata: { namespace, name }, spec: { ...spec, ttlSeconds } }, `operator:${namespace}`)
  const ask = (namespace: string, name: string, spec: SpecOf<'Inquiry'>): void =>
    make(namespace, name, spec).then(
      (answer) => !answer.ok && refused(`Inquiry ${namespace}/${name} is refused, though nothing is wrong any more: ${answer.why}`),
      (err: unknown) => site.crash('outside', 'ask', err),
    ) as unknown as void
  const isThere = (name: string): boolean => {
    const namespace = truth.at('Namespace', name)
    return namespace !== undefined && namespace.metadata.deletionTimestamp === undefined
  }
  for (const namespace of namespaces.filter(isThere)) {
    ask(namespace, 'last', { about: 'wiring', node: dice.pick(nodeNames) })
    const ports = [...truth.values('Port')].filter(({ metadata }) => metadata.namespace === namespace).slice(0, portsMost)
    const known = ports.flatMap(({ status }) => status?.addresses ?? [])
    for (const [i, { metadata }] of ports.entries()) {
      const about = dice.pick(topics)
      ask(namespace, `last-${i}`, {
        about,
        port: metadata.name,
        ...(about === 'trace' && { packet: { to: dice.pick([...known, addresses[0]]) } }),
        ...(about === 'capture' && { capture: { seconds: 1 } }),
      })
    }
  }
  if (dice.chance(0.1))
    for (let i = 0; i < floodTimes; i++)
      scheduler.after(i * floodEveryMs, 'one of many asks', () => {
        make(hostile, `flood-${i}`, { about: 'wiring', node: nodeNames[0] }).catch((err: unknown) => site.crash('outside', 'flood', err))
      })
}
