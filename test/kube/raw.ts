// The test API server by plain HTTPS: where a test looks at status codes and causes, which kubectl puts into prose.
import { readFileSync } from 'node:fs'
import { Agent, fetch } from 'undici'
import { kubeconfigPath } from '../setup/kubectl.ts'

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string; readonly 'certificate-authority-data': string } }[]
  readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[]
}

export interface Answer {
  readonly status: number
  readonly body: { readonly message?: string; readonly metadata?: { readonly resourceVersion?: string }; readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] } }
}

/** Sends JSON as `admin`. */
export function openRaw(): { request(method: string, path: string, body?: unknown): Promise<Answer>; close(): Promise<void> } {
  const config = JSON.parse(readFileSync(String(kubeconfigPath), 'utf8')) as Kubeconfig
  const { server, 'certificate-authority-data': ca } = config.clusters[0]!.cluster
  const token = config.users.find(({ name }) => name === 'admin')!.user.token
  const dispatcher = new Agent({ connect: { ca: Buffer.from(ca, 'base64') } })
  return {
    async request(method, path, body) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(server + path, { method, headers, dispatcher, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
      return { status: response.status, body: (await response.json()) as Answer['body'] }
    },
    close: () => dispatcher.close(),
  }
}
