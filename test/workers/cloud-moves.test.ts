// VMs that move with a Port of a cloud, as its workers see to it: bound to both nodes, then to the second, or to the first alone again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wiredFinalizer } from '../../core/kinds/annotations.ts'
import { refOf, type Resource } from '../../core/kinds/index.ts'
import { around, isReason, makeReady, reasonOf, until, type Around } from './cloud-site.ts'

const port = async ({ cluster }: Around): Promise<Resource<'Port'>> => (await cluster.get('Port', 'a/p'))!
const bindings = (of: Around): unknown[] => of.cloud.all('port').map(({ host, second }) => [host, second])

async function onFirst(of: Around): Promise<void> {
  await makeReady(of, { type: 'tap' })
  await edit(of, { node: 'n1' })
  await until(of.cluster, isReason(of, 'Port', 'a/p', 'Bound'))
  const { metadata } = await port(of)
  await say(of, { node: { node: { wired: true, tap: 'tap0' } } })
  of.cloud.plug(of.cloud.all('port')[0]!.id)
  await until(of.cluster, isReason(of, 'Port', 'a/p', 'Active'))
  assert.ok(metadata.finalizers?.includes(wiredFinalizer))
}

async function edit(of: Around, spec: object): Promise<void> {
  const seen = await port(of)
  await of.cluster.store.update({ ...seen, spec: { ...seen.spec, ...spec } })
}
const say = async (of: Around, sections: Record<string, object>): Promise<unknown> => {
  const seen = await port(of)
  return of.cluster.store.patchStatus({ ref: refOf(seen), uid: seen.metadata.uid }, sections)
}
const speaks = async (of: Around): Promise<unknown> =>
  say(of, { migration: { migration: { node: 'n2', generation: (await port(of)).metadata.generation, tap: 'tap0', active: true } } })

test('a VM moves: its cloud has two bindings before it is there, and one after', async () => {
  const of = await around({ agents: true })
  await onFirst(of)
  await edit(of, { migratingTo: 'n2' })
  await until(of.cluster, async () => (await port(of)).status?.nextVif !== undefined)
  const moving = await port(of)
  assert.deepEqual([reasonOf(moving), moving.status?.vif?.node, moving.status?.nextVif?.node], ['Active', 'n1', 'n2'])
  assert.deepEqual(bindings(of), [['n1', 'n2']])
  await speaks(of)
  await until(of.cluster, async () => (await port(of)).status?.vif?.node === 'n2')
  of.cloud.plug(of.cloud.all('port')[0]!.id)
  await until(of.cluster, isReason(of, 'Port', 'a/p', 'Active'))
  const { spec, status } = await port(of)
  assert.deepEqual([spec.node, spec.migratingTo, status?.nextVif, status?.migration], ['n2', undefined, undefined, undefined])
  assert.deepEqual(bindings(of), [['n2', undefined]])
  await of.cluster.close()
})

test('a move that is given up leaves one binding, and the Port as it was', async () => {
  const of = await around({ agents: true })
  await onFirst(of)
  await edit(of, { migratingTo: 'n2' })
  await until(of.cluster, async () => (await port(of)).status?.nextVif !== undefined)
  await edit(of, { migratingTo: undefined })
  await until(of.cluster, async () => (await port(of)).status?.nextVif === undefined)
  assert.deepEqual([reasonOf(await port(of)), bindings(of)], ['Active', [['n1', undefined]]])
  await of.cluster.close()
})

test("a binding that the cloud refuses is told in the cloud's words, and the VM stays where it is", async () => {
  const of = await around({ agents: true })
  await onFirst(of)
  of.cloud.options.strangers.push('n2')
  await edit(of, { migratingTo: 'n2' })
  await until(of.cluster, isReason(of, 'Port', 'a/p', 'Refused'))
  const { spec, status } = await port(of)
  assert.deepEqual([spec.node, status?.vif?.node, status?.nextVif, bindings(of)], ['n1', 'n1', undefined, [['n1', undefined]]])
  assert.match(status?.message ?? '', /refuses a second binding: there is no node n2/)
  await edit(of, { migratingTo: undefined })
  await until(of.cluster, isReason(of, 'Port', 'a/p', 'Active'))
  await of.cluster.close()
})

test('a cloud that fails once it has made the second binding is asked again, and has one', async () => {
  const of = await around({ agents: true })
  await onFirst(of)
  let failures = 3
  of.faults.way = () => {
    const isBack = of.cloud.all('port')[0]?.second !== undefined
    return isBack && failures-- > 0 ? Promise.reject(new Error('cut off')) : Promise.resolve()
  }
  await edit(of, { migratingTo: 'n2' })
  await until(of.cluster, async () => (await port(of)).status?.nextVif !== undefined)
  assert.deepEqual([failures < 3, bindings(of)], [true, [['n1', 'n2']]])
  await of.cluster.close()
})
