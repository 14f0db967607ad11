// A question to the node of a Port, over REST: asked, waited for, and taken away again.
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import type { InquiryAnswer } from '../../core/kinds/node/inquiry.ts'
import { CliError } from '../context.ts'
import { refusal, type Api } from './api.ts'
import { settled } from './settled.ts'

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
    return answerIn(await settled('Inquiry', { namespace, name }, api, AbortSignal.any([signal, end.signal])))
  } finally {
    end.abort()
    await api.delete('Inquiry', namespace, name, false).catch(() => undefined)
  }
}

function answerIn({ status }: Inquiry): InquiryAnswer {
  if (status?.answer?.outcome === 'answered') return status.answer
  throw new CliError(1, status?.message ?? 'it was not answered')
}
