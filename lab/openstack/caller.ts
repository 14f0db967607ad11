// Neutron's API as plain HTTP, for what a test does by hand and looks up.
export interface NeutronPort {
  readonly id: string
  readonly name: string
  readonly mac_address: string
  readonly status: string
  readonly fixed_ips: readonly { readonly subnet_id: string; readonly ip_address: string }[]
  readonly device_id: string
  readonly device_owner: string
  readonly 'binding:host_id': string
  readonly 'binding:vif_type': string
  readonly 'binding:vif_details': Readonly<Record<string, unknown>>
  readonly revision_number: number
  readonly tags: readonly string[]
}
export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>>
}

export interface Caller {
  /** Any answer. */
  ask(method: string, path: string, body?: object): Promise<Answer>
  /** What is under the first name of the answer. @throws Error with status and Neutron's words where it is no 2xx */
  get<T>(path: string): Promise<T>
  post<T>(path: string, body: object): Promise<T>
  put<T>(path: string, body: object): Promise<T>
  /** What is gone is deleted. */
  delete(path: string): Promise<void>
}

/** @param url without `/v2.0` */
export function caller(url: string, headers: Readonly<Record<string, string>>): Caller {
  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const answer = await fetch(`${url}/v2.0/${path}`, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    return { status: answer.status, body: (text === '' ? {} : JSON.parse(text)) as Answer['body'] }
  }
  const must = async (method: string, path: string, body?: object): Promise<unknown> => {
    const answer = await ask(method, path, body)
    if (answer.status >= 300 && !(method === 'DELETE' && answer.status === 404))
      throw new Error(`${answer.status} for ${method} ${path}: ${JSON.stringify(answer.body)}`)
    return Object.values(answer.body)[0]
  }
  return {
    ask,
    get: <T>(path: string) => must('GET', path) as Promise<T>,
    post: <T>(path: string, body: object) => must('POST', path, body) as Promise<T>,
    put: <T>(path: string, body: object) => must('PUT', path, body) as Promise<T>,
    delete: async (path) => void (await must('DELETE', path)),
  }
}

/** Without Keystone everything is allowed to everybody; what is made names its project itself. */
export const nobody = { 'x-roles': 'admin' } as const
