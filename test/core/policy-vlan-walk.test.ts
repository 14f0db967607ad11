// Which tables a traced packet of an interface in VLANs meets on its node: it comes out just where the verdict lets it pass.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { test } from 'node:test'
import { unknown } from '../../core/kinds/policy/tiers.ts'
import { ruleSetName, type CompiledRule } from '../../core/kinds/policy/policy-rule-set.ts'
import { vlanSegment } from '../../core/net/segment.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { traceOf, type TraceEnd } from '../../core/policy/trace/trace.ts'
import { wayOf } from '../../core/policy/trace/way.ts'
import { withWalks, type NodeWalk } from '../../core/views/walk/walk.ts'
import { drawConnection, drawRuleSets, identities, vlans } from '../laws/rule-sets.ts'
import type { Transport } from '../../core/policy/verdict.ts'
import { trials } from '../setup/trials.ts'
import { seeded } from '../workers/test-cluster.ts'
import { resource } from './policy-things.ts'

const physicalNetwork = 'physnet1'
const vni = vlanSegment(physicalNetwork, vlans[0]!)

interface At {
  readonly vlanType: 'access' | 'selectivetrunk'
  readonly vlan: number
  readonly identity?: number
}

function interfaceEnd({ vlanType, vlan, identity }: At, sets: readonly RuleSet[]): TraceEnd {
  const pod = { ...resource('Pod', 'a/web', { nodeName: 'n1', containers: [] }) }
  const ruleSets = sets.filter(({ subjects }) => identity !== undefined && subjects.includes(identity)).map(ruleSetName)
  const attachment = {
    ...resource('L2ServiceAttachment', 'a/uplink', { l2Services: ['s'], connectionPoint: 'cp', vlanType }),
    status: {
      ...{ vlans: [...(vlanType === 'access' ? [vlan] : vlans)], physicalNetwork, implementation: 'megrez', definition: 'uplink' },
      ...(identity !== undefined && { policy: { segment: vni, judged: [{ identity, ruleSets, pods: [pod.metadata.uid] }] } }),
    },
  }
  return { address: '', identity: identity ?? unknown, interface: { pod, attachment, vlan, dataplane: 'ovs' } }
}

function traced(from: TraceEnd, to: TraceEnd, sets: readonly RuleSet[], transport: Transport = { protocol: 6, l4Port: 80 }) {
  const said = traceOf(sets, { from, to, transport })
  const way = withWalks(wayOf({ from, to, vni, traced: said }), { vni, ends: { from, to }, sets, subnets: new Map() }, transport)
  return { isAllowed: said.isAllowed, walk: way.find(({ at }): boolean => at === 'Node') as NodeWalk }
}

test('of an interface in VLANs a packet comes out just where the verdict for its VLAN lets it pass', (t) => {
  const [first, seeds] = [randomInt(2 ** 40), trials(1_000)]
  const counted = { passed: 0, dropped: 0 }
  for (let seed = first; seed < first + seeds; seed++) {
    const random = seeded(seed)
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
    const vlanType = pick(['access', 'selectivetrunk'] as const)
    const vlan = vlanType === 'access' ? vlans[0]! : pick(vlans)
    const inSome = ({ frame: _, ...rule }: CompiledRule): CompiledRule => ({
      ...rule,
      ...(random() < 0.4 && { frame: { vlan: pick(vlans) } }),
    })
    const sets = drawRuleSets(random, vni).map((set): RuleSet => ({ ...set, namespace: 'a', rules: set.rules.map(inSome) }))
    const near = interfaceEnd({ vlanType, vlan, identity: pick(identities) }, sets)
    const far = { address: '10.0.0.1', identity: unknown }
    const [from, to] = random() < 0.5 ? [near, far] : [far, near]
    const { isAllowed, walk } = traced(from, to, sets, drawConnection(random, 4))
    assert.equal(walk.tables?.at(-1) === '90 output', isAllowed, `seed ${seed}: ${JSON.stringify({ walk, from, to, sets })}`)
    counted[isAllowed ? 'passed' : 'dropped']++
  }
  t.diagnostic(`${seeds} seeds from ${first}: ${JSON.stringify(counted)}`)
  assert.ok(Math.min(counted.passed, counted.dropped) > seeds / 20)
})

test('of one in whose VLAN no policy is in force no table is told, and why', () => {
  const far = { address: '10.0.0.1', identity: unknown }
  const { walk } = traced(interfaceEnd({ vlanType: 'access', vlan: 100 }, []), far, [])
  assert.equal(walk.untold, 'no policy is in force in its VLAN: Open vSwitch itself says there who gets what')
})
