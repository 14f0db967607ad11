// Nimbess' story as anybody would have it told: whole processes, and connections.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PolicyDemo } from '../../cli/demo/policy.ts'
import { noNamespaces } from '../../lab/namespaces.ts'
import { haproxyMissing } from '../../lab/programs/haproxy.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import { heldSentences, played } from '../setup/stories.ts'

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? false

/** URLs are refused where HAProxy is. */
const ofUrls = (await haproxyMissing({ install: false, print: () => undefined })) === undefined ? 2 : 0

for (const [dataplane, least] of [
  ['ovs', 15 + ofUrls],
  ['linux', 8],
] as const)
  test(`each sentence of the policy of Nimbess holds for connections between pods of two nodes on ${dataplane}`, { skip }, async () => {
    assert.ok((await heldSentences('nimbess', '--dataplane', dataplane)).length >= least)
  })

test('what a plan of policies says is what connections then do', { skip }, async () => {
  const { code, stdout, stderr } = await played('demo.ts', '--policy')
  assert.equal(code, 0, `${stdout}${stderr}`)
  const { before, planned, after } = JSON.parse(stdout) as PolicyDemo
  assert.equal(before.flat().includes(false), false)
  assert.equal(planned.flat().filter((each) => each === false).length, 2)
  assert.deepEqual(after, planned)
})
