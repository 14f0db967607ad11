// No code throws where nobody catches it, and no key waits in a queue that nobody runs.
import type { Invariant } from '../invariant.ts'

export const order: Invariant = {
  name: 'order',
  begin({ site }, fail) {
    return {
      atRest() {
        for (const crash of site.crashes) fail(crash)
        for (const name of site.broker.unrun) fail(`keys wait in the queue ${name}, which nobody runs`)
      },
    }
  },
}
