// A Keystone on loopback, as uWSGI serves it.
import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../platform/programs/run.ts'
import { until } from '../../platform/programs/until.ts'
import { keep } from '../../platform/redis-server/keep.ts'
import type { MariaDb } from './mariadb.ts'
import { iniOf } from './settings.ts'

/** Each has a user of its name, with the password, in the project, with the role there. */
export const people = {
  admin: { password: 'admin-secret', project: 'admin', role: 'admin' },
  neutron: { password: 'neutron-secret', project: 'service', role: 'admin' },
  'tenant-a': { password: 'a-secret', project: 'tenant-a', role: 'member' },
  'tenant-b': { password: 'b-secret', project: 'tenant-b', role: 'member' },
} as const
export type Person = keyof typeof people

/** As workers read them: a folder of files in the folder of all. */
export async function writeCredentials(folder: string, person: Person): Promise<void> {
  await mkdir(join(folder, person), { recursive: true })
  const { password, project } = people[person]
  for (const [file, text] of Object.entries({ username: person, password, project })) await writeFile(join(folder, person, file), text)
}

export interface Keystone {
  /** With `/v3`. */
  readonly url: string
  /** A token of this person's, for the project. */
  token(person: Person): Promise<string>
  stop(): Promise<void>
}

interface KeystoneOptions {
  readonly folder: string
  readonly database: MariaDb
  readonly l4Port: number
}

const urlOf = (l4Port: number): string => `http://127.0.0.1:${l4Port}/v3`

/** What `keystone-manage` and the server read; keys are in the folder too. */
async function configured({ folder, database }: KeystoneOptions): Promise<string> {
  const path = join(folder, 'keystone.conf')
  await writeFile(
    path,
    iniOf({
      DEFAULT: { log_file: join(folder, 'keystone.log') },
      database: { connection: database.url('keystone') },
      token: { provider: 'fernet' },
      fernet_tokens: { key_repository: join(folder, 'fernet') },
      credential: { key_repository: join(folder, 'credential') },
      oslo_policy: { policy_dirs: '/etc/keystone/policy.d' },
      // Four rounds: a token for a password in tens of milliseconds, and nobody else is here to guess.
      identity: { password_hash_rounds: 4 },
    }),
  )
  return path
}

/** Schema, keys, the first user, and everybody of `people`. Takes half a minute. */
export async function makeKeystone(options: KeystoneOptions): Promise<void> {
  const { folder, l4Port, database } = options
  const config = await configured(options)
  const manage = async (...args: readonly string[]): Promise<void> => {
    const { code, stderr } = await run('keystone-manage', ['--config-file', config, ...args])
    if (code !== 0) throw new Error(`keystone-manage ${args[0]}: ${stderr.trim().split('\n').slice(-3).join('\n')}`)
  }
  for (const keys of ['fernet', 'credential']) await mkdir(join(folder, keys), { mode: 0o700 })
  await database.sql('create database keystone character set utf8mb3')
  await manage('db_sync')
  const asRoot = ['--keystone-user', 'root', '--keystone-group', 'root']
  await manage('fernet_setup', ...asRoot)
  await manage('credential_setup', ...asRoot)
  const urls = ['admin', 'public', 'internal'].flatMap((each) => [`--bootstrap-${each}-url`, urlOf(l4Port)])
  await manage('bootstrap', '--bootstrap-password', people.admin.password, '--bootstrap-region-id', 'RegionOne', ...urls)
  const server = await serve(options, config)
  try {
    await populate(server)
  } finally {
    await server.stop()
  }
}

/** @param made a folder of `makeKeystone`'s: its keys are copied */
export async function startKeystone(options: KeystoneOptions, made: string, networkUrl: string): Promise<Keystone> {
  for (const keys of ['fernet', 'credential']) await cp(join(made, keys), join(options.folder, keys), { recursive: true })
  await options.database.sql(
    `use keystone; update endpoint e join service s on e.service_id = s.id
       set e.url = if(s.type = 'network', '${networkUrl}', '${urlOf(options.l4Port)}')`,
  )
  return serve(options, await configured(options))
}

async function serve({ folder, l4Port }: KeystoneOptions, config: string): Promise<Keystone> {
  const uwsgi = {
    plugins: 'python3',
    'http-socket': `127.0.0.1:${l4Port}`,
    'wsgi-file': '/usr/bin/keystone-wsgi-public',
    'buffer-size': 65_535,
    'rem-header': 'Content-Length',
    'enable-threads': true,
    master: true,
    'die-on-term': true,
    'lazy-apps': true,
    processes: 1,
    threads: 1,
  }
  await writeFile(join(folder, 'keystone.ini'), iniOf({ uwsgi }))
  const kept = await keep('uwsgi', ['--ini', join(folder, 'keystone.ini')], {
    log: join(folder, 'keystone-uwsgi.log'),
    env: { OS_KEYSTONE_CONFIG_FILES: config, OS_KEYSTONE_CONFIG_DIR: folder },
  })
  const url = urlOf(l4Port)
  await until(async () => (await fetch(url)).ok, 'Keystone answers', 60_000)
  return {
    url,
    async token(person) {
      const { password, project } = people[person]
      const domain = { id: 'default' }
      const auth = {
        identity: { methods: ['password'], password: { user: { name: person, domain, password } } },
        scope: { project: { name: project, domain } },
      }
      const answer = await fetch(`${url}/auth/tokens`, { method: 'POST', headers: json, body: JSON.stringify({ auth }) })
      if (!answer.ok) throw new Error(`${answer.status} for a token: ${await answer.text()}`)
      return answer.headers.get('x-subject-token')!
    },
    stop: () => kept.stop(),
  }
}

const json = { 'content-type': 'application/json' }

async function populate({ url, token }: Keystone): Promise<void> {
  const headers = { ...json, 'x-auth-token': await token('admin') }
  const ask = async (method: string, path: string, body?: object): Promise<Record<string, { id: string }>> => {
    const answer = await fetch(`${url}/${path}`, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) })
    if (!answer.ok) throw new Error(`${answer.status} for ${method} ${path}: ${await answer.text()}`)
    return answer.status === 204 ? {} : ((await answer.json()) as Record<string, { id: string }>)
  }
  const { roles } = (await ask('GET', 'roles')) as unknown as { readonly roles: readonly { readonly id: string; readonly name: string }[] }
  for (const [name, { password, project, role }] of Object.entries(people)) {
    if (name === 'admin') continue
    const made = await ask('POST', 'projects', { project: { name: project, domain_id: 'default' } })
    const user = await ask('POST', 'users', { user: { name, password, domain_id: 'default' } })
    const id = roles.find((each) => each.name === role)!.id
    await ask('PUT', `projects/${made['project']!.id}/users/${user['user']!.id}/roles/${id}`)
  }
  const { service } = await ask('POST', 'services', { service: { type: 'network', name: 'neutron' } })
  for (const shown of ['public', 'internal', 'admin'])
    await ask('POST', 'endpoints', {
      endpoint: { service_id: service!.id, interface: shown, region_id: 'RegionOne', url: 'http://127.0.0.1:9696' },
    })
}
