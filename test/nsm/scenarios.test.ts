// What NSM's client, monitors and tools print beside our nsmgr, forwarder and endpoints, compared with what they print beside NSM's own.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { openStage, scenarios } from './scenarios.ts'
import { comparable, readTranscript, type PeerEvent } from './transcripts.ts'

describe('beside our nsmgr, forwarder and endpoints NSM’s programs print what they print beside NSM’s', { concurrency: 3 }, () => {
  for (const [name, { compared, alike = [], play }] of Object.entries(scenarios)) {
    test(name, async (t) => {
      const stage = await openStage()
      t.after(() => stage.finish())
      await play(stage)
      // Monitors are still to hear what the last client has closed.
      await wait(500)
      await stage.finish()
      for (const [process, view] of Object.entries(compared))
        assert.deepEqual(view(stage.events(process)), view(await readTranscript(name, process)), process)
      assert.deepEqual(
        asSet(alike.map((process) => stage.events(process))),
        asSet(await Promise.all(alike.map((process) => readTranscript(name, process)))),
      )
    })
  }
})

const asSet = (transcripts: readonly (readonly PeerEvent[])[]): readonly string[] =>
  transcripts
    .map((events) =>
      comparable(events)
        .join('\n')
        .replace(/conn-\d+/g, '<client>'),
    )
    .sort()
