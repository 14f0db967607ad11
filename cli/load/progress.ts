// What became of each Port, as the watch tells it.
import type { Item } from '../kinds/columns.ts'
import type { Figures, Stage } from './figures.ts'

/** How far a Port has come. */
export interface Attachment {
  readonly bound: boolean
  readonly tested: boolean
  /** Somebody is there to be pinged. */
  readonly peer: string | undefined
  readonly createdMs: number
  addressedMs?: number
  readyMs?: number
  brokenMs?: number
  testedMs?: number
  pingFailed?: string
  gone: boolean
  address?: string | undefined
}

interface Status {
  readonly phase?: string
  readonly addresses?: readonly string[]
  readonly timeline?: readonly { readonly reason?: string }[]
  readonly node?: {
    readonly wired?: boolean
    readonly postCreateExecReport?: { readonly exitStatus: number; readonly stdOut: string; readonly stdErr: string }
  }
}

/** Reasons of a Port's past that say that an address was fought for. */
const contention = /^(AddressTaken|SubnetFull|AddressLeaving)$/

interface LoadReport {
  /** When, of the clock that `createdMs` is of. */
  readonly nowMs: number
  readonly figures: Figures
}

/** Takes in what a Port has come to. */
export function follows(attachment: Attachment, item: Item, { nowMs, figures }: LoadReport): void {
  const status = (item['status'] ?? {}) as Status
  const easy = !(status.timeline ?? []).some(({ reason }) => contention.test(reason ?? ''))
  const first = (stage: 'addressedMs' | 'readyMs' | 'brokenMs', holds: boolean, stages: readonly Stage[]): void => {
    if (!holds || attachment[stage] !== undefined) return
    attachment[stage] = nowMs
    for (const stage of stages) figures.took(stage, nowMs - attachment.createdMs)
  }
  attachment.address ??= status.addresses?.[0]
  first(
    'addressedMs',
    attachment.address !== undefined,
    easy ? ['create_to_addressed', 'create_to_addressed_easy'] : ['create_to_addressed'],
  )
  first('readyMs', isReady(attachment, status), easy ? ['create_to_ready', 'create_to_ready_easy'] : ['create_to_ready'])
  first('brokenMs', status.phase === 'error', ['create_to_broken'])
  testedBy(attachment, status, { nowMs, figures })
}

/** On a node only once its agent has wired it. */
const isReady = ({ bound }: Attachment, { phase, node }: Status): boolean => phase === 'ready' && (!bound || node?.wired === true)

function testedBy(attachment: Attachment, { node }: Status, { nowMs, figures }: LoadReport): void {
  const report = node?.postCreateExecReport
  if (!attachment.tested || attachment.testedMs !== undefined || report === undefined) return
  attachment.testedMs = nowMs
  figures.add('tests')
  if (report.exitStatus !== 0) {
    figures.add('failed_tests')
    attachment.pingFailed = report.stdErr.trim() || report.stdOut.trim() || `exit status ${report.exitStatus}`
    return
  }
  const kind = attachment.peer === undefined ? 'half_tested' : 'tested'
  figures.took(`create_to_${kind}`, nowMs - attachment.createdMs)
  if (attachment.readyMs !== undefined) figures.took(`ready_to_${kind}`, nowMs - attachment.readyMs)
}
