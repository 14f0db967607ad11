// An Inquiry: the node that is asked is named, its agent answers, and after its time it is deleted, answered or not.
import { captureMsOf, ttlUsual, type InquiryAnswer } from '../kinds/node/inquiry.ts'
import { refOf, type Resource } from '../kinds/index.ts'
import { inPlace, refused, waitingFor, type Plan } from './plan.ts'

export interface InquiryDesired {
  readonly inquiry: Resource<'Inquiry'>
  /** That it is there, by this worker's clock. */
  readonly ageMs: number
  /** Where its Port is, or the node that it names, if a Port of its namespace is there. */
  readonly place: { readonly node: string } | { readonly problem: string } | undefined
  /** How many others this node has still to answer. */
  readonly waiting: number
}
export interface InquiryAction {
  readonly do: 'expire'
  readonly inquiry: Resource<'Inquiry'>
}

/** An agent that is there answers within this time, a capture in as much more as it takes. */
const answerMs = 30_000
/** Of one node: who comes later waits. */
const waitingMax = 32
const againMs = 1_000

const ttlMsOf = ({ spec }: Resource<'Inquiry'>): number => (spec.ttlSeconds ?? ttlUsual) * 1_000

export const isExpired = ({ inquiry, ageMs }: InquiryDesired): boolean => ageMs >= ttlMsOf(inquiry)

export function planInquiry(desired: InquiryDesired): Plan<InquiryAction> {
  const { inquiry, ageMs } = desired
  if (inquiry.metadata.deletionTimestamp !== undefined)
    return { steps: [], phase: 'deleted', reason: 'Deleted', message: 'nobody asks any more' }
  if (isExpired(desired))
    return {
      ...expired,
      steps: [{ action: { do: 'expire', inquiry }, because: { rule: 'an Inquiry whose time is over', of: refOf(inquiry) } }],
    }
  const leftMs = ttlMsOf(inquiry) - ageMs
  const verdict = verdictOf(desired)
  return { ...verdict, requeueAfterMs: Math.min(leftMs, verdict.requeueAfterMs ?? leftMs) }
}
const expired = { phase: 'terminating', reason: 'Expired', message: 'its time is over' } as const

function verdictOf(desired: InquiryDesired): Plan<never> {
  const { inquiry, ageMs } = desired
  const { answer, node } = inquiry.status ?? {}
  if (answer !== undefined) return answered(answer, node ?? '')
  const leftMs = answerMs + captureMsOf(inquiry.spec) - ageMs
  if (leftMs <= 0)
    return refused(
      'Unanswered',
      node === undefined ? 'nobody could be asked' : `the agent of node ${node} has not answered: it is away, or has too much to do`,
    )
  if (node !== undefined) return waitingFor('Asked', `the agent of node ${node} is asked`, leftMs)
  return placed(desired, leftMs)
}

function answered({ outcome, message }: InquiryAnswer, node: string): Plan<never> {
  if (outcome === 'answered') return inPlace('Answered', `answered by node ${node}`)
  return refused(outcome === 'unsupported' ? 'Unsupported' : 'Failed', message ?? 'the node has no answer')
}

function placed({ place, waiting }: InquiryDesired, leftMs: number): Plan<never> {
  if (place === undefined) return waitingFor('Unplaced', 'its Port is on no node yet', Math.min(leftMs, againMs))
  if ('problem' in place) return refused('NoPort', place.problem)
  if (waiting >= waitingMax)
    return waitingFor('Busy', `node ${place.node} has ${waiting} others to answer first`, Math.min(leftMs, againMs))
  return { ...waitingFor('Asked', `the agent of node ${place.node} is asked`, leftMs), sections: { placement: { node: place.node } } }
}
