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
  readonly body: {
    readonly message?: string
    readonly metadata?: { readonly resourceVersion?: string }
    readonly details?: { readonly causes?: readonly { readonly field: string; readonly message: string }[] }
  }
}

/** Who is played by `admin`. */
export interface Played {
  readonly user: string
  readonly groups: readonly string[]
}
export interface Raw {
  request(method: string, path: string, body?: unknown): Promise<Answer>
  /** As somebody else; a patch is a merge patch. Of a watch only the status is waited for. */
  as(played: Played, method: string, path: string, body?: unknown): Promise<{ readonly status: number; readonly text: string }>
  close(): Promise<void>
}

/** Sends JSON as `admin`. */
export function openRaw(): Raw {
  const config = JSON.parse(readFileSync(String(kubeconfigPath), 'utf8')) as Kubeconfig
  const { server, 'certificate-authority-data': ca } = config.clusters[0]!.cluster
  const token = config.users.find(({ name }) => name === 'admin')!.user.token
  const dispatcher = new Agent({ connect: { ca: Buffer.from(ca, 'base64') } })
  return {
    async request(method, path, body) {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const response = await fetch(server + path, {
        method,
        headers,
        dispatcher,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: response.status, body: (await response.json()) as Answer['body'] }
    },
    async as({ user, groups }, method, path, body) {
      const type = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json'
      const headers: [string, string][] = [
        ['authorization', `Bearer ${token}`],
        ['content-type', type],
        ['impersonate-user', user],
        ...groups.map((each): [string, string] => ['impersonate-group', each]),
      ]
      const stop = new AbortController()
      const response = await fetch(server + path, {
        method,
        headers,
        dispatcher,
        signal: stop.signal,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = path.includes('watch=true') ? '' : await response.text()
      stop.abort()
      return { status: response.status, text }
    },
    close: () => dispatcher.close(),
  }
}
