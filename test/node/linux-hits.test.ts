// What rules decide, as elements of nftables count it, on the real kernel: for each rule as many packets as the verdict says, those that
// audit would deny among them; and a table that another one takes the place of leaves nobody open.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { describe, test } from 'node:test'
import { explainLive } from '../../agent/inquiries/explain.ts'
import { ownerText } from '../../core/kinds/policy/peer-decision.ts'
import type { CompiledRule } from '../../core/kinds/policy/policy-rule-set.ts'
import type { LoggedPacket } from '../../core/node/logged-packet.ts'
import type { RuleSet } from '../../core/node/wanted.ts'
import { judgementPiece } from '../../core/pieces/policy/judgement.ts'
import { ruleSetPiece } from '../../core/pieces/policy/rule-set.ts'
import { verdictOn } from '../../core/policy/verdict.ts'
import { drawRuleSets, identities, mirrored } from '../laws/rule-sets.ts'
import { unifiedSet } from '../laws/unified-set.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { until } from '../setup/until.ts'
import { seeded } from '../workers/test-cluster.ts'
import { addPod, judge, mend, nft, setPieces, withNodes, type Node, type Pod } from './linux-nodes.ts'
import { frameBetween, listen, pythonSkip, sendFrames, udpPayload } from './raw-frames.ts'

const vni = 5003
const signal = AbortSignal.timeout(60_000)
/** What a kernel says by itself, as that nobody listens, is no packet of the test's. */
const quiet = 'add table inet quiet; add chain inet quiet out { type filter hook output priority 0; policy drop; }'

const rounds = 3
/** Whoever is judged, and whatever else is said of it. */
const triedOut: RuleSet = {
  ...unifiedSet({ vni, number: 90, subjects: [...identities], rules: [] }),
  tier: 'admin',
  audit: true,
  rules: (['ingress', 'egress'] as const).map((direction, index) => ({ index, source: '/spec', direction, level: 0, action: 'deny' })),
}

/** Of IPv4, by interface and rule. */
async function countedAt({ plane }: Node): Promise<Map<string, number>> {
  const counted = new Map<string, number>()
  for (const { key, shown, packets } of (await plane.decisions?.(signal)) ?? [])
    if (!key.includes(':') && packets > 0) counted.set(shown!, (counted.get(shown!) ?? 0) + packets)
  return counted
}

describe('what rules count on the Linux data plane', { skip: ovsSkip || pythonSkip }, () => {
  test('is each packet that they decide, and no other, whatever the rules are', (t) =>
    withNodes(async (spaces, nodes) => {
      const pods: Pod[] = []
      for (const [i, n] of [0, 0, 1].entries()) pods.push(await addPod(spaces, nodes[n as 0 | 1], { vni, host: 10 + i }))
      await setPieces(pods, nodes)
      for (const { space } of pods) assert.equal((await space.namespace.exec('nft', quiet)).code, 0)
      const first = randomInt(2 ** 40)
      t.diagnostic(`${rounds} seeds from ${first}`)
      let [decided, audited] = [0, 0]
      for (let seed = first; seed < first + rounds; seed++) {
        const random = seeded(seed)
        const sets = [...drawRuleSets(random, vni, 6).map(mirrored), triedOut]
        const who = new Map(pods.map((pod) => [pod, identities[Math.floor(random() * identities.length)]!]))
        const identityOf = (pod: Pod): number => who.get(pod)!
        await judge(nodes, pods, { sets: [], identityOf, vni })
        await judge(nodes, pods, { sets, identityOf, vni })
        const wanted = new Map<string, number>()
        const judged = (pod: Pod, other: Pod, direction: 'ingress' | 'egress', packets: number): boolean => {
          const peer = { identity: identityOf(other), address: other.port.addresses[0]! }
          const verdict = verdictOn(sets, { subject: identityOf(pod), direction, peer, transport: { protocol: 17, l4Port: 80 } })
          for (const { reason } of verdict.tiers) {
            const by = { set: reason.set.number, ...(reason.rule && { rule: reason.rule.index }) }
            const key = `decided/${pod.port.ifcName}/${direction}/${ownerText(by)}`
            wanted.set(key, (wanted.get(key) ?? 0) + packets)
            decided += 1
          }
          audited += verdict.audited.length
          return verdict.isAllowed
        }
        const pairs = pods.flatMap((from, i) => pods.flatMap((to, k) => (from === to ? [] : [{ from, to, packets: 1 + i * 3 + k }])))
        await Promise.all(
          pods.map(({ space, port }) =>
            sendFrames(
              space.namespace,
              'eth0',
              pairs.flatMap(({ from, to, packets }) =>
                from.port === port ? Array.from({ length: packets }, () => frameBetween(port, to.port, 17, udpPayload(4_000, 80))) : [],
              ),
            ),
          ),
        )
        for (const { from, to, packets } of pairs) if (judged(from, to, 'egress', packets)) judged(to, from, 'ingress', packets)
        await new Promise((resolve) => setTimeout(resolve, 50))
        const counted = new Map((await Promise.all(nodes.map(countedAt))).flatMap((each) => [...each]))
        const inOrder = (all: ReadonlyMap<string, number>) => [...all].sort(([a], [b]) => (a < b ? -1 : 1))
        assert.deepEqual(
          inOrder(counted),
          inOrder(wanted),
          `seed ${seed}: ${JSON.stringify([...who.values()])} under ${JSON.stringify(sets)}`,
        )
        if (seed === first) await explains(pods[0]!, sets, identityOf(pods[0]!))
      }
      assert.ok(decided > 0 && audited > 0, `${decided} decided, ${audited} only by audit`)
    }))

  /** Of each rule that decides something it is told that it is there, and how much of it. */
  async function explains({ node, port }: Pod, sets: readonly RuleSet[], identity: number): Promise<void> {
    const judgement = { vni, identity, ports: [port], sets: sets.filter(({ subjects }) => subjects.includes(identity)) }
    const items = node.plane.renderer.parts!(judgementPiece, judgement)
    const all = await explainLive(node.plane, items, signal)
    assert.ok(
      all.every(({ state, packets, because }) => state === 'there' && packets !== undefined && because.includes('PolicyRuleSet net/')),
    )
    assert.equal(all.length, items.length)
  }

  test('is begun anew, and nobody is open, where the table is made anew: of an agent of before, or by halves', () =>
    withNodes(async (spaces, [node]) => {
      const pods = [await addPod(spaces, node, { vni, host: 10 }), await addPod(spaces, node, { vni, host: 11 })] as const
      const [one, other] = [pods[0].port, pods[1].port]
      await judge([node], pods, { sets: [], identityOf: () => 1, vni })
      const { items } = node
      const tables = node.plane.renderer.base().filter(({ key }) => key === 'policies')
      const former = `
        delete table bridge megrez-policies
        table bridge megrez-policies {
          map network { type ifname : mark; elements = { "${one.ifcName}" : ${0x80000000 + vni}, "${other.ifcName}" : ${0x80000000 + vni} }; }
          set named { type ifname . mark; elements = { "${one.ifcName}" . 7 }; }
          map identity4 { type mark . ipv4_addr : mark; elements = { ${0x80000000 + vni} . 10.0.0.11 : 7 }; }
          map identity6 { type mark . ipv6_addr : mark; }
          set inside4 { type mark . ipv4_addr; flags interval; }
          set inside6 { type mark . ipv6_addr; flags interval; }
          set access4 { type ifname . mark . ipv4_addr; flags interval; elements = { "${one.ifcName}" . 7 . 10.0.0.0-10.0.0.9 }; }
          set access6 { type ifname . mark . ipv6_addr; flags interval; }
        }`
      await nft(node, former)
      await node.plane.apply({ drop: [], put: tables }, signal)
      const { stdout } = await node.space.namespace.exec('nft', 'list', 'table', 'bridge', 'megrez-policies')
      const range = '10.0.0.0-10.0.0.9'
      for (const way of ['out4', 'in4'])
        assert.match(stdout, new RegExp(`map ${way} [^}]*"${one.ifcName}" . 0x00000007 . ${range} counter packets 0 bytes 0 : 0x41000000`))
      assert.match(stdout, new RegExp(`map network [^}]*"${other.ifcName}" : 0x8000138b`))
      assert.equal((await node.space.namespace.exec('nft', 'list', 'set', 'bridge', 'megrez-policies', 'access4')).code, 1)
      await mend(node)
      const seen = await node.plane.observe(undefined, signal)
      for (const each of [...items.values()].flat()) assert.equal(seen.get(each.key), each.text)
      // Somebody opens it, and spoils the table behind.
      await nft(node, 'insert rule bridge megrez-policies out accept; flush chain bridge megrez-traffic getting')
      const spoiled = await node.plane.observe(undefined, signal)
      assert.deepEqual([spoiled.get('policies'), spoiled.get('traffic')], [undefined, undefined])
      await node.plane.apply({ drop: [], put: tables }, signal)
      const mended = await node.plane.observe(undefined, signal)
      const judged = [...seen].filter(([key]) => key.startsWith('judged/'))
      assert.deepEqual(
        judged.map(([key]) => mended.get(key)),
        judged.map(([, text]) => text),
        'with what it had',
      )
      await mend(node)
      const { stdout: all } = await node.space.namespace.exec('nft', 'list', 'ruleset')
      assert.doesNotMatch(all, /chain out {\s*accept/)
      assert.match(all, /chain getting {\s*type [^\n]*\s*limit name oifname map @got drop/)
      assert.doesNotMatch(all, /-check/)
    }))

  test('is told of where a rule logs it, allowed and denied, of the way that it goes, some packets a second, and never in the way of what passes', () =>
    withNodes(async (spaces, [node]) => {
      const pods: Pod[] = []
      for (const host of [10, 11, 12]) pods.push(await addPod(spaces, node, { vni, host }))
      const [server, friend, stranger] = pods as [Pod, Pod, Pod]
      const rule = (direction: 'ingress' | 'egress', index: number, more: Partial<CompiledRule>): CompiledRule => ({
        index,
        source: `/spec/${direction}/${index}`,
        direction,
        level: index % 2,
        action: 'deny',
        log: true,
        ...more,
      })
      const ofFriend: Partial<CompiledRule> = { action: 'allow', peers: { identities: [2], blocks: [] } }
      const rules = [
        rule('ingress', 0, ofFriend),
        rule('ingress', 1, {}),
        rule('egress', 2, { ...ofFriend, log: false }),
        rule('egress', 3, { log: false }),
      ]
      const set = unifiedSet({ vni, subjects: [1], rules })
      assert.deepEqual(node.plane.renderer.unsupported(ruleSetPiece, set), [])
      await judge([node], pods, { sets: [set], identityOf: (pod) => pods.indexOf(pod) + 1, vni })
      const logged: LoggedPacket[] = []
      // What a kernel says by itself is IPv6.
      node.plane.onLogged?.((packet) => void (packet.head.protocol === 17 && logged.push(packet)))
      const of = (index: number): readonly LoggedPacket[] => logged.filter(({ by }) => by.rule === index)
      const send = (from: Pod, count: number): Promise<void> =>
        sendFrames(
          from.space.namespace,
          'eth0',
          Array.from({ length: count }, () => frameBetween(from.port, server.port, 17, udpPayload(4_000, 80))),
        )
      await Promise.all([send(friend, 2), send(stranger, 3)])
      await until(() => Promise.resolve(of(0).length >= 2 && of(1).length >= 3), 'each has been told of')
      const from = (pod: Pod) => ({
        vni,
        ifcName: server.port.ifcName,
        direction: 'ingress',
        by: { set: set.number, rule: pod === friend ? 0 : 1 },
        head: { from: pod.port.addresses[0], to: '10.0.0.10', protocol: 17, l4Ports: { from: 4_000, to: 80 } },
      })
      assert.deepEqual([of(0)[0], of(1)[0]], [from(friend), from(stranger)])
      assert.deepEqual([of(2), of(3)], [[], []], 'answers, which another rule is of')
      const ear = await listen(server.space.namespace, 'eth0', 20)
      await send(friend, 2_000)
      // An ear loses many of so many.
      const arrived = (): number =>
        ear.heard.filter((each) => each.startsWith(frameBetween(friend.port, server.port, 17, udpPayload(4_000, 80)))).length
      await until(() => Promise.resolve(arrived() > 200), 'more have arrived than are logged').catch(() =>
        assert.fail(`${arrived()} have arrived`),
      )
      await ear.close()
      await new Promise((resolve) => setTimeout(resolve, 300))
      assert.ok(logged.length > 5 && logged.length < 200, `${logged.length} of more than 2,000`)
    }))
})
