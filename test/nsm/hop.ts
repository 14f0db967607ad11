// One of our programs as a process of its own, with the flags that nsm-peer has for the same: it can be killed as NSM's can.
import { parseArgs } from 'node:util'
import { openNetlink } from '../../agent/netlink/addon.ts'
import { kernelWires } from '../../agent/nsm/wires.ts'
import { ConfigInvalid } from '../../core/errors.ts'
import { parseCidr } from '../../core/net/cidr.ts'
import { endpointMechanism } from '../../core/nsm/connection/wire.ts'
import type { Connection } from '../../core/wire/nsm/connection.ts'
import { startEndpoint } from '../../platform/nsm/roles/endpoint.ts'
import { startForwarder } from '../../platform/nsm/roles/forwarder.ts'
import { startNsmgr } from '../../platform/nsm/roles/nsmgr.ts'
import type { Running } from '../../platform/nsm/roles/program.ts'
import { builtAddon } from '../node/kernel.ts'
import { fileSockets } from './file-sockets.ts'
import { programOf } from './peers.ts'
import { kernel, mechanisms } from './system.ts'

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    listen: { type: 'string', default: '' },
    registry: { type: 'string' },
    name: { type: 'string', default: '' },
    service: { type: 'string' },
    label: { type: 'string', multiple: true, default: [] },
    cidr: { type: 'string', multiple: true, default: [] },
    strict: { type: 'boolean', default: false },
    wires: { type: 'boolean', default: false },
  },
})
const { listen, registry, name, service } = values
const program = programOf(name)
const { signal } = new AbortController()

const starts: Readonly<Record<string, () => Promise<Running>>> = {
  nsmgr: async () =>
    startNsmgr({ ...program, sockets: await fileSockets() }, { listen, registry, forwarderService: 'forwarder', excludedPrefixes: [] }),
  forwarder: async () => {
    const wires = values.wires ? kernelWires(await openNetlink(await builtAddon())) : undefined
    const preferences = wires === undefined ? kernel : (connection: Connection) => [endpointMechanism(connection)]
    return startForwarder(program, { listen, nsmgr: registry!, service: 'forwarder', mechanisms, preferences, wires, signal })
  },
  endpoint: () => {
    const labels = Object.fromEntries(values.label.map((label) => label.split('=', 2)))
    const services = service === undefined ? {} : { [service]: labels }
    const addresses = { blocks: values.cidr.map((text) => parseCidr(text)!), strict: values.strict }
    return startEndpoint(program, { listen, registry, services, mechanisms, addresses, signal })
  },
}
const start = starts[positionals[0] ?? '']
if (start === undefined) throw new ConfigInvalid({ name: positionals.join(' '), reason: 'is no hop' })
const running = await start()
process.stdout.write(`${JSON.stringify({ event: 'started', url: running.address })}\n`)
process.once('SIGTERM', () => void running.stop().then(() => process.exit(0)))
