import { bgpMissing } from '../../lab/programs/bgp.ts'
import { bgpDaemonLaws } from '../laws/bgp-daemon.ts'
import { birdOf } from './speakers.ts'
import { describe } from 'node:test'

const skip = (await bgpMissing({ install: false, print: () => undefined })) ?? false
describe('BIRD', { skip }, () => bgpDaemonLaws({ name: 'BIRD', of: birdOf, protocol: 'bird', pidFile: 'bird.pid' }))
