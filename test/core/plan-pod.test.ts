import { test } from 'node:test'
import assert from 'node:assert/strict'
import { networkReadyCondition, nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import type { Write } from '../../core/contracts/store.ts'
import type { Resource, SpecOf } from '../../core/kinds/index.ts'
import { portNameOf } from '../../core/net/names.ts'
import { isPodFinished, planPod, type NicAnswer, type PodDesired } from '../../core/plan/pod/pod.ts'
import { timelineOf } from '../../core/plan/notify/notices.ts'
import { podReported } from '../../core/plan/pod/pod-report.ts'
import { at, going, line, t0, thing } from './plan-things.ts'

const web = (more: object = {}, spec: object = {}): Resource<'Pod'> => thing('Pod', 'web', { containers: [], ...spec }, more)
const claim = { pod: 'web', nic: 'net1', owner: 'Pod/web', podUID: 'uid-web' }
const madeName = portNameOf({ name: 'web', uid: 'uid-web' }, 'net1')
const ready = { status: { phase: 'ready', message: 'fine', addresses: ['10.0.0.7'] } }
const port = (name: string, spec: Partial<SpecOf<'Port'>> = {}, more: object = ready): Resource<'Port'> =>
  thing('Port', name, { subnet: 'one', ...spec }, more as never)
const made = (spec: Partial<SpecOf<'Port'>> = {}, more: object = ready): Resource<'Port'> =>
  port(madeName, { claim, podUID: 'uid-web', ...spec }, more)
const answer = (more: Partial<NicAnswer>): NicAnswer => ({ nic: 'net1', port: undefined, draft: undefined, portID: undefined, ...more })
const draft = { kind: 'Port' as const, metadata: { namespace: 'a', name: madeName }, spec: { subnet: 'one' } }
const ofAnother = { ...claim, pod: 'other', owner: 'Pod/other', podUID: 'uid-other' }

interface Case {
  readonly pod?: Resource<'Pod'> | undefined
  readonly answers?: readonly NicAnswer[]
  readonly claimed?: readonly Resource<'Port'>[]
  readonly problem?: PodDesired['problem']
  readonly is: string
  readonly says?: RegExp
}
const cases: Readonly<Record<string, Case>> = {
  'a NIC without a Port has one made': { answers: [answer({ draft })], is: 'pending PortsPending, createPort' },
  'what is in place is left alone': { answers: [answer({ port: made() })], claimed: [made()], is: 'ready InPlace' },
  'a scheduled pod takes its Port to the node': {
    pod: web({}, { nodeName: 'n1' }),
    answers: [answer({ port: made() })],
    is: 'ready InPlace, updatePort',
  },
  'a pre-made Port is claimed': { answers: [answer({ port: port('mine'), portID: 'mine' })], is: 'ready InPlace, updatePort' },
  'an unconfirmed claim is confirmed': {
    answers: [answer({ port: port('mine', { claim: { ...claim, until: at(1) } }), portID: 'mine' })],
    is: 'ready InPlace, updatePort',
  },
  'one claimed by another pod is not': {
    answers: [answer({ port: port('mine', { claim: ofAnother, podUID: 'uid-other' }), portID: 'mine' })],
    is: 'error PortTaken',
    says: /claimed by pod other/,
  },
  'nor one that is kept for it, also past its time: workers end that': {
    answers: [answer({ port: port('mine', { claim: { ...ofAnother, until: at(0) } }), portID: 'mine' })],
    is: 'error PortTaken',
    says: /claimed by pod other/,
  },
  'one kept for the same owner and NIC is': {
    answers: [answer({ port: port('mine', { claim: { ...claim, podUID: 'refused', until: at(1) } }), portID: 'mine' })],
    is: 'ready InPlace, updatePort',
  },
  'one that is not there yet is waited for': { answers: [answer({ portID: 'mine' })], is: 'pending PortMissing' },
  'one that is going is an error': { answers: [answer({ port: port('mine', {}, going) })], is: 'error PortTerminating' },
  'the worst NIC speaks for the pod': {
    answers: [
      answer({ port: made() }),
      answer({
        nic: 'net2',
        port: port(
          'x',
          { claim: { ...claim, nic: 'net2' }, podUID: 'uid-web' },
          { status: { phase: 'error', message: 'no', conditions: [{ reason: 'AddressTaken' }] } },
        ),
      }),
    ],
    is: 'error AddressTaken',
    says: /^NIC net2: no$/,
  },
  'what it cannot be told yet it waits for': { problem: { message: 'Vpc blue not found', later: true }, is: 'pending NicsUnresolved' },
  'what is wrong for good is an error': { problem: { message: 'bad', later: false }, is: 'error NicsRefused' },
  'a pod that has its Ports keeps them, whatever is said of its Vpc now': {
    problem: { message: 'Vpc blue is being deleted', later: false },
    claimed: [made()],
    is: 'ready InPlace',
  },
  'started before its Port was made, it is told to be made anew': {
    pod: web({
      status: { phase: 'Running', conditions: [{ type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: at(-1_000) }] },
    }),
    answers: [answer({ port: made() })],
    is: 'error StartedWithoutNics',
    says: /make the pod anew/,
  },
  'started after it, all is well': {
    pod: web({
      status: { phase: 'Running', conditions: [{ type: 'PodReadyToStartContainers', status: 'True', lastTransitionTime: at(0) }] },
    }),
    answers: [answer({ port: made() })],
    is: 'ready InPlace',
  },
  'a NIC that is no longer asked for loses its Port': {
    answers: [answer({ nic: 'net2', draft })],
    claimed: [made()],
    is: 'pending PortsPending, deletePort, createPort',
  },
  'gone, its own Port is deleted': { pod: undefined, claimed: [made()], is: 'deleted PodOver, deletePort' },
  'gone, a Port being deleted is left to it': { pod: undefined, claimed: [made({}, going)], is: 'deleted PodOver' },
  'gone, a retained Port is let go': { pod: undefined, claimed: [made({ retain: true })], is: 'deleted PodOver, updatePort' },
  'gone, a pre-made Port is let go': {
    pod: undefined,
    claimed: [port('mine', { claim, podUID: 'uid-web', node: 'n1' })],
    is: 'deleted PodOver, updatePort',
  },
  'not there yet, what is kept for it stays': {
    pod: undefined,
    claimed: [port('mine', { claim: { ...claim, until: at(1) } })],
    is: 'deleted PodOver',
  },
  'over, its Port is deleted and it is told': {
    pod: web({ status: { phase: 'Succeeded' } }),
    claimed: [made()],
    is: 'terminating PodOver, deletePort',
  },
  'going, it has no Port made that it has not got': {
    pod: web({ ...going, deletionGracePeriodSeconds: 30 }),
    answers: [answer({ draft })],
    is: 'terminating PodOver',
    says: /none of its NICs/,
  },
  'going, a Port of its that is going is no error': {
    pod: web({ ...going, deletionGracePeriodSeconds: 30 }),
    answers: [answer({ port: made({}, going) })],
    claimed: [made({}, going)],
    is: 'terminating PortTerminating',
  },
  'going, what is still there is as it was': {
    pod: web({ ...going, deletionGracePeriodSeconds: 30 }),
    answers: [answer({ port: made() }), answer({ nic: 'net2', draft })],
    claimed: [made()],
    is: 'ready InPlace',
  },
  'the Port of a pod of the same name before it goes': {
    answers: [answer({ port: made() })],
    claimed: [made(), port(portNameOf({ name: 'web', uid: 'old' }, 'net1'), { claim: { ...claim, podUID: 'old' } })],
    is: 'ready InPlace, deletePort',
  },
}
for (const [name, c] of Object.entries(cases)) {
  test(`a pod: ${name}`, () => {
    const plan = planPod(
      {
        ref: { kind: 'Pod', namespace: 'a', name: 'web' },
        pod: 'pod' in c ? c.pod : web(),
        owner: 'Pod/web',
        answers: c.answers,
        problem: c.problem,
        claimed: c.claimed ?? [],
      },
      t0,
    )
    assert.equal(line(plan), c.is)
    assert.match(plan.message, c.says ?? /./)
  })
}

test('a Port that its node has not unwired keeps the pod before it, beside the new claim', () => {
  const mine = port('mine', { podUID: 'uid-old', node: 'n1' })
  const plan = planPod(
    {
      ref: { kind: 'Pod', namespace: 'a', name: 'web' },
      pod: web({}, { nodeName: 'n2' }),
      owner: 'Pod/web',
      answers: [answer({ port: mine, portID: 'mine' })],
      problem: undefined,
      claimed: [],
    },
    t0,
  )
  assert.deepEqual(
    plan.steps.map(({ action }) => action),
    [{ do: 'updatePort', port: mine, spec: { subnet: 'one', podUID: 'uid-old', node: 'n1', claim } }],
  )
})

test('a pod that is over or going is told of the NICs that are still there, and of no other', () => {
  const nicsOf = (pod: Resource<'Pod'>, claimed: readonly Resource<'Port'>[], answers?: readonly NicAnswer[]): unknown =>
    planPod(
      { ref: { kind: 'Pod', namespace: 'a', name: 'web' }, pod, owner: 'Pod/web', answers, problem: undefined, claimed },
      t0,
    ).nics.map(({ name, phase }) => `${name} ${phase}`)
  const job = web({ status: { phase: 'Succeeded' } })
  assert.deepEqual(nicsOf(job, [made()]), ['net1 terminating'])
  assert.deepEqual(nicsOf(job, []), [])
  const leaving = web({ ...going, deletionGracePeriodSeconds: 30 })
  assert.deepEqual(nicsOf(leaving, [made()], [answer({ port: made() }), answer({ nic: 'net2', draft })]), ['net1 ready'])
  assert.deepEqual(nicsOf(leaving, [], [answer({ draft })]), [])
})

const over: Readonly<Record<string, readonly [object, boolean]>> = {
  running: [{ status: { phase: 'Running' } }, false],
  succeeded: [{ status: { phase: 'Succeeded' } }, true],
  failed: [{ status: { phase: 'Failed' } }, true],
  'in its grace period': [{ ...going, deletionGracePeriodSeconds: 30 }, false],
  'with its grace period over': [{ ...going, deletionGracePeriodSeconds: 0 }, true],
}
for (const [name, [more, is]] of Object.entries(over))
  test(`a pod ${name} is ${is ? '' : 'not '}over`, () => assert.equal(isPodFinished(web(more)), is))

test('a report is written once, with an Event for what goes wrong and its end, and none for what is on its way or well from the start', () => {
  const reporting = { now: t0, namespace: 'megrez-system' }
  const nics = [{ name: 'net1', phase: 'ready' as const }]
  const said = { steps: [], nics, phase: 'ready' as const, reason: 'InPlace', message: '1 NIC ready' }
  assert.deepEqual(podReported(web(), { ...said, phase: 'pending', isOnItsWay: true }, reporting), [])
  const [patch, ...none] = podReported(web(), said, reporting)
  assert.ok(patch?.do === 'patchPodStatus' && none.length === 0)
  assert.deepEqual(patch.conditions, [{ type: networkReadyCondition, status: 'True', reason: 'InPlace', message: '1 NIC ready' }])
  const after = web({ annotations: patch.annotations })
  assert.deepEqual(podReported(after, said, reporting), [], 'what is said already is not said again')
  const changed = podReported(after, { ...said, message: 'other' }, reporting)
  assert.deepEqual(
    changed.map((write) => write.do),
    ['patchPodStatus'],
    'no phase has changed',
  )
  assert.equal((JSON.parse(String((changed[0] as typeof patch).annotations?.[nicStatusAnnotation])) as { sequence: number }).sequence, 1)
  const eventIn = (writes: readonly Write[]): unknown =>
    writes.flatMap((write) => (write.do === 'create' && write.draft.kind === 'Event' ? [write.draft.spec] : []))[0]
  const broken = podReported(after, { ...said, phase: 'error', reason: 'SubnetFull' }, reporting)
  assert.partialDeepStrictEqual(eventIn(broken), { type: 'Warning', reason: 'SubnetFull' })
  const [brokenPatch] = broken
  assert.ok(brokenPatch?.do === 'patchPodStatus')
  assert.partialDeepStrictEqual(eventIn(podReported(web({ annotations: brokenPatch.annotations }), said, reporting)), {
    type: 'Normal',
    reason: 'NicsReady',
  })
})

test('what a pod is told has its latest changes of phase, and nonsense that its owner has written there holds nothing up', () => {
  const reporting = { now: t0, namespace: 'megrez-system' }
  const said = { steps: [], nics: [], reason: 'InPlace', message: '' }
  let pod = web({ annotations: { [nicStatusAnnotation]: '{"timeline":[null,7' } })
  for (const phase of ['ready', 'error', 'pending', 'ready', 'error', 'ready'] as const) {
    const [patch] = podReported(pod, { ...said, phase }, reporting)
    assert.ok(patch?.do === 'patchPodStatus')
    pod = web({ annotations: patch.annotations })
  }
  assert.deepEqual(
    timelineOf(pod).map(({ sequence, phase, time }) => [sequence, phase, time]),
    [
      [3, 'pending', at(0)],
      [4, 'ready', at(0)],
      [5, 'error', at(0)],
      [6, 'ready', at(0)],
    ],
  )
  assert.equal(
    podReported(web({ annotations: { [nicStatusAnnotation]: '{"timeline":"x","nics":[7]}' } }), { ...said, phase: 'ready' }, reporting)
      .length,
    1,
  )
})

test("a Port that is on another node without a pod leaves that first, and on the pod's own node is taken as it is", () => {
  const mine = port('mine', { node: 'n1' })
  const specOn = (nodeName: string | undefined) => {
    const pod = web({}, nodeName === undefined ? {} : { nodeName })
    const desired = {
      ref: { kind: 'Pod', namespace: 'a', name: 'web' } as const,
      pod,
      owner: 'Pod/web',
      answers: [answer({ port: mine, portID: 'mine' })],
      problem: undefined,
      claimed: [],
    }
    return planPod(desired, t0).steps.map(({ action }) => (action.do === 'updatePort' ? action.spec : action))
  }
  const leaving = [{ subnet: 'one', node: 'n1', claim }]
  assert.deepEqual(
    [specOn('n2'), specOn(undefined), specOn('n1')],
    [leaving, leaving, [{ subnet: 'one', node: 'n1', podUID: 'uid-web', claim }]],
  )
})

test('the Ports that a pod has made are reconciled next, and none that is there', () => {
  const desired = {
    ref: { kind: 'Pod', namespace: 'a', name: 'web' },
    pod: web(),
    owner: 'Pod/web',
    problem: undefined,
    claimed: [],
  } as const
  assert.deepEqual(planPod({ ...desired, answers: [answer({ draft }), answer({ nic: 'net2', port: port('x') })] }, t0).next, [
    { kind: 'Port', namespace: 'a', name: madeName },
  ])
  assert.equal(planPod({ ...desired, answers: [answer({ port: made() })] }, t0).next, undefined)
})

test('NICs of a pod that cannot be told any more stand in one order, in whichever a worker has heard of its Ports', () => {
  const ofNic = (nic: string): Resource<'Port'> => port(`web-${nic}`, { claim: { ...claim, nic }, podUID: 'uid-web' })
  const [first, second] = [ofNic('a'), ofNic('b')]
  const problem = { message: 'Vpc blue not found', later: true }
  const told = (pod: Resource<'Pod'>, claimed: readonly Resource<'Port'>[]): unknown[] =>
    planPod(
      { ref: { kind: 'Pod', namespace: 'a', name: 'web' }, pod, owner: 'Pod/web', answers: undefined, problem, claimed },
      t0,
    ).nics.map(({ name }) => name)
  for (const claimed of [
    [first, second],
    [second, first],
  ]) {
    assert.deepEqual(told(web(), claimed), ['a', 'b'])
    const before = { phase: 'ready', sequence: 1, nics: [{ name: 'b', port: 'web-b' }, null, { name: 'a', port: 'web-a' }] }
    const annotations = { [nicStatusAnnotation]: JSON.stringify(before) }
    assert.deepEqual(told(web({ annotations }), claimed), ['b', 'a'], 'as it was told before')
  }
})
