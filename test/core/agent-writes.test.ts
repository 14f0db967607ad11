// What an agent may write, where the store is ours; test/kube/agents.test.ts asks the same of the policies on a real API server.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { whyNotWrite, type AgentWrite } from '../../core/admit/object/agent-writes.ts'
import { networkStatusAnnotation, portFinalizer, wiredFinalizer } from '../../core/kinds/annotations.ts'
import type { Resource } from '../../core/kinds/index.ts'

const port = (node?: string) =>
  ({
    kind: 'Port',
    metadata: { name: 'p', namespace: 'a', uid: 'u' },
    spec: { subnet: 's', ...(node !== undefined && { node }) },
  }) as unknown as Resource<'Port'>
const pod = (nodeName?: string) =>
  ({ kind: 'Pod', metadata: { name: 'p', namespace: 'a', uid: 'u' }, spec: { nodeName } }) as unknown as Resource<'Pod'>
const inquiry = (node?: string) =>
  ({
    kind: 'Inquiry',
    metadata: { name: 'q', namespace: 'a', uid: 'u' },
    spec: { about: 'wiring', port: 'p' },
    status: { node },
  }) as unknown as Resource<'Inquiry'>
const answers: AgentWrite = { do: 'patchStatus', sections: { answer: {} } }
const [own, other, free] = [port('n1'), port('n2'), port()]
const moving = (migratingTo?: string, said?: string) =>
  ({
    ...other,
    spec: { ...other.spec, ...(migratingTo !== undefined && { migratingTo }) },
    ...(said !== undefined && { status: { migration: { node: said, generation: 1 } } }),
  }) as unknown as Resource<'Port'>
const arrives = (node: string): AgentWrite => ({ do: 'patchStatus', sections: { migration: { migration: { node, generation: 1 } } } })
const takenBack: AgentWrite = { do: 'patchStatus', sections: { migration: {} } }
const report: AgentWrite = { do: 'patchStatus', sections: { node: {} } }
const says: AgentWrite = { do: 'patchPodStatus', annotations: { [networkStatusAnnotation]: '[]' } }

/** What, of which object, and whether the agent of n1 may. */
const cases: Readonly<Record<string, readonly [AgentWrite, Resource | undefined, RegExp | undefined]>> = {
  'the section node of a Port on its node': [report, own, undefined],
  'the finalizer of wiring': [{ do: 'removeFinalizer', finalizer: wiredFinalizer }, own, undefined],
  'network-status of a pod on its node': [says, pod('n1'), undefined],
  'nothing of what is not there': [report, undefined, /no such object/],
  'nothing of a Port elsewhere': [report, other, /not on the node/],
  'nothing of a Port that is on no node': [report, free, /not on the node/],
  'no finalizer of a Port that is on no node': [{ do: 'addFinalizer', finalizer: wiredFinalizer }, free, /not on the node/],
  'no node of a Port: it binds none': [{ do: 'update' }, free, /not on the node/],
  'no spec of its own Ports': [{ do: 'update' }, own, /does not update Ports/],
  'no other section': [{ do: 'patchStatus', sections: { node: {}, address: {} } }, own, /section node alone/],
  'no other finalizer': [{ do: 'removeFinalizer', finalizer: portFinalizer }, own, /no finalizer but/],
  'what moves to its node': [arrives('n1'), moving('n1'), undefined],
  'that over what another node has said before': [arrives('n1'), moving('n1', 'n3'), undefined],
  'that it does not move there after all': [takenBack, moving(undefined, 'n1'), undefined],
  'nothing of what moves elsewhere': [arrives('n1'), moving('n3'), /does not move to the node/],
  'nothing of what stays on its own node': [arrives('n1'), own, /does not move to the node/],
  'nothing for the node that it moves to': [arrives('n3'), moving('n1'), /its own node alone/],
  'nothing in place of what another has said': [takenBack, moving('n1', 'n3'), /another node has said it/],
  'no section node of what moves to its node': [report, moving('n1'), /not on the node/],
  'no finalizer of what moves to its node': [{ do: 'removeFinalizer', finalizer: wiredFinalizer }, moving('n1'), /not on the node/],
  'no end of a Port': [{ do: 'delete' }, own, /does not delete Ports/],
  'no pod elsewhere': [says, pod('n2'), /not on the node/],
  'no pod that is placed nowhere': [says, pod(), /not on the node/],
  'no other annotation': [{ do: 'patchPodStatus', annotations: { x: 'y' } }, pod('n1'), /alone/],
  'no condition of a pod': [{ do: 'patchPodStatus', conditions: [{}] }, pod('n1'), /alone/],
  'the answer of an Inquiry that asks its node': [answers, inquiry('n1'), undefined],
  'no answer for another node': [answers, inquiry('n2'), /not asked/],
  'no answer where nobody is asked yet': [answers, inquiry(), /not asked/],
  'no other section of an Inquiry': [{ do: 'patchStatus', sections: { answer: {}, placement: {} } }, inquiry('n1'), /section answer alone/],
  'no end of an Inquiry': [{ do: 'delete' }, inquiry('n1'), /does not delete Inquiries/],
  'no other kind': [{ do: 'update' }, { ...own, kind: 'Subnet' } as unknown as Resource, /writes no Subnet/],
}

describe('an agent writes', () => {
  for (const [what, [write, there, why]] of Object.entries(cases)) {
    test(what, () => {
      const said = whyNotWrite(write, there, 'n1')
      if (why === undefined) assert.equal(said, undefined)
      else assert.match(said ?? '', why)
    })
  }
})
