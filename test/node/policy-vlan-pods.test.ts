// Policies of a namespace on pods in a VLAN, from the policy to packets: workers, agents and the real Open vSwitch.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { pathOf } from '../../cli/demo/rest.ts'
import { must, noNamespaces, type Namespace } from '../../lab/namespaces.ts'
import { ovsCarrier, type OvsCarrier } from '../../lab/nodes/carriers.ts'
import { ovsMissing } from '../../lab/programs/ovs.ts'
import type { Kind, Resource } from '../../core/kinds/index.ts'
import { until } from '../setup/until.ts'
import { startAgents, type Agents, type NodeWith } from './agents.ts'
import { ask, startServer, type Question } from './conversations.ts'
import { ipFrame, listen, pythonSkip, sendFrames } from './raw-frames.ts'

const skip = (await noNamespaces()) ?? (await ovsMissing({ install: false, print: () => undefined })) ?? pythonSkip
const namespace = 'a'
const apiVersion = { Pod: 'v1', NetworkPolicy: 'networking.k8s.io/v1' } as Readonly<Record<string, string>>

describe('policies on pods in a VLAN', { skip }, () => {
  let agents: Agents
  let node: NodeWith<OvsCarrier>
  let server: Namespace, friend: Namespace, stranger: Namespace
  const servers: { close(): Promise<void> }[] = []

  const call = (method: string, kind: Kind, name?: string, body?: object) =>
    agents.rest.call(method, pathOf(kind, namespace, name), body, ['PUT', 'DELETE'].includes(method) ? { 'if-match': '*' } : {})
  async function post(kind: Kind, name: string, spec: object, metadata: object = {}): Promise<{ readonly uid: string }> {
    const object = { apiVersion: apiVersion[kind] ?? 'megrez.io/v1alpha1', kind, metadata: { name, ...metadata }, spec }
    const answer = await call('POST', kind, undefined, object)
    assert.equal(answer.status, 201, `${kind} ${name}: ${JSON.stringify(answer.body)}`)
    return answer.body.metadata
  }
  async function attachment(name: string): Promise<Resource<'L2ServiceAttachment'>> {
    return (await call('GET', 'L2ServiceAttachment', name)).body as unknown as Resource<'L2ServiceAttachment'>
  }

  /** As Multus makes it, with an address that nobody is told of. */
  async function pod(name: string, definition: string, address: string, app = name): Promise<Namespace> {
    const { uid } = await post(
      'Pod',
      name,
      { nodeName: node.name, containers: [{ name: 'main', image: 'none' }] },
      { labels: { app }, annotations: { 'k8s.v1.cni.cncf.io/networks': definition } },
    )
    const sandbox = await node.sandbox({ namespace, name, uid })
    const { body } = await call('GET', 'NetworkAttachmentDefinition', definition)
    const conf = JSON.parse((body as unknown as { readonly spec: { readonly config: string } }).spec.config) as object
    const { code, said } = await node.cni('ADD', sandbox, conf, 'net1')
    assert.equal(code, 0, `${said.msg ?? ''}\n${(await node.log()).trim().split('\n').slice(-5).join('\n')}`)
    await sandbox.namespace.ip('addr', 'add', `${address}/24`, 'dev', 'net1')
    return sandbox.namespace
  }

  before(async () => {
    agents = await startAgents()
    node = await agents.node('n1', async (place) => {
      const carrier = await ovsCarrier(place)
      const { name } = carrier.namespace
      await must('ip', '-n', name, 'link', 'add', 'eth1', 'type', 'veth', 'peer', 'name', 'wire')
      for (const each of ['eth1', 'wire']) await carrier.namespace.ip('link', 'set', each, 'up')
      return { ...carrier, settings: { ...carrier.settings, MEGREZ_UPLINKS: '{"physnet1":"eth1"}' } }
    })
    await post('ConnectionPoint', 'cp', {
      physicalNet: 'physnet1',
      supportedCnis: [{ name: 'megrez', supportedInterfaceTypes: ['kernel'] }],
    })
    for (const [name, vlan] of [['blue', 100] as const, ['red', 200] as const]) await post('L2Service', name, { segmentationID: vlan })
    await post('L2ServiceAttachment', 'access', { vlanType: 'access', l2Services: ['blue'], connectionPoint: 'cp' })
    await post('L2ServiceAttachment', 'several', { vlanType: 'selectivetrunk', l2Services: ['blue', 'red'], connectionPoint: 'cp' })
    for (const name of ['access', 'several'])
      await until(async () => (await attachment(name)).status?.phase === 'ready', `${name} is ready`, 60_000)
    server = await pod('server', 'access', '10.0.0.2')
    friend = await pod('friend', 'access', '10.0.0.3')
    stranger = await pod('stranger', 'access', '10.0.0.4')
    for (const each of [server, friend]) servers.push(await startServer(each, [80, 81]))
  })
  after(async () => {
    for (const each of servers) await each.close()
    await agents?.close()
  })

  const asked = (from: Namespace, question: Partial<Question> = {}): Promise<string> =>
    ask(from, { kind: 'tcp', to: '10.0.0.2', l4Port: 80, ...question })
  const drop = async (kind: Kind, name: string): Promise<void> => {
    const { status, body } = await call('DELETE', kind, name)
    assert.ok(status < 300, `${kind} ${name}: ${JSON.stringify(body)}`)
  }
  const becomes = (from: Namespace, answer: string, question: Partial<Question> = {}): Promise<unknown> =>
    until(async () => (await asked(from, question)) === answer, `it is ${answer}`, 30_000)

  test('where no policy is in force nobody is judged, and nothing is said of it', async () => {
    for (const each of [friend, stranger]) assert.equal(await asked(each), 'answered')
    assert.equal((await attachment('access')).status?.policy, undefined)
  })

  test('a UnifiedNetworkPolicy with blocks judges the pod that it selects, and no other, in both directions', async () => {
    await post('UnifiedNetworkPolicy', 'p', {
      podSelector: { matchLabels: { app: 'server' } },
      defaults: { ingress: 'deny', egress: 'deny' },
      ingress: [{ action: 'allow', peers: [{ cidr: '10.0.0.3/32' }], ports: [{ protocol: 'tcp', l4Port: 80 }] }],
    })
    await becomes(stranger, 'silent')
    await becomes(friend, 'answered')
    assert.equal(await asked(friend, { l4Port: 81 }), 'silent')
    assert.equal(await asked(server, { to: '10.0.0.3' }), 'silent', 'it begins nothing')
    assert.equal(await asked(stranger, { to: '10.0.0.3' }), 'answered', 'others are as they were')
    const { policy } = (await attachment('access')).status ?? {}
    assert.equal(policy?.judged.length, 2, 'one identity for whom it selects, one for the others')
  })

  test('an agent that is killed and comes again judges as before', async () => {
    await node.killAgent()
    await node.startAgent()
    await becomes(friend, 'answered')
    assert.equal(await asked(stranger), 'silent')
  })

  test('a rule that is edited counts for running pods, and a pod that comes is judged from its first packet', async () => {
    const { body } = await call('GET', 'UnifiedNetworkPolicy', 'p')
    const policy = body as unknown as Resource<'UnifiedNetworkPolicy'>
    const spec = { ...policy.spec, ingress: [{ action: 'allow', peers: [{ cidr: '10.0.0.4/32' }] }] }
    assert.equal((await call('PUT', 'UnifiedNetworkPolicy', 'p', { ...policy, spec })).status, 200)
    await becomes(stranger, 'answered')
    assert.equal(await asked(friend), 'silent')
    const late = await pod('late', 'access', '10.0.0.5', 'server')
    assert.equal(await asked(late, { to: '10.0.0.3' }), 'silent', 'it begins nothing')
  })

  test('an interface in several VLANs is judged in each: a rule with a VLAN is for that, and one with a bad one is refused', async () => {
    const trunk = await pod('trunk', 'several', '10.0.0.9')
    const ear = await listen(friend, 'net1')
    let nth = 0
    /** Whether a frame of its own comes out in VLAN 100. */
    const isHeard = async (): Promise<boolean> => {
      const to = `10.9.${Math.floor(++nth / 256)}.${nth % 256}`
      const source = '02:00:00:00:00:09'
      await sendFrames(trunk, 'net1', [ipFrame({ source, destination: 'ff:ff:ff:ff:ff:ff', from: '10.0.0.9', to, tag: 100 })])
      // Whoever is not judged is heard after it.
      await sendFrames(stranger, 'net1', [ipFrame({ source, destination: 'ff:ff:ff:ff:ff:ff', from: '10.0.0.4', to })])
      const hex = (address: string): string =>
        address
          .split('.')
          .map((each) => Number(each).toString(16).padStart(2, '0'))
          .join('')
      await until(() => ear.heard.some((frame) => frame.includes(`${hex('10.0.0.4')}${hex(to)}`)), 'the last frame is heard')
      return ear.heard.some((frame) => frame.includes(`${hex('10.0.0.9')}${hex(to)}`))
    }
    const policy = { podSelector: { matchLabels: { app: 'trunk' } }, egress: [{ action: 'deny', l2: { vlan: 100 } }] }
    const edit = async (l2: object): Promise<number> => {
      const { body } = await call('GET', 'UnifiedNetworkPolicy', 'q')
      return (await call('PUT', 'UnifiedNetworkPolicy', 'q', { ...body, spec: { ...policy, egress: [{ action: 'deny', l2 }] } })).status
    }
    try {
      await until(isHeard, 'nobody judges it', 30_000)
      await post('UnifiedNetworkPolicy', 'q', policy)
      await until(async () => !(await isHeard()), 'VLAN 100 is denied', 30_000)
      assert.equal(await edit({ vlan: 200 }), 200)
      await until(isHeard, 'the other one is', 30_000)
      for (const vlan of [0, 4095]) assert.equal(await edit({ vlan }), 422)
    } finally {
      await drop('UnifiedNetworkPolicy', 'q')
      await ear.close()
    }
  })

  test('a NetworkPolicy judges in the same way, and when all are gone it is as it was', async () => {
    await drop('UnifiedNetworkPolicy', 'p')
    await becomes(friend, 'answered')
    await post('NetworkPolicy', 'np', {
      podSelector: { matchLabels: { app: 'server' } },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ ipBlock: { cidr: '10.0.0.0/24', except: ['10.0.0.4/32'] } }] }],
    })
    await becomes(stranger, 'silent')
    assert.equal(await asked(friend), 'answered')
    assert.equal(await asked(server, { to: '10.0.0.3' }), 'answered')
    await drop('NetworkPolicy', 'np')
    await becomes(stranger, 'answered')
    await until(async () => (await attachment('access')).status?.policy === undefined, 'nobody is told of any more', 30_000)
  })
})
