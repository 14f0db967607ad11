// Objects that have changed once, each with its Notice, as workers file them.
import type { Store, Write } from '../../../core/contracts/store.ts'
import { noticeOf } from '../../../core/plan/notify/notices.ts'

export async function fileNotices(
  store: Store,
  { count, url, namespace = 'many' }: { readonly count: number; readonly url: (i: number) => string; readonly namespace?: string },
): Promise<void> {
  const perCommit = 100
  for (let begin = 0; begin < count; begin += perCommit) {
    const made = await Promise.all(
      Array.from({ length: Math.min(perCommit, count - begin) }, (_, i) =>
        store.create({
          kind: 'Vpc',
          metadata: { namespace, name: `v${begin + i}` },
          spec: { provider: 'builtin', callbackURL: url(begin + i), sharedWith: padding },
        }),
      ),
    )
    const writes = made.flatMap((vpc): Write[] => {
      const status = { phase: 'ready' as const, sequence: 1 }
      const { name, uid } = vpc.metadata
      return [
        noticeOf({ ...vpc, status }, { namespace: 'megrez-system' }, Date.now())!,
        { do: 'patchStatus', ref: { kind: 'Vpc', namespace, name }, uid, sections: { report: status } },
      ]
    })
    await store.commit(writes)
  }
}
/** So that a body has about 930 bytes, as the floors were measured with. */
const padding = Array.from({ length: 20 }, (_, i) => `namespace-with-a-long-name-${i}`)
