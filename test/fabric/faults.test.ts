// Real processes, real switches: a server that is killed at any moment, a switch that comes back without its configuration, and a
// connection that goes dead without a word.
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, describe, test } from 'node:test'
import { Rest } from '../../cli/demo/rest.ts'
import { labPrefix } from '../../lab/namespaces.ts'
import { startOvsNode, type OvsNode } from '../../lab/programs/ovs.ts'
import { held } from '../setup/held.ts'
import { ovsFolder, ovsSkip } from '../setup/ovs.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { seeded } from '../workers/test-cluster.ts'

const serve = join(import.meta.dirname, '../../cli/serve.ts')
const ports = ['n1', 'n2', 'gw']

/** A TCP port in front of a switch whose packets can be held up for as long as one likes: nobody hangs up, and nothing arrives. */
interface Path {
  readonly address: string
  hold(held: boolean): void
  close(): Promise<void>
}
async function pathTo(socketPath: string): Promise<Path> {
  const sockets = new Set<Socket>()
  let held = false
  const take = (socket: Socket, to: Socket): void => {
    sockets.add(socket)
    socket
      .on('data', (piece) => to.write(piece))
      .on('error', () => undefined)
      .on('close', () => {
        sockets.delete(socket)
        to.destroy()
      })
    if (held) socket.pause()
  }
  const server: Server = createServer((socket) => {
    const inner = connect({ path: socketPath })
    take(socket, inner)
    take(inner, socket)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `tcp:127.0.0.1:${(server.address() as AddressInfo).port}`,
    hold(now) {
      held = now
      for (const each of sockets) {
        if (held) each.pause()
        else each.resume()
      }
    },
    close: () =>
      new Promise((resolve) => {
        for (const each of sockets) each.destroy()
        server.close(() => resolve())
      }),
  }
}

describe('a fabric that things happen to', { skip: ovsSkip }, () => {
  let node: OvsNode
  let path: Path
  let folder: string
  let child: ChildProcess | undefined
  let rest: Rest

  async function start(): Promise<void> {
    const env = Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !name.startsWith('MEGREZ_') && name !== 'NODE_TEST_CONTEXT'),
    )
    child = spawn(
      process.execPath,
      ['--disable-warning=ExperimentalWarning', serve, '--port', '0', '--data', folder, '--json', '--no-install'],
      { stdio: ['ignore', 'pipe', 'ignore'], env: { ...env, MEGREZ_LOG_LEVEL: 'silent', MEGREZ_FABRIC_AUDIT_MS: '2000' } },
    )
    const line = await new Promise<string>((resolve, reject) => {
      child!.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
      createInterface({ input: child!.stdout! }).once('line', resolve)
    })
    rest = new Rest(JSON.parse(line) as { url: string; token: string })
  }
  async function kill(): Promise<void> {
    const ended = new Promise<void>((resolve) => child!.once('exit', () => resolve()))
    child!.kill('SIGKILL')
    await ended
  }
  const trunks = async (): Promise<string> =>
    (await Promise.all(ports.map(async (name) => `${name} ${(await node.vsctl('get', 'port', name, 'trunks')).trim()}`))).join(', ')
  const all = (list: string): string => ports.map((name) => `${name} [${list}]`).join(', ')
  const make = async (plural: string, kind: string, name: string, spec: object): Promise<void> => {
    const answer = await rest.call('POST', `/v1/${plural}`, { apiVersion: 'megrez.io/v1alpha1', kind, metadata: { name }, spec })
    assert.ok(answer.status === 201, `${kind} ${name}: ${answer.status} ${JSON.stringify(answer.body)}`)
  }
  const attach = async (name: string, vlan: number): Promise<void> => {
    await make('namespaces/a/l2services', 'L2Service', name, { segmentationID: vlan, physicalNW: ['physnet'] })
    await make('namespaces/a/l2serviceattachments', 'L2ServiceAttachment', name, {
      l2Services: [name],
      connectionPoint: 'cp',
      vlanType: 'access',
    })
  }
  const detach = async (name: string): Promise<void> => {
    await rest.remove(`/v1/namespaces/a/l2serviceattachments/${name}`)
    await rest.remove(`/v1/namespaces/a/l2services/${name}`)
  }

  before(async () => {
    node = await startOvsNode({ name: labPrefix(), folder: ovsFolder() })
    await node.vsctl(
      'add-br',
      'tor',
      '--',
      'set',
      'bridge',
      'tor',
      'datapath_type=netdev',
      ...ports.flatMap((name) => [
        '--',
        'add-port',
        'tor',
        name,
        '--',
        'set',
        'interface',
        name,
        'type=internal',
        '--',
        'set',
        'port',
        name,
        'trunks=4095',
      ]),
    )
    path = await pathTo(node.db.slice('unix:'.length))
    folder = await mkdtemp(join(tmpdir(), 'mz-serve-'))
    await start()
    await make('fabrics', 'Fabric', 'dc', {
      switches: [{ name: 'tor', driver: 'ovsdb', address: path.address }],
      links: [
        { node: 'n1', interface: 'e', switch: 'tor', switchPort: 'n1' },
        { node: 'n2', interface: 'e', switch: 'tor', switchPort: 'n2' },
      ],
      gateways: [{ physicalNetwork: 'physnet', switch: 'tor', switchPort: 'gw' }],
    })
    await make('nodepools', 'NodePool', 'pool', { nodes: ['n1', 'n2'], interfaces: [{ name: 'e', connectionPoint: 'cp' }] })
    await make('connectionpoints', 'ConnectionPoint', 'cp', {
      supportedCnis: [{ name: 'ovs', supportedInterfaceTypes: ['kernel'], bridgeName: 'br' }],
    })
  })
  after(async () => {
    if (child !== undefined) await kill()
    await path.close()
    await node.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test(`a server killed ${trials(8)} times at any moment leaves nothing open that is not wanted, and nothing closed that is`, async () => {
    const random = seeded(7)
    for (let n = 0; n < trials(8); n++) {
      await attach('s', 100 + n)
      await new Promise((resolve) => setTimeout(resolve, random() * 60))
      await kill()
      await start()
      await until(async () => (await trunks()) === all(String(100 + n)), `VLAN ${100 + n} is open after a kill`, 60_000)
      await detach('s')
      await new Promise((resolve) => setTimeout(resolve, random() * 60))
      await kill()
      await start()
      await until(async () => (await trunks()) === all('4095'), `VLAN ${100 + n} is closed after a kill`, 60_000)
      await until(async () => (await rest.call('GET', '/v1/namespaces/a/l2services/s')).status === 404, 'the service is gone', 60_000)
    }
  })

  test('a switch that comes back without its configuration is given it again', async () => {
    await attach('t', 300)
    await until(async () => (await trunks()) === all('300'), 'VLAN 300 is open', 60_000)
    await node.vsctl(...ports.flatMap((name) => ['--', 'set', 'port', name, 'trunks=4095', '--', 'clear', 'port', name, 'external_ids']))
    await node.restartOvsdb()
    await until(async () => (await trunks()) === all('300'), 'VLAN 300 is open again', 60_000)
    await detach('t')
    await until(async () => (await trunks()) === all('4095'), 'VLAN 300 is closed', 60_000)
  })

  test('a connection that goes dead without a word is noticed, said, and mended', async () => {
    path.hold(true)
    await attach('u', 400)
    const message = async (): Promise<string> =>
      (await rest.call('GET', '/v1/namespaces/a/l2services/u')).body.status === undefined
        ? ''
        : JSON.stringify((await rest.call('GET', '/v1/namespaces/a/l2services/u')).body.status)
    await until(async () => (await message()).includes('switch dc/tor is unreachable'), 'it says which switch', 60_000)
    assert.equal(await trunks(), all('4095'))
    path.hold(false)
    await until(async () => (await trunks()) === all('400'), 'VLAN 400 is open', 90_000)
    await detach('u')
    await until(async () => (await trunks()) === all('4095'), 'VLAN 400 is closed', 60_000)
  })

  test('a switch that is there and does nothing (kill -STOP) is given up in time and named, holds up no other, and has what is wanted once it goes on', async () => {
    const message = async (): Promise<string> => JSON.stringify((await rest.call('GET', '/v1/namespaces/a/l2services/v')).body.status ?? '')
    const goOn = node.hang('ovsdb-server')
    try {
      await attach('v', 500)
      await until(async () => (await message()).includes('switch dc/tor is unreachable'), 'it says which switch', 60_000)
      await make('fabrics', 'Fabric', 'other', { switches: [], links: [], gateways: [] })
      await until(
        async () => (await rest.call('GET', '/v1/fabrics/other')).body.status?.phase === 'ready',
        'another Fabric is ready meanwhile',
        20_000,
      )
      await held()
      assert.match(await message(), /switch dc\/tor is unreachable/)
    } finally {
      goOn()
    }
    await until(async () => (await trunks()) === all('500'), 'VLAN 500 is open', 90_000)
    await detach('v')
    await until(async () => (await trunks()) === all('4095'), 'VLAN 500 is closed', 60_000)
  })
})
