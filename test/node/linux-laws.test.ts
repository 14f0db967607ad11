// The Linux data plane under the laws of every data plane, on the kernel itself.
import { describe } from 'node:test'
import { dataplaneLaws } from '../laws/dataplane.ts'
import { ovsSkip } from '../setup/ovs.ts'
import { openLinuxWorld } from './linux-test-node.ts'

describe('the Linux data plane', { skip: ovsSkip }, () => {
  dataplaneLaws('linux', {
    open: openLinuxWorld,
    drawing: { types: ['kernel'], portsMax: 3, endpointsMax: 4 },
    seeds: [1],
    rivals: 6,
    cutEach: 4,
    transitions: 250,
  })
})
