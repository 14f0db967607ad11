// Agents on a real API server, with the accounts and policies that the chart gives them: what each may write, and what each hears.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { memory, memoryNode } from '../../agent/dataplanes/memory.ts'
import { thisDisk } from '../../agent/ledger/disk.ts'
import { Ledger } from '../../agent/ledger/ledger.ts'
import { memoryLinks } from '../../agent/links/memory.ts'
import { noAgentMeter } from '../../agent/metrics.ts'
import { startAgent, type Agent } from '../../agent/start.ts'
import { reportCapacity } from '../../agent/uplink/node-capacity.ts'
import { thisMachine } from '../../agent/machine/this-machine.ts'
import { Stale } from '../../core/errors.ts'
import { networkStatusAnnotation, portFinalizer, wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Resource, type SpecOf } from '../../core/kinds/index.ts'
import { uplinkResource } from '../../core/node/booking/booking.ts'
import { addressLockNameOf } from '../../core/net/names.ts'
import { kosMac } from '../../core/net/mac.ts'
import { endpointPiece } from '../../core/pieces/endpoint.ts'
import { realClock } from '../../platform/clock.ts'
import { readConfig } from '../../platform/config.ts'
import { silentLog } from '../../platform/log.ts'
import { openKubeStore } from '../../platform/store/kube/open.ts'
import type { KubeStore } from '../../platform/store/kube/kube.ts'
import { installCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'
import { namespace, rendered, storeOfAgent, type Manifest } from './agent-accounts.ts'

describe('agents', { skip: kubeSkip }, () => {
  let folder = ''
  let admin: KubeStore
  let mine: readonly Manifest[] = []
  const stores = new Map<string, KubeStore>()
  const agents: Agent[] = []
  const suffix = Math.random().toString(36).slice(2, 8)
  const [n1, n2] = [`n1-${suffix}`, `n2-${suffix}`] as const

  /** As the agent of a node is: a token of its account, bound to the Node. */
  async function storeAs(node: string | undefined): Promise<KubeStore> {
    const store = await storeOfAgent(node, folder)
    stores.set(node ?? '', store)
    return store
  }

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-agents-'))
    await installCrds()
    mine = (await rendered(folder)).filter(
      ({ kind, metadata }) =>
        /^(ClusterRole|ClusterRoleBinding|ServiceAccount|ValidatingAdmissionPolicy|ValidatingAdmissionPolicyBinding)$/.test(kind) &&
        /agent/.test(metadata.name),
    )
    await kubectl(['apply', '--server-side', '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }),
    })
    const nodes = [n1, n2].map((name) => ({ apiVersion: 'v1', kind: 'Node', metadata: { name } }))
    await kubectl(['apply', '--server-side', '--force-conflicts', '-f', '-'], {
      input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: [...mine, ...nodes] }),
    })
    admin = await openKubeStore({ kubeconfig: String(kubeconfigPath), context: 'admin' })
    for (const node of [n1, n2, undefined]) await storeAs(node)
  })
  after(async () => {
    for (const agent of agents) await agent.stop()
    for (const store of [...stores.values(), admin]) await store.close()
    await kubectl(['delete', 'node', n1, n2, '--ignore-not-found'])
    await kubectl(['delete', '--ignore-not-found', '-f', '-'], { input: JSON.stringify({ apiVersion: 'v1', kind: 'List', items: mine }) })
    await rm(folder, { recursive: true })
  })

  const port = (space: string, name: string, spec: Partial<SpecOf<'Port'>>): Promise<Resource<'Port'>> =>
    admin.create({
      kind: 'Port',
      metadata: { namespace: space, name, finalizers: [portFinalizer, wiredFinalizer] },
      spec: { subnet: 's', ...spec },
    })
  const told = (item: Resource<'Port'>) => ({
    ref: { kind: 'Port' as const, namespace: item.metadata.namespace!, name: item.metadata.name },
    uid: item.metadata.uid,
  })
  const refused = (write: Promise<unknown>, why: RegExp): Promise<void> => assert.rejects(write, why)

  test("an agent writes the section of its own node's Ports, and nothing else of any Port", async () => {
    const space = await newNamespace('authority')
    const [own, other, free] = [
      await port(space, 'own', { node: n1 }),
      await port(space, 'other', { node: n2 }),
      await port(space, 'free', {}),
    ]
    const agent = stores.get(n1)!
    // A policy counts once the API server has compiled it.
    await until(
      async () =>
        stores
          .get('')!
          .patchStatus(told(own), { node: { node: { wired: true } } })
          .then(
            () => false,
            () => true,
          ),
      'the policy is in force',
      30_000,
    )
    await agent.patchStatus(told(own), { node: { node: { wired: true } } })
    await refused(agent.patchStatus(told(other), { node: { node: { wired: true } } }), /is not the node of this agent/)
    const moving = await port(space, 'moving', { type: 'tap', node: n2, migratingTo: n1 })
    const arrives = (node: string) => ({ migration: { migration: { node, generation: 1 } } })
    await agent.patchStatus(told(moving), arrives(n1))
    await refused(agent.patchStatus(told(moving), arrives(n2)), /is of the node that the Port moves to/)
    await refused(agent.patchStatus(told(moving), { node: { node: { wired: true } } }), /is of the node that the Port is on/)
    await refused(stores.get(n2)!.patchStatus(told(moving), arrives(n2)), /is of the node that the Port moves to/)
    await refused(agent.patchStatus(told(own), arrives(n1)), /is of the node that the Port moves to/)
    await agent.patchStatus(told(moving), { migration: {} })
    await refused(agent.patchStatus(told(own), { address: { addresses: ['10.0.0.1'] } }), /section node alone/)
    await refused(agent.patchStatus(told(own), { report: { phase: 'error' } }), /section node alone/)
    await refused(stores.get('')!.patchStatus(told(own), { node: { node: { wired: false } } }), /names no node/)
    const live = (await agent.get(told(own).ref))!
    await refused(agent.update({ ...live, spec: { ...live.spec, portSecurity: false } }), /binds no Port/)
    await refused(agent.update({ ...live, spec: { ...live.spec, node: n2 } }), /binds no Port/)
    await refused(agent.update({ ...live, metadata: { ...live.metadata, labels: { x: 'y' } } }), /changes no finalizer/)
    await refused(
      agent.commit([{ do: 'removeFinalizer', ref: told(own).ref, uid: own.metadata.uid, finalizer: portFinalizer }]),
      /changes no finalizer/,
    )
    await refused(
      agent.commit([{ do: 'removeFinalizer', ref: told(other).ref, uid: other.metadata.uid, finalizer: wiredFinalizer }]),
      /is not the node of this agent/,
    )
    await agent.commit([{ do: 'removeFinalizer', ref: told(own).ref, uid: own.metadata.uid, finalizer: wiredFinalizer }])
    // It binds none, to its own node neither: it could take any tenant's address.
    for (const node of [n1, n2]) await refused(agent.update({ ...free, spec: { ...free.spec, node } }), /is not the node of this agent/)
    await refused(agent.patchStatus(told(free), { node: { node: { wired: true } } }), /is not the node of this agent/)
    await refused(
      agent.commit([{ do: 'removeFinalizer', ref: told(free).ref, uid: free.metadata.uid, finalizer: wiredFinalizer }]),
      /is not the node of this agent/,
    )
    assert.equal((await admin.get(told(free).ref))?.spec.node, undefined)
    await refused(agent.delete(told(own).ref), /forbidden/)
  })

  test('an agent answers Inquiries that ask its own node, and writes nothing else of any', async () => {
    const space = await newNamespace('inquiries')
    const made = async (name: string, node: string): Promise<Resource<'Inquiry'>> => {
      const item = await admin.create({ kind: 'Inquiry', metadata: { namespace: space, name }, spec: { about: 'wiring', port: 'p' } })
      return admin.patchStatus({ ref: refOf(item), uid: item.metadata.uid }, { placement: { node } })
    }
    const [own, other] = [await made('own', n1), await made('other', n2)]
    const agent = stores.get(n1)!
    const at = (item: Resource<'Inquiry'>) => ({ ref: refOf(item), uid: item.metadata.uid })
    const answer = { answer: { answer: { time: new Date().toISOString(), outcome: 'answered' as const, dataplane: 'memory' } } }
    assert.equal((await agent.patchStatus(at(own), answer)).status?.answer?.outcome, 'answered')
    await refused(agent.patchStatus(at(other), answer), /is not the node of this agent/)
    await refused(agent.patchStatus(at(own), { placement: { node: n2 } }), /section answer alone/)
    await refused(agent.patchStatus(at(own), { report: { phase: 'error' } }), /section answer alone/)
    await refused(stores.get('')!.patchStatus(at(own), { answer: {} }), /is not the node of this agent/)
    await refused(agent.delete(at(own).ref), /forbidden/)
    const listed = (await agent.list('Inquiry', { namespace: space, fields: { '.status.node': n1 } })).items
    assert.deepEqual(
      listed.map(({ metadata: { name } }) => name),
      ['own'],
    )
  })

  test('an agent says how the BGPSpeaker of its own node does, and writes nothing else of any', async () => {
    const made = (node: string): Promise<Resource<'BGPSpeaker'>> =>
      admin.create({ kind: 'BGPSpeaker', metadata: { name: node }, spec: { node, groups: [] } })
    const [own, other] = [await made(n1), await made(n2)]
    const agent = stores.get(n1)!
    const at = (item: Resource<'BGPSpeaker'>) => ({ ref: refOf(item), uid: item.metadata.uid })
    const running = { node: { daemon: { program: 'bird' as const, state: 'running' as const } } }
    assert.equal((await agent.patchStatus(at(own), running)).status?.daemon?.state, 'running')
    await refused(agent.patchStatus(at(other), running), /is not the node of this agent/)
    await refused(agent.patchStatus(at(own), { report: { phase: 'error' } }), /section node alone/)
    await refused(stores.get('')!.patchStatus(at(own), { node: {} }), /is not the node of this agent/)
    await refused(agent.update({ ...own, spec: { node: n1, groups: [] }, metadata: { ...own.metadata, labels: { x: 'y' } } }), /forbidden/)
    await refused(agent.delete(at(own).ref), /forbidden/)
    await refused(agent.create({ kind: 'BGPSpeaker', metadata: { name: `x-${suffix}` }, spec: { node: n1, groups: [] } }), /forbidden/)
    assert.deepEqual(
      (await agent.list('BGPSpeaker', { fields: { '.metadata.name': n1 } })).items.map(({ metadata }) => metadata.name),
      [n1],
    )
    for (const item of [own, other]) await admin.delete(refOf(item))
  })

  test('an agent tells the scheduler how much can be booked of its uplink, and takes it back; it writes nothing else of any Node', async () => {
    const { client } = stores.get(n1)!
    const has = async (node: string): Promise<readonly unknown[]> => {
      const { capacity, allocatable } = (await admin.get({ kind: 'Node', name: node }))?.status ?? {}
      return [capacity, allocatable].map((each) => each?.[uplinkResource])
    }
    const uplink = { ifname: 'eth0', rate: 10_000_000_000 }
    await reportCapacity({ client, node: n1, uplink })
    assert.deepEqual(await has(n1), ['9500', '9500'])
    const writes = client.counts['patch nodes/status']
    await reportCapacity({ client, node: n1, uplink })
    assert.equal(client.counts['patch nodes/status'], writes, 'what is so is not written again')
    await refused(reportCapacity({ client, node: n2, uplink }), /does not take it: 40[03]|does not take it: 422/)
    const patch = async (path: string, body: object): Promise<number> =>
      (
        await client.ask({
          verb: 'patch',
          resource: 'nodes/status',
          path: `/api/v1/nodes/${n1}${path}`,
          body,
          contentType: 'application/merge-patch+json',
        })
      ).status
    for (const status of [
      { capacity: { cpu: '1000' } },
      { allocatable: { 'example.org/device': '1' } },
      { addresses: [{ type: 'InternalIP', address: '192.0.2.66' }] },
      { conditions: [{ type: 'Ready', status: 'True' }] },
    ])
      assert.equal(await patch('/status', { status }), 403, JSON.stringify(status))
    assert.equal(await patch('/status', { metadata: { labels: { x: 'y' } } }), 403)
    assert.equal(await patch('', { metadata: { labels: { x: 'y' } } }), 403)
    await reportCapacity({ client, node: n1, uplink: { why: 'nobody says how much it carries' } })
    assert.deepEqual(await has(n1), [undefined, undefined])
  })

  test('an agent writes network-status of its own pods, and nothing else of any pod', async () => {
    const space = await newNamespace('authority')
    const made = (name: string, nodeName: string): Promise<string> =>
      kubectl(['create', '-f', '-'], {
        input: JSON.stringify({
          apiVersion: 'v1',
          kind: 'Pod',
          metadata: { name, namespace: space },
          spec: { nodeName, containers: [{ name: 'main', image: 'none' }], automountServiceAccountToken: false },
        }),
      })
    await kubectl(['create', 'serviceaccount', 'default', '-n', space]).catch(() => undefined)
    await made('own', n1)
    await made('other', n2)
    const agent = stores.get(n1)!
    const says = async (name: string, more: object): Promise<void> =>
      agent.commit([
        {
          do: 'patchPodStatus',
          pod: { kind: 'Pod', namespace: space, name },
          uid: (await admin.get({ kind: 'Pod', namespace: space, name }))!.metadata.uid,
          ...more,
        },
      ])
    await says('own', { annotations: { [networkStatusAnnotation]: '[]' } })
    const over = (there: string, now: string): Promise<void> =>
      says('own', {
        annotations: { [networkStatusAnnotation]: now },
        fence: { deletionTimestamp: undefined, annotations: { [networkStatusAnnotation]: there } },
      })
    await over('[]', '[ ]')
    await assert.rejects(over('[]', '[  ]'), Stale)
    await refused(says('other', { annotations: { [networkStatusAnnotation]: '[]' } }), /is not the node of this agent/)
    await refused(says('own', { annotations: { 'megrez.io/nic-status': '{}' } }), /network-status alone|written by Megrez/)
    await refused(says('own', { conditions: [{ type: 'megrez.io/NetworkReady', status: 'True' }] }), /network-status alone/)
  })

  test('each agent has two watches of Ports, one of pods, and one of IPLocks, rule sets, Subnets, peerings and the lock for each VNI that it hosts; it hears of no other', async () => {
    const space = await newNamespace('watches')
    const vnis = [101_001, 101_002, 101_003].map((vni) => vni + Math.floor(Math.random() * 900_000))
    for (const [i, vni] of vnis.entries()) {
      await admin.create({ kind: 'Vpc', metadata: { namespace: space, name: `v${i}` }, spec: { vni } })
      await admin.create({
        kind: 'Subnet',
        metadata: { namespace: space, name: `s${i}` },
        spec: { vpc: `v${i}`, ipv4: { cidr: '10.9.0.0/16' } },
      })
    }
    const bound = async (name: string, i: number, node: string, last: number): Promise<Resource<'Port'>> => {
      const address = `10.9.0.${last}`
      const item = await admin.create({
        kind: 'Port',
        metadata: { namespace: space, name, finalizers: [wiredFinalizer] },
        spec: { subnet: `s${i}`, node, claim: { pod: name, nic: 'eth0', owner: `Pod/${name}`, podUID: name }, podUID: name },
      })
      return admin.patchStatus(told(item), {
        report: { phase: 'ready' },
        address: { addresses: [address], mac: kosMac(vnis[i]!, address)!, vni: vnis[i]!, ifcName: 'x' },
      })
    }
    const lock = (i: number, last: number, hostIP: string): Promise<unknown> => {
      const address = `10.9.1.${last}`
      return admin.create({
        kind: 'IPLock',
        metadata: { namespace: space, name: addressLockNameOf(vnis[i]!, address)! },
        spec: { vni: vnis[i]!, address, mac: kosMac(vnis[i]!, address)!, hostIP },
      })
    }
    // n1 hosts the first and the second, n2 the second alone.
    const first = await bound('a', 0, n1, 10)
    await bound('b', 1, n1, 11)
    await bound('c', 1, n2, 12)
    for (const i of [0, 1, 2]) for (const last of [1, 2, 3]) await lock(i, last, '192.0.2.9')
    const agentOf = async (node: string, here: string): Promise<{ agent: Agent; store: KubeStore }> => {
      const store = await storeAs(node)
      const config = readConfig(
        {},
        {
          agents: true,
          cniSocket: join(folder, `${node}.sock`),
          cniConf: join(folder, node, 'conf'),
          cniDelegate: join(folder, node, 'delegate'),
          ledger: join(folder, node, 'ledger'),
        },
      )
      const ledger = await Ledger.open({ disk: thisDisk, folder: config.ledger, node, log: silentLog(), now: Date.now, boot: 'one' })
      const agent = await startAgent({
        store,
        config,
        clock: realClock,
        random: Math.random,
        log: silentLog(),
        node,
        here,
        mtuMost: 1450,
        uplink: { why: 'it is of no matter here' },
        plane: memory(memoryNode()),
        links: memoryLinks(),
        machine: thisMachine,
        ledger,
        meter: noAgentMeter,
      })
      agents.push(agent)
      await agent.ready
      return { agent, store }
    }
    const one = await agentOf(n1, '192.0.2.1')
    const two = await agentOf(n2, '192.0.2.2')
    const watches = (store: KubeStore): Record<string, number> =>
      Object.fromEntries(Object.entries(store.requests).filter(([ask]) => ask.startsWith('watch')))
    await until(() => [one, two].every(({ store }) => watches(store)['watch inquiries'] === 1), 'both hear what they are asked')
    assert.deepEqual(watches(one.store), {
      'watch ports': 2,
      'watch pods': 1,
      'watch inquiries': 1,
      'watch iplocks': 2,
      'watch policyrulesets': 2,
      'watch subnets': 2,
      'watch vpcpeerings': 2,
      'watch segmentlocks': 2,
      'watch vpcs': 2,
    })
    assert.deepEqual(watches(two.store), {
      'watch ports': 2,
      'watch pods': 1,
      'watch inquiries': 1,
      'watch iplocks': 1,
      'watch policyrulesets': 1,
      'watch subnets': 1,
      'watch vpcpeerings': 1,
      'watch segmentlocks': 1,
      'watch vpcs': 1,
    })
    const known = (agent: Agent): number[] => vnis.map((vni) => agent.env.loop.pieces.of(endpointPiece).ofVni(vni).size)
    assert.deepEqual(
      [known(one.agent), known(two.agent)],
      [
        [3, 3, 0],
        [0, 3, 0],
      ],
    )
    await lock(1, 4, '192.0.2.9')
    await lock(2, 4, '192.0.2.9')
    await until(() => known(one.agent)[1] === 4 && known(two.agent)[1] === 4, 'both hear of the VNI that both host')
    assert.deepEqual(
      [known(one.agent), known(two.agent)],
      [
        [3, 4, 0],
        [0, 4, 0],
      ],
    )
    // The last local port goes, and with it the watch and all it told.
    await one.agent.env.store.commit([{ do: 'removeFinalizer', ref: told(first).ref, uid: first.metadata.uid, finalizer: wiredFinalizer }])
    await admin.delete(told(first).ref)
    await until(() => !one.agent.env.locks.vnis.includes(vnis[0]!), 'the watch of the VNI has ended')
    assert.deepEqual(known(one.agent), [0, 4, 0])
    await lock(0, 5, '192.0.2.9')
    await lock(1, 5, '192.0.2.9')
    await until(() => known(one.agent)[1] === 5, 'the other VNI goes on')
    assert.deepEqual(known(one.agent), [0, 5, 0])
    assert.deepEqual(watches(one.store), {
      'watch ports': 2,
      'watch pods': 1,
      'watch inquiries': 1,
      'watch iplocks': 2,
      'watch policyrulesets': 2,
      'watch subnets': 2,
      'watch vpcpeerings': 2,
      'watch segmentlocks': 2,
      'watch vpcs': 2,
    })
  })
})
