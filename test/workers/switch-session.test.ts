// A switch that says nothing holds nobody up for ever: who asked is told, and it is left alone for a while.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FabricDriver, SwitchState } from '../../core/contracts/fabric-driver.ts'
import { SwitchUnreachable } from '../../core/errors.ts'
import { TurnedClock } from '../../platform/clock.ts'
import { SwitchSession } from '../../workers/fabric/switch-session.ts'

const state = { ports: new Map() } as unknown as SwitchState
const ticks = async (): Promise<void> => {
  for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
}

/** A line to a switch that hangs until it is told to go on, whatever its signal says. */
function hanging() {
  const clock = new TurnedClock()
  let hangs = true
  const calls: string[] = []
  const answer = <T>(what: string, value: T): Promise<T> => {
    calls.push(what)
    return hangs ? new Promise(() => undefined) : Promise.resolve(value)
  }
  const driver: FabricDriver = {
    name: 'hung',
    observe: () => answer('observe', state),
    apply: () => answer('apply', undefined),
    close: () => Promise.resolve(),
  }
  const line = new SwitchSession({ key: 'dc/tor', driver, clock, random: () => 0.5, rate: 20, freshMs: 10_000, onDrift: () => undefined })
  return { clock, line, calls, goesOn: () => void (hangs = false) }
}

const whatOf = async (asked: Promise<unknown>): Promise<string> =>
  asked.then(
    () => 'answered',
    (err: unknown) => (err instanceof SwitchUnreachable ? err.message : String(err)),
  )
const hung = 'switch dc/tor is unreachable: it has not answered for 60 s'

test('who looks at a hung switch is told after a minute, those behind him at once, and once it answers again all is well', async () => {
  const { clock, line, calls, goesOn } = hanging()
  const first = whatOf(line.observe())
  await ticks()
  clock.advance(59_000)
  assert.equal(await Promise.race([first, ticks().then(() => 'waits')]), 'waits')
  clock.advance(1_000)
  assert.equal(await first, hung)
  assert.equal(await whatOf(line.observe()), hung)
  assert.deepEqual(calls, ['observe'], 'it is left alone for a while')
  goesOn()
  clock.advance(30_000)
  assert.equal(await whatOf(line.observe()), 'answered')
  await line.close()
})

test('who changes a hung switch is told too', async () => {
  const { clock, line } = hanging()
  const changed = whatOf(line.submit([]))
  await ticks()
  clock.advance(60_000)
  assert.equal(await changed, hung)
  await line.close()
})

test('the end of the line ends what hangs on it', async () => {
  const { line } = hanging()
  const first = whatOf(line.observe())
  await ticks()
  await line.close()
  assert.equal(await first, 'switch dc/tor is unreachable: it is no longer part of the Fabric')
})
