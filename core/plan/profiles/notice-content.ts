// What a profile is given, and what it makes of it.
import type { Resource } from '../../kinds/index.ts'
import type { Phase } from '../../kinds/meta.ts'

/** One change, as it is to be told. */
export interface NoticeContent {
  /** Of the change: the same for all that are told of it. */
  readonly eventId: string
  readonly sequence: number
  readonly phase: Phase
  /** When it happened, RFC 3339. */
  readonly time: string
  /** The whole object. */
  readonly object: unknown
  /** Where REST is for whoever is told, as `https://megrez.example.org`; absent: links begin at its root. */
  readonly root?: string | undefined
}
export interface RenderedNotice {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}
export type NoticeRenderer = (content: NoticeContent, subscription: Resource<'Subscription'>) => RenderedNotice
