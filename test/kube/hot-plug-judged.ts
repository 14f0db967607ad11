// Changes of a pod that is there, of the NICs that come and go above all, through an API server: who is asked, and what is refused by whom.
import assert from 'node:assert/strict'
import { tryKubectl } from '../setup/kubectl.ts'

const hotAt = 'megrez.io/hot-nics'

/**
 * Of the pods `kept`, which has NICs of ours, and `silent`, which has none; the Subnet front is there.
 *
 * @param askedOf how often we have been asked about the first
 */
export async function hotPlugIsJudged(space: string, askedOf: () => number): Promise<void> {
  const annotate = async (change: string, pod = 'kept'): Promise<string> =>
    (await tryKubectl(['annotate', 'pod', pod, '-n', space, '--overwrite', change])).stderr
  const plug = (nics: readonly object[]): Promise<string> => annotate(`${hotAt}=${JSON.stringify(nics)}`)
  const fast = { name: 'fast', subnet: 'front' }
  assert.match(await annotate('megrez.io/cluster-nic=none'), /megrez\.io~1cluster-nic: cannot be changed/)
  const before = askedOf()
  assert.equal(await annotate('example.org/x=z'), '')
  assert.equal(askedOf(), before, 'of other changes nobody is asked')
  assert.equal(await plug([fast]), '')
  assert.equal(askedOf(), before + 1, 'NICs that come are judged')
  assert.match(await plug([fast, { ...fast, name: 'more', subnet: 'back' }]), /hot-nics\/1\/subnet: Subnet back not found/)
  assert.match(await plug([{ ...fast, mtu: 1400 }]), /hot-nics\/0: NIC fast is there: take it off the list/)
  const patch = ['-p', JSON.stringify({ metadata: { annotations: { [hotAt]: '[]' } } })]
  const status = await tryKubectl(['patch', 'pod', 'kept', '-n', space, '--subresource=status', '--type=merge', ...patch])
  assert.match(status.stderr, /megrez\.io~1hot-nics: is changed with the pod, not with its status/)
  assert.equal(await annotate(`${hotAt}-`), '')
  assert.match(await annotate(`${hotAt}=[]`, 'silent'), /hot-nics: cannot be set on a pod that was made without NICs of Megrez/)
}
