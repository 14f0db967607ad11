// What one does to a Subscription: send a test, tell again what was told, replace its secret, pause. Each asks first.
import { useState } from 'preact/hooks'
import type { ComponentChildren } from 'preact'
import { client, patch, read, taken, type WriteAnswer } from '../../contract/api.ts'
import type { Item } from '../../contract/kinds.ts'
import { may } from '../../contract/session.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { Kept } from './kept.tsx'
import { ReplaceSecret } from './secret.tsx'

type Subscription = Item<'Subscription'>
interface Act {
  readonly name: 'test' | 'replay' | 'pause'
  readonly word: string
  readonly says: ComponentChildren
  readonly dryRun?: () => Promise<WriteAnswer>
  readonly run: () => Promise<WriteAnswer>
}
const done: WriteAnswer = { item: undefined, warnings: [] }

/** Without a sink nobody is sent anything: events are pulled. With one, nothing is kept to be told again unless keepSeconds says so. */
function actsOf(subscription: Subscription): readonly Act[] {
  const { sink, keepSeconds = 0 } = subscription.spec
  if (sink === undefined) return [pauseOf(subscription)]
  return [testOf(subscription, sink), ...(keepSeconds > 0 ? [replayOf(subscription, sink)] : []), pauseOf(subscription)]
}
const pathOf = ({ metadata: { namespace = '', name } }: Subscription) => ({ path: { namespace, name } })

function testOf(subscription: Subscription, sink: string): Act {
  return {
    name: 'test',
    word: 'Send a test',
    says: (
      <p>
        One signed sample, that tells of no object, is sent to <code>{sink}</code> at once. How it was taken stands beside Tested.
      </p>
    ),
    run: async () => {
      taken(await client.POST('/v1/namespaces/{namespace}/subscriptions/{name}/test', { params: pathOf(subscription) }))
      return done
    },
  }
}

function replayOf(subscription: Subscription, sink: string): Act {
  return {
    name: 'replay',
    word: 'Tell again',
    says: <Kept path={pathOf(subscription).path} sink={sink} />,
    run: async () => {
      taken(await client.POST('/v1/namespaces/{namespace}/subscriptions/{name}/replay', { params: pathOf(subscription), body: {} }))
      return done
    },
  }
}

function pauseOf(subscription: Subscription): Act {
  const { path } = pathOf(subscription)
  const paused = subscription.spec.paused === true
  const change = async (dryRun: boolean): Promise<WriteAnswer> => {
    const { etag } = await read('Subscription', path)
    return patch('Subscription', { ...path, etag }, { spec: { paused: !paused } }, dryRun)
  }
  return {
    name: 'pause',
    word: paused ? 'Go on' : 'Pause',
    says: <p>{paused ? 'What has waited meanwhile is sent.' : 'Nothing is sent until it goes on; what it is to be told is kept.'}</p>,
    dryRun: () => change(true),
    run: () => change(false),
  }
}

export function Acts({ subscription }: { readonly subscription: Subscription }) {
  const [chosen, setChosen] = useState<Act['name']>()
  const { namespace, name } = subscription.metadata
  if (!may('patch', 'Subscription', namespace)) return null
  const acts = actsOf(subscription)
  const open = acts.find((each) => each.name === chosen)
  return (
    <p class="actions">
      {acts.map((each) => (
        <button key={each.name} type="button" class="small" onClick={() => setChosen(each.name)} data-act={each.name}>
          {each.word} …
        </button>
      ))}
      {subscription.spec.sink !== undefined && <ReplaceSecret path={pathOf(subscription).path} sink={subscription.spec.sink} />}
      {open !== undefined && (
        <Confirm
          title={`${open.word}: ${name}`}
          act={open.word}
          {...(open.dryRun !== undefined && { dryRun: open.dryRun })}
          run={open.run}
          onClose={() => setChosen(undefined)}
        >
          {open.says}
        </Confirm>
      )}
    </p>
  )
}
