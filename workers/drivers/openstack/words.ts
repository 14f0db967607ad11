// What an OpenStack service says of a request that it has not fulfilled, in its own words.

interface Fault {
  readonly message?: string
  readonly type?: string
  readonly detail?: string
  readonly title?: string
}

/** Neutron's `NeutronError`, Keystone's `error`, or the text of a proxy before them. At most 500 characters. */
export function wordsOf(body: unknown): string {
  const { type, message, title, detail } = faultOf(body) ?? {}
  const words = [type ?? title, message, detail].filter((each) => typeof each === 'string' && each !== '')
  const text = words.length > 0 ? words.join(': ') : typeof body === 'string' ? body : JSON.stringify(body ?? '')
  return text.replace(/\s+/g, ' ').trim().slice(0, 500)
}

/** What kind of error it is to the service. */
export const typeOf = (body: unknown): string => faultOf(body)?.type ?? ''

function faultOf(body: unknown): Fault | undefined {
  if (typeof body !== 'object' || body === null) return undefined
  const { NeutronError: neutron, error } = body as { readonly NeutronError?: Fault | string; readonly error?: Fault }
  if (typeof neutron === 'string') return { message: neutron }
  return neutron ?? (typeof error === 'object' ? error : undefined)
}
