import type { TestEvent } from 'node:test/reporters'

/**
 * A reporter for `node --test`: one line for each test that failed, `FILE: NAME: MESSAGE`. A group that fails prints them once more at the
 * end of the whole run, where whoever sees only the last lines of a log finds them.
 */
export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail') continue
    const { name, file, details } = event.data
    const { error } = details
    // A suite or a file fails because of what is in it: that is named already.
    if ('failureType' in error && error.failureType === 'subtestsFailed') continue
    const why = error.cause instanceof Error ? error.cause.message : error.message
    yield `${file ?? ''}: ${name}: ${why.split('\n', 3).join(' ').slice(0, 400)}\n`
  }
}
