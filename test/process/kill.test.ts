// kill -9 of the whole server at a random moment under load, then a restart: nothing leaks, nothing doubles, nothing sticks.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Rest } from '../../cli/demo/rest.ts'
import { trials } from '../setup/trials.ts'
import { until } from '../setup/until.ts'
import { breaches } from './invariants.ts'
import { serve } from './server.ts'

const folder = await mkdtemp(join(tmpdir(), 'megrez-kill-'))
after(() => rm(folder, { recursive: true, force: true }))

const namespace = 'kill'
const base = `/v1/namespaces/${namespace}`
// Short, so that what a killed admission reserved lapses within a trial.
const env = { MEGREZ_RESERVATION_MS: '1000', MEGREZ_ADDRESS_REST_MS: '0' }
/**
 * Now and then over Redis, where a killed worker's keys come back after some seconds: what the queue still knew or not may make no
 * difference.
 */
const ways = (trial: number) => ({ args: ['--no-install'], env: { ...env, MEGREZ_QUEUE_IN_PROCESS: String(trial % 5 !== 0) } })

async function network(rest: Rest): Promise<void> {
  await rest.call('POST', `${base}/vpcs`, { apiVersion: 'megrez.io/v1alpha1', kind: 'Vpc', metadata: { name: 'v' }, spec: {} })
  await rest.call('POST', `${base}/subnets`, {
    apiVersion: 'megrez.io/v1alpha1',
    kind: 'Subnet',
    metadata: { name: 's' },
    spec: { vpc: 'v', ipv4: { cidr: '10.1.0.0/24' }, ipv6: { cidr: '2001:db8::/64' } },
  })
  await until(async () => (await rest.call('GET', `${base}/subnets/s`)).body.status?.phase === 'ready', 'the Subnet is ready')
}

/** Makes and deletes pods until the server is gone. */
async function load(rest: Rest, trial: number): Promise<void> {
  for (let i = 0; ; i++) {
    const name = `p${trial}-${i}`
    const nics = [{ subnet: 's' }, i % 3 === 0 ? { subnet: 's', ip: `10.1.0.${200 + (i % 50)}` } : { subnet: 's' }]
    const pod = {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name },
      spec: { containers: [{ name: 'c', image: 'example.org/c' }], vpc: 'v', nics },
    }
    try {
      await rest.call('POST', `${base}/pods`, pod)
      if (i % 2 === 1) await rest.remove(`${base}/pods/p${trial}-${i - 1}`)
    } catch {
      return
    }
  }
}

test('kill -9 at any moment leaves no lock behind, no address twice and no finalizer stuck', async () => {
  // A real process and its file: that any moment will do is asked by the simulation.
  const rounds = trials(50)
  let server = await serve(folder, ways(0))
  await network(server.rest)
  let made = 0
  for (let trial = 0; trial < rounds; trial++) {
    const { rest } = server
    const loads = [load(rest, trial * 2), load(rest, trial * 2 + 1)]
    await pause(randomInt(1, 250))
    await server.end('SIGKILL')
    await Promise.all(loads)

    server = await serve(folder, ways(trial + 1))
    made += (await server.rest.call('GET', `${base}/pods`)).body.items?.length ?? 0
    await checkSettled(server.rest, trial)
  }
  assert.ok(made > 0, 'no pod was ever stored before a kill: the trials tried nothing')
  assert.equal(await server.end('SIGTERM'), 0)
})

async function checkSettled(rest: Rest, trial: number): Promise<void> {
  let found: string[] = []
  await until(async () => (found = await settled(rest)).length === 0, `trial ${trial}: the store settles`, 30_000).catch((err: unknown) => {
    assert.deepEqual(found, [], `trial ${trial}: ${String(err)}`)
  })
  for (const pod of (await rest.call('GET', `${base}/pods`)).body.items ?? []) await rest.remove(`${base}/pods/${pod.metadata.name}`)
  await until(
    async () => (await rest.everything()).every((item) => ['Vpc', 'Subnet', 'SegmentLock'].includes(item.kind)),
    `trial ${trial}: all that the pods had is given back`,
    30_000,
  )
  assert.deepEqual(await breaches(rest), [])
}

/** Breaches, and pods that are not served yet. */
async function settled(rest: Rest): Promise<string[]> {
  const pods = (await rest.call('GET', `${base}/pods`)).body.items ?? []
  const waiting = pods
    .filter((pod) => !(pod.metadata.annotations?.['megrez.io/nic-status'] ?? '').includes('"phase":"ready"'))
    .map((pod) => `pod ${pod.metadata.name} waits`)
  return [...waiting, ...(await breaches(rest))]
}
