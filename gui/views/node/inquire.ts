// A question to a node: asked, waited for, and taken away again.
import { create, read, remove } from '../../contract/api.ts'
import type { Item } from '../../contract/kinds.ts'

export type InquiryAnswer = NonNullable<NonNullable<Item<'Inquiry'>['status']>['answer']>
/** One thing that a node has, or is to have. */
export type InquiryItem = NonNullable<InquiryAnswer['items']>[number]
const [askedEveryMs, askedMost] = [250, 80]

/** @throws what the server or the node refuses it with */
export async function inquire(namespace: string, spec: Item<'Inquiry'>['spec']): Promise<InquiryAnswer> {
  const { item } = await create('Inquiry', namespace, {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Inquiry',
    metadata: { generateName: 'doppler-' },
    spec: { ttlSeconds: 60, ...spec },
  })
  const name = item?.metadata.name ?? ''
  try {
    for (let i = 0; i < askedMost; i++) {
      const { status } = (await read('Inquiry', { namespace, name })).item as Item<'Inquiry'>
      if (status?.answer !== undefined) return status.answer
      if (status?.phase === 'error') throw new Error(status.message ?? 'the node refuses it')
      await new Promise((resolve) => setTimeout(resolve, askedEveryMs))
    }
    throw new Error('its node has not answered within twenty seconds')
  } finally {
    await remove('Inquiry', { namespace, name }).catch(() => undefined)
  }
}
