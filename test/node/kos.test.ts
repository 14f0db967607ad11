// KOS's story as anybody would have it told: whole processes, and packets.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KosStory } from '../../cli/story/kos.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { played } from '../setup/stories.ts'

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? false

test(
  "attachments on nodes get KOS's interfaces, their programs run, packets pass between them, and nothing is left",
  { skip },
  async () => {
    const { code, stdout, stderr } = await played('story.ts', 'kos')
    assert.equal(code, 0, stderr)
    const story = JSON.parse(stdout) as KosStory
    assert.equal(story.attachments.length, 2)
    assert.deepEqual(
      story.pings.map(({ reached }) => reached),
      [true, false, true, false],
    )
    assert.deepEqual(story.left, [])
  },
)
