// etcd, API server, scheduler and controllers, in a space of their own.
import { generateKeyPairSync } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../platform/programs/run.ts'
import { until } from '../../platform/programs/until.ts'
import type { KeptServer } from '../../platform/redis-server/keep.ts'
import { must } from '../commands.ts'
import type { Lab, Space } from '../lab.ts'
import { kubeconfigOf, makeAdmin, tokenFile, type Who } from './who.ts'

const startMs = 90_000
/** As Kubernetes' own Service has it: who has an address of that Service on a link needs nobody to translate. */
const l4Port = 443

/**
 * How kubectl runs commands in pods. Over websockets it may hear of a command's end before it has its streams, and fails then
 * ("Unknown stream id 1, closed all streams": seen of kubectl 1.34 on a busy machine, of a command of some milliseconds).
 */
const bySpdy = 'KUBECTL_REMOTE_COMMAND_WEBSOCKETS=false'

export interface ControlPlaneOptions {
  readonly programs: Readonly<Record<'etcd' | 'kube-apiserver' | 'kube-scheduler' | 'kube-controller-manager' | 'kubectl', string>>
  readonly space: Space
  /** Of the API server, on a link of the space. */
  readonly address: string
  /** Beside the administrator. */
  readonly users: readonly Who[]
}

export interface ControlPlane {
  readonly url: string
  /** PEM that the API server is known by. */
  readonly ca: Buffer
  /** Of the administrator. */
  readonly kubeconfig: string
  /** The command that talks to this cluster, as administrator, from where we are. */
  readonly kubectl: readonly string[]
}

/** Resolves once the API server is ready; scheduler and controllers are on their way. */
export async function startControlPlane(lab: Lab, { programs, space, address, users }: ControlPlaneOptions): Promise<ControlPlane> {
  const folder = join(lab.folder, 'control-plane')
  await mkdir(join(folder, 'certs'), { recursive: true })
  const admin = makeAdmin()
  const key = join(folder, 'service-accounts.pem')
  await writeFile(join(folder, 'tokens.csv'), tokenFile([admin, ...users]), { mode: 0o600 })
  await writeFile(key, signingKey(), { mode: 0o600 })
  await lab.start(programs.etcd, etcdFlags(folder), { space, vital: true, log: 'etcd' })
  await lab.start(programs['kube-apiserver'], serverFlags(folder, key, address), { space, vital: true, log: 'kube-apiserver' })
  const url = `https://${address}:${l4Port}`
  const kubeconfig = join(folder, 'admin.kubeconfig')
  const kubectl = [...space.enter, 'env', bySpdy, programs.kubectl, '--kubeconfig', kubeconfig]
  const cert = join(folder, 'certs/apiserver.crt')
  await until(() => answers(kubectl, { kubeconfig, cert, url, token: admin.token }), 'the API server is ready', startMs)
  const common = ['--kubeconfig', kubeconfig, '--leader-elect=false', '--bind-address=127.0.0.1']
  await lab.start(programs['kube-scheduler'], common, { space, vital: true, log: 'kube-scheduler' })
  await startControllers(lab, {
    program: programs['kube-controller-manager'],
    space,
    flags: [...common, `--service-account-private-key-file=${key}`, `--root-ca-file=${cert}`],
  })
  return { url, ca: await readFile(cert), kubeconfig, kubectl }
}

const startControllers = (
  lab: Lab,
  { program, space, flags }: { readonly program: string; readonly space: Space; readonly flags: readonly string[] },
): Promise<KeptServer> =>
  lab.start(program, [...flags, '--use-service-account-credentials=true'], { space, vital: true, log: 'kube-controllers' })

/** The server makes its certificate while it starts; before that there is no kubeconfig. */
async function answers(
  [program = '', ...args]: readonly string[],
  at: { readonly kubeconfig: string; readonly cert: string; readonly url: string; readonly token: string },
): Promise<boolean> {
  await writeFile(at.kubeconfig, kubeconfigOf(at.url, await readFile(at.cert), at.token), { mode: 0o600 })
  return (await run(program, [...args, 'get', '--raw', '/readyz'])).code === 0
}

function etcdFlags(folder: string): string[] {
  const [client, peer] = ['http://127.0.0.1:2379', 'http://127.0.0.1:2380']
  return flags({
    name: 'lab',
    'data-dir': join(folder, 'etcd'),
    'log-level': 'warn',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `lab=${peer}`,
    'unsafe-no-fsync': 'true', // the data dies with the lab
  })
}

function serverFlags(folder: string, key: string, address: string): string[] {
  return flags({
    'etcd-servers': 'http://127.0.0.1:2379',
    'secure-port': String(l4Port),
    'bind-address': '0.0.0.0',
    'advertise-address': address,
    'cert-dir': join(folder, 'certs'),
    'service-account-key-file': key,
    'service-account-signing-key-file': key,
    'service-account-issuer': 'https://kubernetes.default.svc',
    'token-auth-file': join(folder, 'tokens.csv'),
    'authorization-mode': 'Node,RBAC',
    'enable-admission-plugins': 'NodeRestriction',
    'service-cluster-ip-range': '10.0.0.0/24',
    'allow-privileged': 'true',
    'enable-aggregator-routing': 'true', // webhooks are called where their endpoints are: no node translates a Service's address
    'kubelet-preferred-address-types': 'InternalIP', // names would be asked of DNS
  })
}

function flags(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).map(([name, value]) => `--${name}=${value}`)
}

const signingKey = (): string =>
  generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
  }).privateKey

/** Runs kubectl as administrator; throws what it complained of. */
export function kubectlOf({ kubectl: [program = '', ...before] }: ControlPlane, args: readonly string[], input?: string): Promise<string> {
  return must(program, [...before, ...args], input)
}
