// Who Megrez is to a real Keystone: application credentials, a password, and tokens that are no longer taken.
import assert from 'node:assert/strict'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { CloudUnreachable } from '../../core/errors.ts'
import { people, type Keystone } from '../../lab/openstack/keystone.ts'
import { realClock, TurnedClock, type Clock } from '../../platform/clock.ts'
import { HttpClient } from '../../platform/http/client.ts'
import { OpenStackClient } from '../../workers/drivers/openstack/client.ts'
import { until } from '../setup/until.ts'
import { cloudSpec, namespace, type PodsOfCloud } from './pods.ts'

const person = 'tenant-a'
const { password, project } = people[person]
const json = { 'content-type': 'application/json' }

interface ApplicationCredential {
  readonly id: string
  readonly secret: string
  /** Whoever has it, and the tokens that were had by it, are nobody from now on. */
  revoke(): Promise<void>
}

async function applicationCredential({ url, token }: Keystone): Promise<ApplicationCredential> {
  const headers = { ...json, 'x-auth-token': await token(person) }
  const whose = await fetch(`${url}/auth/tokens`, { headers: { ...headers, 'x-subject-token': headers['x-auth-token'] } })
  const { token: said } = (await whose.json()) as { readonly token: { readonly user: { readonly id: string } } }
  const path = `${url}/users/${said.user.id}/application_credentials`
  const body = JSON.stringify({ application_credential: { name: 'megrez' } })
  const made = await fetch(path, { method: 'POST', headers, body })
  assert.equal(made.status, 201)
  const { application_credential: of } = (await made.json()) as { readonly application_credential: { id: string; secret: string } }
  return {
    ...of,
    async revoke() {
      assert.equal((await fetch(`${path}/${of.id}`, { method: 'DELETE', headers })).status, 204)
    },
  }
}

export function keystoneTests(cloud: PodsOfCloud): void {
  const { make, world } = cloud
  const write = async (files: Readonly<Record<string, string>>): Promise<void> => {
    const folder = join(cloud.folder(), 'app')
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder)
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
  }
  const becomes = (name: string, is: RegExp): Promise<void> =>
    until(
      async () => {
        const { phase, message } = (await cloud.ours()).find(({ metadata }) => metadata.name === name)?.status ?? {}
        return is.test(`${phase}: ${message}`)
      },
      `Port ${name} says ${is}`,
      60_000,
    )

  test("an application credential makes ports; once it is revoked, or a password is wrong, Ports say it in Keystone's words", async () => {
    const credential = await applicationCredential(world().keystone!)
    await write({ 'application-credential-id': credential.id, 'application-credential-secret': credential.secret })
    await make('Cloud', '/v1/clouds', 'app', { ...cloudSpec(world()), credentials: 'app' })
    await make('Vpc', pathOf('Vpc', namespace), 'app', { provider: 'neutron', cloud: 'app' })
    await make('Subnet', pathOf('Subnet', namespace), 'app', { vpc: 'app', ipv4: { cidr: '10.14.0.0/24' } })
    await make('Port', pathOf('Port', namespace), 'by-app', { subnet: 'app' })
    await becomes('by-app', /^ready/)
    await credential.revoke()
    // Neutron asks Keystone of a token again after that time.
    await new Promise((resolve) => setTimeout(resolve, 6_000))
    await make('Port', pathOf('Port', namespace), 'late', { subnet: 'app' })
    await becomes('late', /^pending: .*40[14] for a token: .*[Aa]pplication [Cc]redential/)
    await write({ username: person, password: 'wrong', project })
    await becomes('late', /^pending: .*401 for a token: Unauthorized: The request you have made requires authentication/)
    await write({ username: person, password, project })
    await becomes('late', /^ready/)
    for (const [kind, name] of [
      ['Port', 'by-app'],
      ['Port', 'late'],
      ['Subnet', 'app'],
      ['Vpc', 'app'],
    ] as const)
      await cloud.agents().rest.remove(pathOf(kind, namespace, name))
  })

  test('a token that Keystone has revoked, or that is near its end, is asked for anew, and no request fails for it', async () => {
    const { url, token } = world().keystone!
    const http = new HttpClient({ clock: realClock, timeoutMs: 20_000, answerMaxBytes: 1 << 24 })
    const clientBy = (clock: Clock) => {
      const tokens: string[] = []
      const client = new OpenStackClient({
        unreachable: (reason) => new CloudUnreachable({ cloud: 'c', reason }),
        service: 'network',
        endpoint: url,
        credentials: { username: person, password, project },
        endpoints: { region: 'RegionOne', interface: 'internal' },
        clock,
        random: Math.random,
        async ask(request, signal) {
          const answer = await http.ask(request, signal)
          const given = answer.headers['x-subject-token']
          if (typeof given === 'string') tokens.push(given)
          return answer
        },
      })
      const list = async (): Promise<number> =>
        (await client.send({ method: 'GET', path: '/v2.0/networks', tenant: '', signal: AbortSignal.timeout(20_000) })).status
      return { tokens, list }
    }
    const revoked = clientBy(realClock)
    assert.equal(await revoked.list(), 200)
    const headers = { 'x-auth-token': await token('admin'), 'x-subject-token': revoked.tokens[0]! }
    assert.equal((await fetch(`${url}/auth/tokens`, { method: 'DELETE', headers })).status, 204)
    await until(
      async () => {
        assert.equal(await revoked.list(), 200)
        return revoked.tokens.length === 2
      },
      'another token is asked for',
      30_000,
    )

    const clock = new TurnedClock()
    const aged = clientBy(clock)
    assert.equal(await aged.list(), 200)
    // Keystone's own: an hour.
    for (const minutes of [58, 1.5]) {
      clock.advance(minutes * 60_000)
      assert.equal(await aged.list(), 200)
    }
    assert.equal(aged.tokens.length, 2)
    await http.close()
  })
}
