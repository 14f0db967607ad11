// What a receiver reads, by the profile that it asked for: pure functions from a change to body and headers.
import type { Profile } from '../../../kinds/notify/subscription.ts'
import type { Resource } from '../../../kinds/index.ts'
import { cloudEvent } from './cloudevents.ts'
import { solNotice } from './sol.ts'
import type { RenderedNotice, NoticeRenderer, NoticeContent } from '../../profiles/notice-content.ts'

/** The whole object as JSON, nothing around it: as ENO has it. */
export const wholeObject = ({ object }: Pick<NoticeContent, 'object'>): RenderedNotice => ({
  body: JSON.stringify(object),
  headers: { 'content-type': 'application/json' },
})

const renderers: Readonly<Record<Profile, NoticeRenderer>> = { eno: wholeObject, sol: solNotice, cloudevents: cloudEvent }

export const rendererOf = ({ spec }: Resource<'Subscription'>): NoticeRenderer => renderers[spec.profile ?? 'eno']

/** Statuses that are success: any 2xx, save that CloudEvents names four (HTTP 1.1 Web Hooks for Event Delivery 1.0, section 2.2). */
export const isSuccess = (profile: Profile, status: number): boolean =>
  profile === 'cloudevents' ? [200, 201, 202, 204].includes(status) : status >= 200 && status < 300
