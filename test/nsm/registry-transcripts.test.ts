// The scenarios of peers/nsm/reference that a registry takes part in, played by nsm-peer against ours.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { after, describe, test, type TestContext } from 'node:test'
import { play, type Played } from './played.ts'
import { serveRegistry } from './registry-served.ts'
import { comparable, readTranscript, type PeerEvent } from './transcripts.ts'

const played: Played[] = []
after(async () => {
  for (const each of played) await each.finish()
})
const begin = (): Played => {
  const scenario = play()
  played.push(scenario)
  return scenario
}

/** @param notes false: how many tries fell before a note is the run's */
async function isAsThere(scenario: string, names: readonly string[], { events }: Played, notes = true): Promise<void> {
  const lines = (all: readonly PeerEvent[]): string[] => comparable(all.filter(({ event }) => notes || event !== 'note'))
  for (const name of names) assert.deepEqual(lines(events(name)), lines(await readTranscript(scenario, name)), name)
}

describe('a registry, beside the one of NSM', () => {
  test('network services: register, replace, find, unregister', async (t: TestContext) => {
    const { address } = await serveRegistry(t)
    const scenario = begin()
    const { start, run, note } = scenario
    const to = ['--registry', address]
    start('watch', 'find-ns', ...to, '--watch')
    await wait(200)
    await run('ns', 'register-ns', ...to, '--name', 'svc-a', '--match', 'app=fw=>role=db', '--match', '!=>app=fw|role=x')
    await run('ns', 'register-ns', ...to, '--name', 'svc-a', '--payload', 'ETHERNET')
    await run('ns', 'find-ns', ...to, '--name', 'svc-a')
    note('ns', 'by a name that does not exist')
    await run('ns', 'find-ns', ...to, '--name', 'svc-z')
    note('ns', 'unregister, then unregister again')
    await run('ns', 'unregister-ns', ...to, '--name', 'svc-a')
    await run('ns', 'unregister-ns', ...to, '--name', 'svc-a')
    await wait(200)
    await scenario.finish()
    await isAsThere('registry-ns', ['ns', 'watch'], scenario)
  })

  test('endpoints: watch, refresh, expiry, unregister', async (t: TestContext) => {
    const { address } = await serveRegistry(t, { longestMs: 3_000 })
    const scenario = begin()
    const { start, run, note, end } = scenario
    const to = ['--registry', address]
    const [nse1, nse2] = ['tcp://127.0.0.1:5333', 'tcp://127.0.0.1:5334']
    const short = ['--timeout', '500ms']
    start('watch-all', 'find-nse', ...to, '--watch')
    start('watch-svc', 'find-nse', ...to, '--service', 'svc-a', '--watch')
    await wait(200)
    const both = ['--service', 'svc-a', '--service', 'svc-b', '--label', 'role=db', '--label', 'svc-b:role=web']
    start('register', 'register-nse', ...short, ...to, '--name', 'nse-1', '--url', nse1, ...both)
    await wait(4_500)
    await run('find', 'find-nse', ...to, '--name', 'nse-1')
    note('find', 'by label')
    await run('find', 'find-nse', ...to, '--service', 'svc-b', '--label', 'role=web')
    note('find', 'by label, none')
    await run('find', 'find-nse', ...to, '--service', 'svc-b', '--label', 'role=db')
    note('find', 'by part of the URL')
    await run('find', 'find-nse', ...to, '--url', '127.0.0.1:5333')
    note('watch-all', 'SIGTERM to the registering process')
    await end('register')
    await wait(200)
    const once = (name: string, service: string, url: string, ...more: readonly string[]): Promise<void> =>
      run('once', 'register-nse', ...to, '--name', name, '--service', service, '--url', url, '--once', '--heal=false', ...more)
    note('watch-all', 'register once, then nobody refreshes')
    await once('nse-2', 'svc-a', nse2, ...short)
    await wait(3_600)
    note('watch-all', 'register with expiration_time in 1 s')
    await once('nse-3', 'svc-a', nse2, '--ttl', '1s', ...short)
    await wait(1_500)
    note('watch-all', 'unregister of a name that does not exist')
    await run('once', 'unregister-nse', ...to, '--name', 'nse-9')
    note('watch-all', 'same name registered twice, second with another URL')
    await once('nse-4', 'svc-a', nse1, ...short)
    await once('nse-4', 'svc-b', nse2, ...short)
    note('watch-all', 'unregister by another process')
    await run('once', 'unregister-nse', ...to, '--name', 'nse-4')
    note('watch-all', 'expiry 3 s and a deadline of 15 s: gone at once')
    await once('nse-5', 'svc-a', nse1, '--timeout', '15s')
    await wait(300)
    note('once', 'no token')
    await once('nse-6', 'svc-a', nse1, '--token', 'none', ...short)
    await wait(100)
    note('once', 'no name')
    const register = 'registry.NetworkServiceEndpointRegistry/Register'
    await run('once', 'call', '--connect', address, '--method', register, '--json', '{"networkServiceNames":["svc-a"]}')
    await scenario.finish()
    await isAsThere('registry', ['watch-all', 'watch-svc', 'register', 'find', 'once'], scenario)
  })

  test('whoever is registered registers again when a registry has died and forgotten all', async (t: TestContext) => {
    const first = await serveRegistry(t)
    const { address } = first
    const scenario = begin()
    const { start, note } = scenario
    start('watch', 'find-nse', '--registry', address, '--watch')
    start(
      'register',
      'register-nse',
      '--registry',
      address,
      '--name',
      'nse-1',
      '--service',
      'svc-a',
      '--url',
      'tcp://127.0.0.1:5353',
      '--retry',
    )
    await wait(500)
    note('register', 'SIGKILL to the registry')
    note('watch', 'SIGKILL to the registry')
    await first.stop(0)
    await wait(1_000)
    note('register', 'registry starts again')
    note('watch', 'registry starts again')
    await serveRegistry(t, { address })
    await wait(3_000)
    await scenario.finish()
    await isAsThere('registry-heal', ['register', 'watch'], scenario, false)
  })
})
