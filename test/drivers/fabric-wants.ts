// What is wanted of one switch in the laws of a fabric driver: VLANs on ports a, b and c, as planDomain plans them.
import type { FabricAction, FabricDriver, RoutedVlan, SwitchChange, SwitchScope, SwitchState } from '../../core/contracts/fabric-driver.ts'
import type { Resource } from '../../core/kinds/index.ts'
import { apiVersion } from '../../core/kinds/meta.ts'
import { planDomain, tokenOf } from '../../core/plan/l2/fabric.ts'
import type { Plan } from '../../core/plan/plan.ts'
import type { Want } from '../laws/driver.ts'

export const scope: SwitchScope = { ports: ['a', 'b', 'c'] }

export function domain(
  vlan: number,
  {
    going = false,
    name = `domain-${vlan}`,
    draining = [] as { vlan: number; close?: boolean }[],
    vrf = undefined as string | undefined,
  } = {},
): Resource<'L2BridgeDomain'> {
  const metadata = {
    name,
    uid: name,
    resourceVersion: '1',
    generation: 1,
    creationTimestamp: '2026-01-01T00:00:00Z',
    ...(going && { deletionTimestamp: '2026-01-01T00:00:00Z' }),
  }
  return {
    apiVersion,
    kind: 'L2BridgeDomain',
    metadata,
    spec: {
      vlan,
      connectionPoints: ['cp'],
      holder: { kind: 'L2Service', namespace: 'a', name, uid: name },
      ...(draining.length > 0 && { draining }),
      ...(vrf !== undefined && { physicalNW: ['dc'], vrf }),
    },
  }
}

/** The changes of the switch that a pass of each of these domains plans, as one action: how a line sends them. */
function want(
  domains: readonly (readonly [Resource<'L2BridgeDomain'>, readonly string[], routedOn?: readonly string[]])[],
): Want<SwitchScope, SwitchState, FabricAction> {
  return {
    scope,
    plan(state): Plan<FabricAction> {
      const changes: SwitchChange[] = []
      for (const [each, ports, routedOn = []] of domains) {
        const desired = {
          domain: each,
          ports: new Map([['f/s', new Set(ports)]]),
          unmatched: [],
          routes: { ports: new Map([['f/s', new Set(routedOn)]]), refused: [] },
          hasFabric: true,
          dryRun: new Set<string>(),
          refusing: new Set<string>(),
        }
        for (const { action } of planDomain(desired, new Map([['f/s', { state }]])).steps)
          if (action.do === 'setVlans') changes.push(...(action.switches.get('f/s') ?? []))
      }
      const steps =
        changes.length === 0
          ? []
          : [{ action: { do: 'setVlans' as const, changes }, because: { rule: 'a law', of: { kind: 'Fabric' as const, name: 'f' } } }]
      return { steps, phase: 'ready', reason: 'Law', message: '' }
    },
  }
}

export const wants: Readonly<Record<string, Want<SwitchScope, SwitchState, FabricAction>>> = {
  open: want([
    [domain(100), ['a', 'b']],
    [domain(200), ['a']],
  ]),
  more: want([
    [domain(100), ['a', 'b', 'c']],
    [domain(200), ['a']],
    [domain(300), ['b']],
  ]),
  moved: want([
    [domain(100), ['c']],
    [domain(200), ['b']],
    [domain(300, { going: true }), []],
  ]),
  edited: want([
    [domain(101, { name: 'domain-100', draining: [{ vlan: 100 }] }), ['a', 'b']],
    [domain(200), ['a']],
  ]),
  drained: want([
    [domain(101, { name: 'domain-100', draining: [{ vlan: 100, close: true }] }), ['a', 'b']],
    [domain(200), ['a']],
  ]),
  gone: want([
    [domain(100, { going: true }), []],
    [domain(200, { going: true }), []],
    [domain(300, { going: true }), []],
  ]),
}
const red = (vlan: number, more = {}): Resource<'L2BridgeDomain'> => domain(vlan, { vrf: 'red', ...more })
/** The same switch as a router: port r routes, the others carry. */
const routed: typeof wants = {
  routed: want([
    [red(100), ['a'], ['r']],
    [red(200), ['a'], ['r']],
    [domain(300, { vrf: 'blue' }), ['b'], ['r']],
  ]),
  'moved to another VRF': want([
    [domain(100, { vrf: 'blue' }), ['a'], ['r']],
    [domain(200), ['a']],
    [domain(300, { vrf: 'green' }), ['b'], ['r']],
  ]),
  'of another VLAN': want([
    [red(101, { name: 'domain-100', draining: [{ vlan: 100, close: true }] }), ['a'], ['r']],
    [red(200), ['a'], ['r']],
    [domain(300, { vrf: 'blue' }), ['b'], ['r']],
  ]),
}
/** Of drivers that make VRFs. */
export const vrfWants = { ...wants, ...routed }
export const vrfJourneys = [['routed'], ['routed', 'moved to another VRF'], ['routed', 'of another VLAN'], ['routed', 'gone']]
export const vrfScope: SwitchScope = { ports: ['a', 'b', 'c', 'r'] }
export const journeys = [
  ['open'],
  ['open', 'more'],
  ['more', 'moved'],
  ['open', 'gone'],
  ['more', 'gone'],
  ['open', 'edited', 'drained'],
  ['gone'],
]

/** One line for each port and VLAN of ours. */
export function linesOf(state: SwitchState): string[] {
  return [...state]
    .flatMap(([on, { ours, mode, routed: subinterfaces = new Map<number, RoutedVlan>() }]) => [
      `${on} ${mode}`,
      ...[...ours].sort(([a], [b]) => a - b).map(([vlan, token]) => `${on} ${vlan} ${token}`),
      ...[...subinterfaces].map(([vlan, { of, vrf }]) => `${on}.${vlan} ${of} in ${vrf}`),
    ])
    .sort()
}
export const tokens = [100, 200, 300].map((vlan) => tokenOf(domain(vlan)))

/** A driver that passes `way` before and after each look and each change. */
export function through(driver: FabricDriver, way: () => Promise<void>): FabricDriver {
  return {
    ...driver,
    async observe(asked, signal) {
      await way()
      const state = await driver.observe(asked, signal)
      await way()
      return state
    },
    async apply(action, signal) {
      await way()
      await driver.apply(action, signal)
      await way()
    },
  }
}
