import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, test } from 'node:test'
import { world } from '../../core/kinds/policy/tiers.ts'
import { ofAdminPolicy } from '../../core/policy/read/cluster-policies.ts'
import { ofNetworkPolicy } from '../../core/policy/read/network-policy.ts'
import type { CommonPolicy, ReadPolicy } from '../../core/policy/one-form.ts'
import { verdictOn } from '../../core/policy/verdict.ts'
import { resource, worldOf } from '../core/policy-things.ts'
import { trials } from '../setup/trials.ts'
import { Dice } from '../sim/dice.ts'
import { drawCase, type DrawnCase, type DrawnPod, type DrawnTraffic, type Policy } from './drawn-policies.ts'
import { asBefore, openOracle, type OracleAnswer, type OraclePeer, type OracleTraffic } from './policy-oracle.ts'

const oracle = openOracle(process.env.MEGREZ_TEST_POLICY_ORACLE ?? '')
after(() => oracle.close())

const protocolNumbers = { TCP: 6, UDP: 17, SCTP: 132 } as const

function peerOf(pod: DrawnPod | undefined, address: string): OraclePeer {
  if (pod === undefined) return { IP: address }
  return { IP: address, Internal: { Namespace: pod.namespace, NamespaceLabels: pod.namespaceLabels, PodLabels: pod.labels } }
}

function trafficOf({ from, to, addresses: [source, destination], protocol, l4Port }: DrawnTraffic): OracleTraffic {
  const named = Object.entries(to?.containerPorts ?? {}).find(
    ([name, number]) => number === l4Port && name.startsWith(`${protocol.toLowerCase()}/`),
  )
  return {
    Source: peerOf(from, source),
    Destination: peerOf(to, destination),
    Protocol: protocol,
    ResolvedPort: l4Port,
    ResolvedPortName: named?.[0].split('/')[1] ?? '',
  }
}

const keyOf = ({ metadata: { namespace, name } }: Policy): string => (namespace === undefined ? name : `${namespace}/${name}`)

function read({ policy, problems }: ReadPolicy): CommonPolicy {
  assert.deepEqual(problems, [])
  return policy!
}

/** What ours say of it. @param subnets of the VNI: with them who selects everybody is a block */
function ours({ networkPolicies, admin, baseline, pods, traffic }: DrawnCase, subnets: readonly string[]): readonly OracleAnswer[] {
  const policies = [
    ...networkPolicies.map((each) => read(ofNetworkPolicy(resource('NetworkPolicy', keyOf(each), each.spec)))),
    ...admin.map((each) => read(ofAdminPolicy(resource('AdminNetworkPolicy', keyOf(each), each.spec)))),
    ...(baseline === undefined ? [] : [read(ofAdminPolicy(resource('BaselineAdminNetworkPolicy', 'default', baseline.spec)))]),
  ]
  const { sets, numberOf } = worldOf(pods, policies, { families: [4], subnets: new Map(subnets.map((block) => ['x/net', [block]])) })
  const identityOf = (pod: DrawnPod | undefined): number => (pod === undefined ? world : numberOf(pod.port))
  return traffic.map(({ from, to, addresses: [source, destination], protocol, l4Port }) => {
    const transport = { protocol: protocolNumbers[protocol], l4Port }
    const [sender, receiver] = [
      { identity: identityOf(from), address: source },
      { identity: identityOf(to), address: destination },
    ]
    const isPassed = (direction: 'ingress' | 'egress', subject: number, peer: typeof sender): boolean =>
      verdictOn(sets, { subject, direction, peer, transport }).isAllowed
    return {
      egress: from === undefined || isPassed('egress', sender.identity, receiver),
      ingress: to === undefined || isPassed('ingress', receiver.identity, sender),
    }
  })
}

function sayDifferences(
  drawn: DrawnCase,
  ourAnswers: readonly OracleAnswer[],
  theirs: readonly OracleAnswer[],
  engine: string,
): readonly string[] {
  return drawn.traffic.flatMap((traffic, i) => {
    const [a, b] = [ourAnswers[i]!, theirs[i]!]
    if (a.egress === b.egress && a.ingress === b.ingress) return []
    return [
      JSON.stringify({ engine, ours: { egress: a.egress, ingress: a.ingress }, theirs: { egress: b.egress, ingress: b.ingress }, traffic }),
    ]
  })
}

test('compiled policies say of every connection what two engines of others say', async (t) => {
  const seed = Number(process.env.MEGREZ_POLICY_SEED ?? randomInt(2 ** 32))
  t.diagnostic(`MEGREZ_POLICY_SEED=${seed}`)
  const dice = new Dice(seed)
  let denied = 0
  const count = trials(2_000)
  for (let i = 0; i < count; i++) {
    const drawn = drawCase(dice.fork(String(i)))
    const answers = ours(drawn, dice.fork(`subnets ${i}`).chance(0.5) ? ['10.0.0.0/16'] : [])
    const traffic = drawn.traffic.map(trafficOf)
    const { networkPolicies: policies, admin, baseline } = drawn
    const old = { admin: admin.map(asBefore), ...(baseline !== undefined && { baseline: asBefore(baseline) }) }
    const assistant = await oracle.ask({ engine: 'policy-assistant', policies, ...old, traffic })
    const differences = [...sayDifferences(drawn, answers, assistant, 'policy-assistant')]
    if (admin.length === 0 && baseline === undefined)
      differences.push(...sayDifferences(drawn, answers, await oracle.ask({ engine: 'cyclonus', policies, traffic }), 'cyclonus'))
    assert.deepEqual(differences, [], `case ${i} of seed ${seed}: ${JSON.stringify({ policies, admin, baseline })}`)
    denied += answers.filter(({ ingress, egress }) => !ingress || !egress).length
  }
  assert.ok(denied > count, `only ${denied} connections of ${count} cases were denied: nothing was tried`)
})
