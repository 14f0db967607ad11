// An Audit over REST: asked for, waited for, and taken away again.
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { refusal, type Api } from './api.ts'
import { settled } from './settled.ts'

export async function audited(api: Api, spec: SpecOf<'Audit'>, signal: AbortSignal): Promise<Resource<'Audit'>> {
  const draft = { apiVersion: 'megrez.io/v1alpha1', kind: 'Audit', metadata: { generateName: 'audit-' }, spec }
  const { item, problem } = await api.create('Audit', '', draft, false)
  if (problem !== undefined) throw refusal(problem)
  const { name } = (item as unknown as Resource<'Audit'>).metadata
  const end = new AbortController()
  try {
    return await settled('Audit', { name }, api, AbortSignal.any([signal, end.signal]))
  } finally {
    end.abort()
    await api.delete('Audit', '', name, false).catch(() => undefined)
  }
}
