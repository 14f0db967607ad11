// The nsmgr that an agent is: a process of its own on a node of a lab, with the chart's settings, and NSM's certificates and policies.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseCidr } from '../../core/net/cidr.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { linuxCarrier } from '../../lab/nodes/carriers.ts'
import { realClock } from '../../platform/clock.ts'
import { silentLog } from '../../platform/log.ts'
import { startEndpoint } from '../../platform/nsm/roles/endpoint.ts'
import { spiffeTokens } from '../../platform/nsm/tokens/spiffe-tokens.ts'
import { followFiles } from '../../platform/tls/files.ts'
import { startAgents } from '../node/agents.ts'
import { withSpaces } from '../node/kernel.ts'
import { until } from '../setup/until.ts'
import { programOf, startPeer, startPeerInside } from './peers.ts'

const pings = (fd: number, address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const args = ['--net=/proc/self/fd/3', 'ping', '-n', '-c', '2', '-i', '0.2', '-W', '1', address]
    spawn('nsenter', args, { stdio: ['ignore', 'ignore', 'ignore', fd] }).on('close', (code) => resolve(code === 0))
  })

test(
  'NSM’s client on the socket of an agent has packets, a name without descriptor has none, and after a kill of the agent it heals',
  { skip: (await noNamespaces()) ?? false },
  async (t) =>
    withSpaces(async (spaces) => {
      const stops: (() => unknown)[] = []
      t.after(async () => {
        for (const stop of stops.reverse()) await stop()
      })
      const folder = mkdtempSync(join(tmpdir(), 'megrez-nsm-'))
      stops.push(() => rmSync(folder, { recursive: true, force: true }))
      const pem = (name: string): string => join(folder, name)
      const as = (name: string): readonly string[] => [
        ...['--tls', 'mtls', '--tls-ca', pem('ca.pem'), '--tls-cert', pem(`${name}.pem`), '--tls-key', pem(`${name}.key`)],
        ...['--token', 'spiffejwt', '--token-lifetime', '10m', '--authorize', 'opa'],
      ]
      await startPeer('certs', '--out', folder, '--name', 'registry,nsmgr,nse,client').ended
      const [registry, socket] = [`unix://${folder}/registry.sock`, `unix://${folder}/nsm.sock`]
      const registered = startPeer('registry-memory', '--listen', registry, ...as('registry'))
      stops.push(() => registered.kill())
      await registered.event('listening')

      const agents = await startAgents()
      stops.push(() => agents.close())
      const node = await agents.node('one', linuxCarrier, {
        MEGREZ_NSMGR_LISTEN: 'tcp://127.0.0.1:5001',
        MEGREZ_NSMGR_SOCKET: socket,
        MEGREZ_NSMGR_REGISTRY: registry,
        MEGREZ_NSMGR_FORWARDER: 'kernel',
        MEGREZ_NSMGR_CERT: pem('nsmgr.pem'),
        MEGREZ_NSMGR_KEY: pem('nsmgr.key'),
        MEGREZ_NSMGR_CA: pem('ca.pem'),
      })
      assert.equal(statSync(`${folder}/nsm.sock`).mode & 0o777, 0o660)

      const [near, far] = [await spaces.make(), await spaces.make()]
      const certificate = await followFiles(
        { cert: pem('nse.pem'), key: pem('nse.key'), clientCa: pem('ca.pem') },
        { clock: realClock, log: silentLog() },
      )
      stops.push(() => certificate.close())
      const program = { ...programOf('nse-1'), certificate, tokens: spiffeTokens({ certificate, lifeMs: 600_000, clock: realClock }) }
      await startPeer('register-ns', '--registry', socket, '--name', 'svc-a', ...as('client')).ended
      const endpoint = await startEndpoint(program, {
        listen: `unix://${folder}/nse.sock`,
        registry: socket,
        services: { 'svc-a': {} },
        mechanisms: ['KERNEL'],
        addresses: { blocks: [parseCidr('10.60.1.0/24')!], strict: true },
        namespace: `file://${far.path}`,
        signal: AbortSignal.timeout(100_000),
      })
      stops.push(() => endpoint.stop())

      const fd = openSync(near.path, 'r')
      stops.push(() => closeSync(fd))
      const ask = ['client', '--connect', socket, '--service', 'svc-a', '--mechanism', 'kernel', ...as('client')]
      const client = startPeerInside(fd, ...ask, '--id', 'conn-1', '--heal', '--wait-for-ready')
      stops.push(() => client.kill('SIGKILL'))
      await client.event('connected')
      assert.ok(await pings(fd, '10.60.1.0'), 'packets pass')

      const { dev, ino } = statSync(near.path)
      const named = ['--mechanism-param', `inodeURL=inode://${dev}/${ino}`, '--mechanism-param', 'name=nsm-9', '--sendfd', 'off']
      const other = startPeer(...ask, '--id', 'conn-2', ...named)
      stops.push(() => other.kill('SIGKILL'))
      assert.match(String((await other.event('request-failed'))['message']), /no descriptor of inode/)

      await node.killAgent()
      assert.ok(await pings(fd, '10.60.1.0'), 'packets pass while it is away')
      const answers = (): number => client.events.filter(({ event }) => event === 'response').length
      const answered = answers()
      await node.startAgent()
      await until(() => answers() > answered, 'it has asked again')
      await until(() => pings(fd, '10.60.1.0'), 'packets pass again')
      const links = async (): Promise<number> =>
        (await near.namespace.ip('-o', 'link')).stdout.split('\n').filter((line) => / svc-a-/.test(line)).length
      assert.equal(await links(), 1)
      await client.kill()
      await until(async () => (await links()) === 0, 'its Close takes the interface away')
    }),
)
