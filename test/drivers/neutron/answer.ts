// What Neutron is asked in memory, and what it answers.
export type Fields = Record<string, unknown> & { id: string; name: string; revision_number: number }
export interface NeutronRequest {
  readonly method: string
  /** With its query. */
  readonly url: string
  readonly ifMatch?: string | undefined
  readonly body?: unknown
}
export type NeutronAnswer = readonly [status: number, body?: object]

/** What it refuses by, and in which words. */
export class Fault extends Error {
  readonly answer: NeutronAnswer
  constructor(status: number, type: string, message: string) {
    super(message)
    this.answer = [status, { NeutronError: { type, message, detail: '' } }]
  }
}
