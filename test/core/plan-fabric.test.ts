// What an audit of a Fabric does about what is open and unwanted, and what an L2Service keeps that is refused another VLAN.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SwitchState } from '../../core/contracts/fabric-driver.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { vlanLockName } from '../../core/net/names.ts'
import { parseVlan } from '../../core/net/segment.ts'
import { planAudit } from '../../core/plan/l2/fabric-audit.ts'
import { planL2Service, type L2ServiceDesired } from '../../core/plan/l2/service.ts'
import { t0, thing } from './plan-things.ts'

const vlan = parseVlan(100)!
const everyMs = 300_000
const switches = [{ name: 'tor1', driver: 'memory' as const, address: 'tor1' }]
const domainOf = (touched: readonly string[]): Resource<'L2BridgeDomain'> =>
  thing(
    'L2BridgeDomain',
    'd',
    { vlan, connectionPoints: [], holder: { kind: 'L2Service', namespace: 'a', name: 's', uid: 'u' } },
    { status: { switches: [...touched] } },
  )

function audited(touched: readonly string[], { dryRun = false, open = true } = {}) {
  const state: SwitchState = new Map([['p1', { ours: new Map(open ? [[vlan, 'token']] : []), others: new Set(), mode: 'trunk' }]])
  const desired = {
    fabric: thing('Fabric', 'dc', { switches, dryRun }),
    wants: new Map(),
    routes: new Map(),
    domains: new Map([['token', domainOf(touched)]]),
    users: [],
  }
  const { steps, next, requeueAfterMs } = planAudit(desired, { sights: new Map([['dc/tor1', { state }]]), known: new Set() }, everyMs)
  return [
    [
      ...steps.map(({ action }) => (action.do === 'noteSwitch' ? `note ${action.switches.join()}` : action.do)),
      ...(next ?? []).map(({ kind, name }) => `next ${kind} ${name}`),
    ],
    requeueAfterMs,
  ]
}

test('a domain that does not know that something of its own is open on a switch is told so, and the switch is looked at again soon', () => {
  assert.deepEqual(audited([]), [['note dc/tor1', 'next L2BridgeDomain d'], 10_000])
  assert.deepEqual(audited(['dc/tor2']), [['note dc/tor1,dc/tor2', 'next L2BridgeDomain d'], 10_000])
  assert.deepEqual(audited(['dc/tor1']), [['next L2BridgeDomain d'], 10_000])
  assert.deepEqual(audited([], { open: false }), [[], everyMs])
  assert.deepEqual(
    audited([], { dryRun: true }),
    [['next L2BridgeDomain d'], everyMs],
    'in a dry run it says so of itself, and that is all',
  )
})

test('an L2Service that is refused another VLAN keeps its own where an attachment still asks for it, and nowhere else', () => {
  const service = thing('L2Service', 's', { segmentationID: 200 })
  const domain = thing('L2BridgeDomain', 'd', {
    vlan,
    connectionPoints: ['cp', 'edge'],
    physicalNW: ['physnet'],
    holder: { kind: 'L2Service', namespace: 'a', name: 's', uid: service.metadata.uid },
  })
  const held = thing('SegmentLock', 'x', {
    physicalNetwork: 'default',
    vlan: 200,
    holder: { kind: 'L2Service', namespace: 'b', name: 'other', uid: 'other' },
  })
  const kept = (connectionPoints: readonly string[]): unknown => {
    const desired: L2ServiceDesired = {
      service,
      connectionPoints,
      networks: [],
      definitionsFollow: () => true,
      podBefore: () => undefined,
      blockers: undefined,
    }
    const { steps, reason } = planL2Service(desired, { domain, locks: new Map([[vlanLockName('default', 200), held]]), held: [] }, t0)
    return [
      reason,
      ...steps.map(({ action }) =>
        action.do === 'changeDomain' ? [action.spec.vlan, action.spec.connectionPoints, action.spec.physicalNW] : action.do,
      ),
    ]
  }
  assert.deepEqual(kept(['cp', 'edge', 'new']), ['VlanTaken'])
  assert.deepEqual(kept(['edge']), ['VlanTaken', [100, ['edge'], ['physnet']]])
  assert.deepEqual(kept([]), ['VlanTaken', [100, [], undefined]])
})
