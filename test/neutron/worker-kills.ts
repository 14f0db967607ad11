// kill -9 of Megrez right after each thing that it does to ports at a real Neutron, before it has heard that it is done: nothing is left
// over, and nothing is there twice; also where Neutron lets nobody choose MACs, which are the fence elsewhere. A relay before
// neutron-server knows when.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { writeCredentials } from '../../lab/openstack/keystone.ts'
import { serve, type Running } from '../process/server.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import type { NeutronWorld } from './lab.ts'
import { apiVersion, type OurPort } from './pods.ts'

const namespace = 'kills'
const [tenant, operator] = ['tenant-b', 'admin'] as const
/** Each is made, and bound by another request. */
const kills = trials(30)

interface Relay {
  readonly server: Server
  readonly url: string
  /** Called once a port has been made, changed or deleted, before anybody hears of it; true: nobody is to be told. */
  done: () => boolean | Promise<boolean>
}

async function relayTo(target: string): Promise<Relay> {
  const pass = async (asked: IncomingMessage, reply: ServerResponse): Promise<void> => {
    let text = ''
    for await (const piece of asked) text += String(piece)
    const headers = Object.fromEntries(
      ['content-type', 'x-auth-token', 'if-match'].flatMap((name) => {
        const value = asked.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      }),
    )
    const answer = await fetch(`${target}${asked.url}`, { method: asked.method!, headers, ...(text !== '' && { body: text }) })
    const body = await answer.text()
    const isEffect = asked.method !== 'GET' && asked.url!.startsWith('/v2.0/ports') && answer.ok
    if (isEffect && (await relay.done())) return void reply.destroy()
    reply.writeHead(answer.status, { 'content-type': 'application/json' }).end(body)
  }
  const server = createServer((asked, reply) => void pass(asked, reply).catch(() => reply.destroy()))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const relay: Relay = { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, done: () => false }
  return relay
}

const region = 'relayed'

/** Another project's, for everybody: by Neutron's own policy nobody else chooses MACs there. */
async function shareNetwork({ admin, as }: NeutronWorld): Promise<string> {
  const { id: network_id } = await admin.post<{ readonly id: string }>('networks', { network: { name: 'of-others', shared: true } })
  await admin.post('subnets', { subnet: { name: 'of-others', network_id, ip_version: 4, cidr: '10.17.0.0/24' } })
  const { status, body } = await (await as(tenant)).ask('POST', 'ports', { port: { network_id, mac_address: '02:00:00:00:00:11' } })
  assert.equal(status, 403, JSON.stringify(body))
  assert.match(JSON.stringify(body), /create_port:mac_address/)
  return network_id
}

/** In a region of its own, for who asks for that. */
async function addEndpoint({ keystone }: NeutronWorld, url: string): Promise<void> {
  const headers = { 'content-type': 'application/json', 'x-auth-token': await keystone!.token('admin') }
  const post = async (path: string, body: object): Promise<void> => {
    const made = await fetch(`${keystone!.url}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    assert.equal(made.status, 201, await made.text())
  }
  const found = await fetch(`${keystone!.url}/services?type=network`, { headers })
  const { services } = (await found.json()) as { readonly services: readonly { readonly id: string }[] }
  await post('regions', { region: { id: region } })
  await post('endpoints', { endpoint: { interface: 'public', url, service_id: services[0]!.id, region_id: region } })
}

/** It goes on while others are tested. @returns what is tested once that is over, and in the end, once no request can be under way */
export function workerKills(world: () => NeutronWorld): { killedTests(): void; endTests(): void } {
  let folder: string
  let relay: Relay
  let megrez: Running
  const start = async (): Promise<void> => {
    const env = { MEGREZ_CLOUD_CREDENTIALS: join(folder, 'credentials'), MEGREZ_QUEUE_IN_PROCESS: 'true' }
    megrez = await serve(join(folder, 'data'), { args: ['--no-install'], env })
  }
  after(async () => {
    await megrez?.end('SIGTERM')
    relay?.server.close()
    relay?.server.closeAllConnections()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true })
  })
  async function make(kind: 'Cloud' | 'Vpc' | 'Subnet', path: string, name: string, spec: object): Promise<void> {
    const { status, body } = await megrez.rest.call('POST', path, { apiVersion, kind, metadata: { name }, spec })
    assert.equal(status, 201, body.detail)
  }
  async function makePod(name: string, vpc: string): Promise<void> {
    const { status, body } = await megrez.rest.call('POST', pathOf('Pod', namespace), {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name, annotations: { 'megrez.io/vpc': vpc, 'megrez.io/nics': `[{"subnet":"${vpc}"}]`, 'megrez.io/cluster-nic': 'none' } },
      spec: { nodeName: world().hosts[0].name, containers: [{ name: 'main', image: 'none' }] },
    })
    assert.equal(status, 201, body.detail)
  }
  const ports = async (): Promise<readonly OurPort[]> =>
    ((await megrez.rest.call('GET', pathOf('Port', namespace))).body.items ?? []) as unknown as readonly OurPort[]
  const namesAtNeutron = async (): Promise<readonly string[]> =>
    (await (await world().as(tenant)).get<readonly { readonly name: string }[]>('ports'))
      .map(({ name }) => name)
      .filter((name) => name.startsWith('megrez-'))
      .sort()

  async function killAgainAndAgain(): Promise<void> {
    folder = await mkdtemp(join(tmpdir(), 'megrez-kills-'))
    for (const person of [tenant, operator]) await writeCredentials(join(folder, 'credentials'), person)
    relay = await relayTo(world().server.url)
    await addEndpoint(world(), relay.url)
    await start()
    const { url: endpoint } = world().keystone!
    const common = { provider: 'neutron', endpoint, region, credentials: tenant, bindingCredentials: operator, timeoutSeconds: 15 }
    const existing = await shareNetwork(world())
    for (const [name, cloud, vpc, subnet] of [
      ['own', {}, {}, { ipv4: { cidr: '10.11.0.0/24' } }],
      ['shared', { macs: 'cloud' }, { existing }, { existing: 'of-others' }],
    ] as const) {
      await make('Cloud', '/v1/clouds', name, { ...common, ...cloud })
      await make('Vpc', pathOf('Vpc', namespace), name, { provider: 'neutron', cloud: name, ...vpc })
      await make('Subnet', pathOf('Subnet', namespace), name, { vpc: name, ...subnet })
      const phase = async (): Promise<string | undefined> =>
        (await megrez.rest.call('GET', pathOf('Subnet', namespace, name))).body.status?.phase
      await until(async () => (await phase()) === 'ready', `the Subnet ${name} is at Neutron`, 60_000)
    }
    let killed = 0
    for (let i = 0; killed < kills; i++) {
      let gone: Promise<unknown> | undefined
      let asked = Promise.resolve()
      // What it goes on with from before may be done while it is asked for the next pod: it answers that first.
      relay.done = async () => {
        gone ??= asked.then(() => megrez.end('SIGKILL'))
        await gone
        return true
      }
      if (killed % 2 === 0) asked = makePod(`p${i}`, killed % 8 === 0 ? 'shared' : 'own')
      await asked
      await until(() => gone !== undefined, `something is done to a port, after ${killed} kills`, 60_000)
      await gone
      relay.done = () => false
      killed++
      // The next kill is at what it goes on with.
      await start()
    }
    await until(async () => (await ports()).every(({ status }) => status?.providerID !== undefined), 'each Port knows its port', 60_000)
    const wanted = (await ports()).map(({ metadata: { uid } }) => `megrez-${uid}`).sort()
    assert.ok(wanted.length >= kills / 2)
    assert.deepEqual(await namesAtNeutron(), wanted)
    const shared = (await ports()).filter(({ spec }) => spec.subnet === 'shared')
    assert.ok(shared.length > 0 && shared.every(({ status }) => status?.mac?.startsWith('fa:16:3e:')), "MACs there are of Neutron's choice")
    for (const { spec } of await ports()) await megrez.rest.remove(pathOf('Pod', namespace, spec.claim!.pod))
  }

  let killing: Promise<void>
  test('a Megrez of its own begins to be killed', () => {
    killing = killAgainAndAgain()
    // Who waits for it is told below.
    killing.catch(() => undefined)
  })

  return {
    killedTests: () =>
      void test(
        `Megrez is killed after each of ${kills} things that it does to ports: each Port has one`,
        { timeout: 1_200_000 },
        () => killing,
      ),
    endTests: () =>
      void test('and in the end none of its ports is left', { timeout: 700_000 }, () =>
        until(async () => (await namesAtNeutron()).length === 0 && (await ports()).length === 0, 'nothing is left', 190_000),
      ),
  }
}
