import { describe } from 'node:test'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { bgpDaemonLaws } from '../laws/bgp-daemon.ts'
import { frrOf } from './speakers.ts'

const skip = (await bgpMissing({ install: false, print: () => undefined })) ?? false
describe('FRR', { skip }, () => bgpDaemonLaws({ name: 'FRR', of: frrOf, protocol: 'bgp', pidFile: 'bgpd.pid' }))
