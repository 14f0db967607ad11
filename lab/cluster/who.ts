// Who may knock at the API server of a lab, each by a token of its own. Everybody else comes by an account of Kubernetes.
import { randomBytes } from 'node:crypto'

export interface Who {
  readonly name: string
  readonly groups: readonly string[]
  readonly token: string
}

const who = (name: string, ...groups: readonly string[]): Who => ({ name, groups, token: randomBytes(16).toString('hex') })

export const makeAdmin = (): Who => who('admin', 'system:masters')
/** A kubelet: the API server's own rules hold it to its node. */
export const makeKubelet = (node: string): Who => who(`system:node:${node}`, 'system:nodes')

/** The API server's token file: token, user, uid, groups. */
export const tokenFile = (all: readonly Who[]): string =>
  all.map(({ name, groups, token }) => `${token},${name},${name},"${groups.join(',')}"\n`).join('')

/** A kubeconfig (JSON is YAML) of one user. */
export function kubeconfigOf(server: string, ca: Buffer, token: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'lab',
    clusters: [{ name: 'lab', cluster: { server, 'certificate-authority-data': ca.toString('base64') } }],
    users: [{ name: 'lab', user: { token } }],
    contexts: [{ name: 'lab', context: { cluster: 'lab', user: 'lab' } }],
  })
}
