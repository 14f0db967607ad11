// What everything that scales Deployments must do, in memory or by an API server.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { DeploymentName, Scale, Scales } from '../../core/contracts/scales.ts'

export interface ScaledWorld {
  readonly scales: Scales
  readonly namespace: string
  /** Makes one, as its owner. */
  deploy(of: DeploymentName, replicas: number): Promise<void>
  /** Its owner sets the number. */
  set(of: DeploymentName, replicas: number): Promise<void>
  end(): Promise<void>
}

const signal = new AbortController().signal

export function scalesLaws(name: string, open: () => Promise<ScaledWorld>): void {
  describe(`${name}: scales`, () => {
    let world: ScaledWorld
    let count = 0
    before(async () => (world = await open()), { timeout: 240_000 })
    after(() => world?.end())

    const deployed = async (replicas: number): Promise<DeploymentName> => {
      const of = { namespace: world.namespace, name: `dns-${++count}` }
      await world.deploy(of, replicas)
      return of
    }
    const read = async (of: DeploymentName): Promise<Scale> => {
      const scale = await world.scales.read(of, signal)
      assert.ok(typeof scale === 'object', String(scale))
      return scale
    }
    const numberOf = async (of: DeploymentName): Promise<number> => (await read(of)).replicas
    const activated = async (): Promise<DeploymentName> => {
      const of = await deployed(0)
      assert.equal(await world.scales.up(of, await read(of), signal), true)
      return of
    }

    test('what is at 0 comes to 1, and what we made 1 goes to 0, again and again', async () => {
      const of = await activated()
      for (let round = 0; round < 3; round++) {
        assert.equal(await numberOf(of), 1)
        assert.equal(await world.scales.isOurs(of, await read(of), signal), true)
        assert.equal(await numberOf(of), 1, 'to ask changes nothing')
        assert.equal(await world.scales.down(of, await read(of), signal), true)
        assert.equal(await numberOf(of), 0)
        assert.equal(await world.scales.up(of, await read(of), signal), true)
      }
    })

    test('what has changed since it was read is left as it is', async () => {
      const of = await deployed(0)
      const old = await read(of)
      await world.set(of, 3)
      assert.equal(await world.scales.up(of, old, signal), false)
      assert.equal(await numberOf(of), 3)
      const ours = await activated()
      const before = await read(ours)
      await world.set(ours, 2)
      assert.equal(await world.scales.down(ours, before, signal), false)
      assert.equal(await numberOf(ours), 2)
    })

    test('a 1 that somebody else has set is not taken down, though we had made one before', async () => {
      const never = await deployed(1)
      assert.equal(await world.scales.isOurs(never, await read(never), signal), false)
      assert.equal(await world.scales.down(never, await read(never), signal), false)
      const of = await activated()
      await world.set(of, 3)
      await world.set(of, 1)
      assert.equal(await world.scales.isOurs(of, await read(of), signal), false)
      assert.equal(await world.scales.down(of, await read(of), signal), false)
      assert.deepEqual([await numberOf(never), await numberOf(of)], [1, 1])
    })

    test('one that is not there is said so', async () => {
      const of = { namespace: world.namespace, name: 'nobody' }
      assert.equal(await world.scales.read(of, signal), 'NotFound')
      assert.equal(await world.scales.up(of, { replicas: 0, resourceVersion: '1' }, signal), 'NotFound')
    })
  })
}
