// A question to the node of a Port, over REST: asked, waited for, and taken away again.
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import type { InquiryAnswer } from '../../core/kinds/node/inquiry.ts'
import { CliError } from '../context.ts'
import { refusal, type Api } from './api.ts'
import { follow, watchPath } from './events.ts'

type Inquiry = Resource<'Inquiry'>

/** @throws CliError what the server, the workers or the node refuse it with, in their words */
export async function inquire(api: Api, namespace: string, spec: SpecOf<'Inquiry'>, signal: AbortSignal): Promise<InquiryAnswer> {
  const { item, problem } = await api.create(
    'Inquiry',
    namespace,
    { apiVersion: 'megrez.io/v1alpha1', kind: 'Inquiry', metadata: { generateName: `${spec.about}-` }, spec },
    false,
  )
  if (problem !== undefined) throw refusal(problem)
  const { name } = (item as unknown as Inquiry).metadata
  const end = new AbortController()
  try {
    return answerIn(await settled(api, { namespace, name }, AbortSignal.any([signal, end.signal])))
  } finally {
    end.abort()
    await api.delete('Inquiry', namespace, name, false).catch(() => undefined)
  }
}

/** Once it is answered, or nobody will answer it. */
async function settled(
  api: Api,
  { namespace, name }: { readonly namespace: string; readonly name: string },
  signal: AbortSignal,
): Promise<Inquiry> {
  for await (const change of follow(api, watchPath('Inquiry', namespace, { fieldSelector: `metadata.name=${name}` }), signal)) {
    const now = change.event === 'all' ? change.items : [change.item]
    if (change.event === 'gone') break
    const done = (now as readonly unknown[] as readonly Inquiry[]).find(
      ({ status }) => status?.phase === 'ready' || status?.phase === 'error',
    )
    if (done !== undefined) return done
  }
  throw new CliError(1, 'the question was deleted before it was answered')
}

function answerIn({ status }: Inquiry): InquiryAnswer {
  if (status?.answer?.outcome === 'answered') return status.answer
  throw new CliError(1, status?.message ?? 'it was not answered')
}
