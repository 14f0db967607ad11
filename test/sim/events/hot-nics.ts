// NICs that a pod is given, or loses, while it runs: as admission judges the list, or past it.
import { hotNicsAnnotation } from '../../../core/kinds/annotations.ts'
import { refOf } from '../../../core/kinds/index.ts'
import { happeningKind } from '../happening.ts'
import { addresses, subnetNames } from '../layout.ts'

interface HotNicsChange {
  /** Of the pods that there are. */
  readonly nth: number
  readonly nics: readonly object[]
  readonly judged: boolean
}
/** No pod is made with NICs of these names, save one whose network its policy says. */
export const hotNicNames = ['hot', 'spare'] as const

export const changeHotNics = happeningKind<HotNicsChange>({
  name: 'change-hot-nics',
  fault: false,
  weight: 8,
  draw: (dice) => ({
    nth: dice.int(12),
    nics: hotNicNames
      .filter(() => dice.chance(0.4))
      .map((name) => ({ name, subnet: dice.mostly(subnetNames), ...(dice.chance(0.3) && { ip: dice.mostly(addresses) }) })),
    judged: dice.chance(0.8),
  }),
  run({ nth, nics, judged }, { outside, site: { truth } }) {
    const pods = [...truth.values('Pod')]
    const pod = pods[nth % Math.max(1, pods.length)]
    if (pod === undefined) return
    outside.spawn('change-hot-nics', () =>
      outside.edit(
        refOf(pod),
        `operator:${pod.metadata.namespace}`,
        (now) => {
          const annotations = { ...now.metadata.annotations, [hotNicsAnnotation]: JSON.stringify(nics) }
          return { ...now, metadata: { ...now.metadata, annotations } }
        },
        { judged },
      ),
    )
  },
})
