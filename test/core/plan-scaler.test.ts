import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../../core/kinds/index.ts'
import { cooldownMsOf, directionOf, planScaler, type LookedAt, type ScalerDesired } from '../../core/plan/connections/scaler.ts'
import { seeded } from '../workers/test-cluster.ts'
import { thing } from './plan-things.ts'

const epoch = Date.parse('2026-01-01T00:00:00Z')
const random = seeded(7)
const pick = <T>(...of: readonly T[]): T => of[Math.floor(random() * of.length)]!
const iso = (agoMs: number): string => new Date(epoch - agoMs).toISOString()

const connection = (reason: string | undefined): Resource<'Connection'> => {
  const condition = { type: 'Ready', status: 'False' as const, reason: reason ?? '', message: '', lastTransitionTime: iso(0) }
  const item = thing('Connection', 'c', { networkService: 'a/dns', port: 'c', portUID: 'u' })
  return { ...item, status: reason === undefined ? {} : { conditions: [condition], ...(reason === 'Connected' && { endpoint: 'a/e' }) } }
}

function drawn(): ScalerDesired {
  const spec = { scaleTargetRef: { name: 'd' }, cooldownSeconds: pick(10, 300) }
  const ago = (): string => iso(pick(0, 9_000, 10_000, 61_000, 300_000, 700_000))
  const status = {
    deployment: pick('d', 'd', 'd', 'other'),
    ...(pick(true, false) && { activatedAt: ago() }),
    ...(pick(true, false) && { replicas: 1 }),
    ...(pick(true, false) && { idleSince: ago() }),
    ...(pick(true, false) && { failingSince: ago() }),
  }
  return {
    scaler: { ...thing('EndpointScaler', 'dns', spec), status },
    service: pick(undefined, ...Array<Resource<'NetworkService'>>(5).fill(thing('NetworkService', 'dns', {}))),
    connections: pick([], ['Connected'], ['NoEndpoint'], ['EndpointStarting', 'Connected'], [undefined]).map(connection),
    older: pick(undefined, undefined, undefined, 'first'),
    hasDeployments: pick(true, true, true, false),
  }
}
const observations: readonly LookedAt[] = [
  'NotFound',
  'Forbidden',
  ...[0, 1, 2].flatMap((replicas) => [true, false].map((isOurs) => ({ replicas, isOurs, resourceVersion: '1' }))),
]

test('whatever there is: it is scaled from 0 to 1 or back alone, once that is decided by what is stored, and by nothing else', () => {
  const done = { scaleUp: 0, scaleDown: 0 }
  for (let i = 0; i < 20_000; i++) {
    const desired = drawn()
    const looked = directionOf(desired, { now: epoch }) === undefined ? undefined : pick(...observations)
    const { steps } = planScaler(desired, looked, epoch)
    const { status = {} } = desired.scaler
    assert.ok(steps.length <= 1)
    for (const { action } of steps) {
      done[action.do]++
      assert.ok(typeof looked === 'object')
      assert.deepEqual([desired.service === undefined, desired.older, desired.hasDeployments], [false, undefined, true])
      assert.deepEqual([status.deployment, status.activatedAt === undefined], ['d', false])
      const reasons = desired.connections.map((each) => each.status?.conditions?.[0]?.reason)
      if (action.do === 'scaleUp') {
        assert.equal(looked.replicas, 0)
        assert.ok(reasons.includes('NoEndpoint') || reasons.includes('EndpointStarting'))
      } else {
        assert.deepEqual([looked.replicas, looked.isOurs, reasons], [1, true, []])
        assert.ok(epoch - Date.parse(status.idleSince!) >= cooldownMsOf(desired.scaler))
      }
    }
  }
  assert.ok(done.scaleUp > 50 && done.scaleDown > 5, JSON.stringify(done))
})
