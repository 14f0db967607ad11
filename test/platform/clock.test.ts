import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limited, pause, realClock, timeLimit, TurnedClock } from '../../platform/clock.ts'

test('a turned clock calls what falls due, in order of time, each at its own time', () => {
  const clock = new TurnedClock(1_000)
  const heard: string[] = []
  const say = (word: string) => () => heard.push(`${word} ${clock.now()}`)
  clock.after(30, say('late'))
  clock.after(10, say('first'))
  clock.after(10, say('second'))
  clock.after(31, say('never'))
  clock.advance(30)
  assert.deepEqual(heard, ['first 1010', 'second 1010', 'late 1030'])
  assert.equal(clock.now(), 1_030)
})

test('what a call arms is called in the same turn where it falls due in it', () => {
  const clock = new TurnedClock(0)
  const heard: number[] = []
  const again = (): void => {
    heard.push(clock.now())
    clock.after(10, again)
  }
  clock.after(10, again)
  clock.advance(35)
  assert.deepEqual(heard, [10, 20, 30])
  clock.advance(4)
  assert.deepEqual(heard, [10, 20, 30])
  clock.advance(1)
  assert.deepEqual(heard, [10, 20, 30, 40])
})

test('what is cancelled, before or in the middle of a turn, is never called', () => {
  const clock = new TurnedClock(0)
  const wrong = (): never => assert.fail('was cancelled')
  clock.after(5, wrong)()
  const cancel = clock.after(20, wrong)
  clock.after(10, cancel)
  clock.advance(100)
})

test('the real clock calls once, not before what was armed for earlier, and not at all once cancelled', async () => {
  const heard: string[] = []
  realClock.after(1, () => heard.push('cancelled'))()
  const held = setTimeout(() => undefined, 10_000)
  await new Promise<void>((done) => {
    realClock.after(20, () => {
      heard.push('later')
      done()
    })
    realClock.after(1, () => heard.push('sooner'))
    // Beyond what a timer can count Node.js would call at once.
    const far = realClock.after(2 ** 40, () => heard.push('at once'))
    realClock.after(15, far)
  })
  clearTimeout(held)
  assert.deepEqual(heard, ['sooner', 'later'])
})

test('the real clock keeps no process alive', () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  const cancel = realClock.after(60_000, () => undefined)
  assert.equal(timers(), before)
  cancel()
})

test('a pause and a limit are of the clock that is handed in, and a signal ends a pause', async () => {
  const clock = new TurnedClock(0)
  const ended = new AbortController()
  const heard: string[] = []
  const limit = timeLimit(20, clock)
  const pauses = [pause(10, clock).then(() => heard.push('turned')), pause(1_000, clock, ended.signal).then(() => heard.push('ended'))]
  clock.advance(10)
  await pauses[0]
  assert.equal(limit.aborted, false)
  clock.advance(10)
  assert.equal((limit.reason as Error).name, 'TimeoutError')
  ended.abort()
  await pauses[1]
  assert.deepEqual(heard, ['turned', 'ended'])
  assert.equal(clock.elapsed(), 20)
})

test('a limit leaves no timer behind once what it limits has answered, and ends what a failure left running', async () => {
  const waiting = new Set<() => void>()
  const clock = Object.assign(new TurnedClock(0), {
    after(_ms: number, call: () => void) {
      waiting.add(call)
      return () => void waiting.delete(call)
    },
  })
  let left: AbortSignal | undefined
  assert.equal(await limited(20, clock, (signal) => ((left = signal), 'answered')), 'answered')
  assert.deepEqual([waiting.size, left?.aborted], [0, false])
  await assert.rejects(
    limited(20, clock, (signal) => ((left = signal), Promise.reject(new Error('failed')))),
    /failed/,
  )
  assert.deepEqual([waiting.size, left?.aborted], [0, true])
  const late = limited(
    20,
    clock,
    (signal) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
  )
  for (const call of waiting) call()
  await assert.rejects(late, { name: 'TimeoutError' })
})
