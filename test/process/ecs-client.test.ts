// The example of a container service, run as it stands, with a token that may no more than it needs.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { Ecs, Refused } from '../../examples/ecs-client/client.ts'
import { run } from '../../examples/ecs-client/story.ts'
import { realClock } from '../../platform/clock.ts'
import { openLocalIssuer } from '../../webhooks/plugins/issuer.ts'
import { serve } from './server.ts'

test('a service makes a Port, joins a pod to it and takes both away, told by callbacks, in its own namespace only', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'megrez-ecs-'))
  const server = await serve(folder, { args: ['--no-install'] })
  try {
    const { url, token: admin } = server.line
    const make = async (plural: string, body: object): Promise<void> => {
      const answer = await fetch(`${url}/v1/namespaces/shop/${plural}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      assert.equal(answer.status, 201, await answer.text())
    }
    await make('vpcs', { metadata: { name: 'blue' }, spec: {} })
    await make('subnets', { metadata: { name: 'front' }, spec: { vpc: 'blue', ipv4: { cidr: '192.0.2.0/24' } } })
    const issuer = await openLocalIssuer(folder, realClock)
    const token = await issuer.issue({ subject: 'ecs', scope: 'operator', namespaces: ['shop'] }, 600)
    const {
      secrets: [secret = ''],
    } = (await (await fetch(`${url}/v1/namespaces/shop/signing-secret`, { headers: { authorization: `Bearer ${token}` } })).json()) as {
      readonly secrets: readonly string[]
    }
    const said: string[] = []
    const [before, joined, after] = await run(
      { url, token, namespace: 'shop', vpc: 'blue', subnet: 'front', secret },
      (line) => void said.push(line),
    )
    assert.match(before?.join() ?? '', /^192\.0\.2\.\d+$/)
    assert.deepEqual([joined, after], [before, before])
    assert.equal(said.length, 4)
    await assert.rejects(
      new Ecs({ url, token, namespace: 'other' }).createPort('p', { subnet: 'front' }),
      (problem: Refused) => problem.problem.status === 403,
    )
  } finally {
    await server.end('SIGTERM')
    await rm(folder, { recursive: true })
  }
})
