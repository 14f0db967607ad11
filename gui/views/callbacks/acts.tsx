// What one does to a Subscription: send a test, tell again what was told, pause. Each asks first.
import { useState } from 'preact/hooks'
import { client, patch, read, taken, type WriteAnswer } from '../../contract/api.ts'
import type { Item } from '../../contract/kinds.ts'
import { may } from '../../contract/session.ts'
import { Confirm } from '../../parts/confirm.tsx'

type Act = 'test' | 'replay' | 'pause'
const done: WriteAnswer = { item: undefined, warnings: [] }

export function Acts({ subscription }: { readonly subscription: Item<'Subscription'> }) {
  const [act, setAct] = useState<Act>()
  const { namespace = '', name } = subscription.metadata
  if (!may('patch', 'Subscription', namespace)) return null
  const paused = subscription.spec.paused === true
  const pause = async (dryRun: boolean): Promise<WriteAnswer> =>
    patch(
      'Subscription',
      { namespace, name, etag: (await read('Subscription', { namespace, name })).etag },
      { spec: { paused: !paused } },
      dryRun,
    )
  const params = { path: { namespace, name } }
  const acts: Readonly<
    Record<
      Act,
      {
        readonly word: string
        readonly says: string
        readonly dryRun: () => Promise<WriteAnswer>
        readonly run: () => Promise<WriteAnswer>
      }
    >
  > = {
    test: {
      word: 'Send a test',
      says: `One notice that tells of nothing is sent to ${subscription.spec.sink ?? 'nobody'}.`,
      dryRun: () => read('Subscription', { namespace, name }).then(() => done),
      run: async () => {
        taken(await client.POST('/v1/namespaces/{namespace}/subscriptions/{name}/test', { params }))
        return done
      },
    },
    replay: {
      word: 'Tell again',
      says: 'All that is still kept is sent once more, under the ids that it had.',
      dryRun: () => read('Subscription', { namespace, name }).then(() => done),
      run: async () => {
        taken(await client.POST('/v1/namespaces/{namespace}/subscriptions/{name}/replay', { params, body: {} }))
        return done
      },
    },
    pause: {
      word: paused ? 'Go on' : 'Pause',
      says: paused ? 'What has waited meanwhile is sent.' : 'Nothing is sent until it goes on; what it is to be told is kept.',
      dryRun: () => pause(true),
      run: () => pause(false),
    },
  }
  const open = act === undefined ? undefined : acts[act]
  return (
    <p class="actions">
      {(['test', 'replay', 'pause'] as const).map((each) => (
        <button key={each} type="button" class="small" onClick={() => setAct(each)} data-act={each}>
          {acts[each].word} …
        </button>
      ))}
      {open !== undefined && (
        <Confirm title={`${open.word}: ${name}`} act={open.word} dryRun={open.dryRun} run={open.run} onClose={() => setAct(undefined)}>
          <p>{open.says}</p>
        </Confirm>
      )}
    </p>
  )
}
