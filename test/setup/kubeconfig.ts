import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'

/**
 * Who may knock at the test API server, each by a token of its own. All but `admin` have only the rights that a test
 * binds to them; anyone else is played by `admin` with `--as` (impersonation).
 */
const users = {
  admin: { name: 'admin', groups: ['system:masters'] },
  webhooks: serviceAccount('megrez-webhooks'),
  workers: serviceAccount('megrez-workers'),
  tenant: { name: 'tenant', groups: ['tenants'] },
} as const

export type KubeUser = keyof typeof users

/** Beside the kubeconfig: who has signed what the API server shows to webhooks. */
export const webhookClientCa = (kubeconfigFile: string): string => join(dirname(kubeconfigFile), 'webhook-client-ca.crt')

function serviceAccount(name: string) {
  const namespace = 'megrez-system'
  return { name: `system:serviceaccount:${namespace}:${name}`, groups: ['system:serviceaccounts', `system:serviceaccounts:${namespace}`] }
}

const run = randomBytes(16).toString('hex')
const tokenOf = (user: string) => `${user}-${run}`

/** The API server's token file: token, user, uid, groups. */
export function tokens(): string {
  return Object.entries(users)
    .map(([key, user], i) => `${tokenOf(key)},${user.name},${i + 1},"${user.groups.join(',')}"\n`)
    .join('')
}

/** A kubeconfig (JSON is YAML) with a context for each user; the current one is `admin`. */
export function kubeconfig(server: string, ca: Buffer): string {
  const names = Object.keys(users)
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'test', cluster: { server, 'certificate-authority-data': ca.toString('base64') } }],
    users: names.map((name) => ({ name, user: { token: tokenOf(name) } })),
    contexts: names.map((name) => ({ name, context: { cluster: 'test', user: name } })),
    'current-context': 'admin',
  })
}
