// What an Inquiry takes and refuses.
interface InquiryCase {
  readonly kind: 'Inquiry'
  readonly spec: object
  readonly was?: object
  readonly refused?: string
}

const made = (spec: object, refused?: string): InquiryCase => ({ kind: 'Inquiry', spec, ...(refused !== undefined && { refused }) })
const changed = (was: object, spec: object, refused: string): InquiryCase => ({ kind: 'Inquiry', was, spec, refused })
const trace = { about: 'trace', port: 'a', packet: { to: '10.0.0.5' } }
const capture = { about: 'capture', port: 'a', capture: { packets: 10, seconds: 10, snapLength: 64 } }

export const inquiryCases: Readonly<Record<string, InquiryCase>> = {
  'an Inquiry about a Port': made({ about: 'explain', port: 'a' }),
  'an Inquiry about a node': made({ about: 'wiring', node: 'n1' }),
  'an Inquiry about a packet': made(trace),
  'a capture of a thousand packets': made({ ...capture, capture: { packets: 1000 } }),
  'a capture without bounds': made({ ...capture, capture: { packets: 1001 } }, 'spec.capture.packets'),
  'a capture of an hour': made({ ...capture, capture: { seconds: 3600 } }, 'spec.capture.seconds'),
  'an inventory of a node': made({ about: 'inventory', node: 'n1', repair: true }),
  'an inventory of a Port': made({ about: 'inventory', port: 'a' }, 'spec.port'),
  'an inventory of nothing': made({ about: 'inventory' }, 'spec'),
  'a repair by a question about wiring': made({ about: 'wiring', node: 'n1', repair: true }, 'spec.repair'),
  'an Inquiry about nothing': made({ about: 'wiring' }, 'spec'),
  'an Inquiry about a Port and a node': made({ about: 'wiring', port: 'a', node: 'n1' }, 'spec'),
  'an Inquiry about counters of a node': made({ about: 'counters', port: 'a', node: 'n1' }, 'spec.node'),
  'a trace without a packet': made({ about: 'trace', port: 'a' }, 'spec.packet'),
  'counters of a packet': made({ ...trace, about: 'counters' }, 'spec.packet'),
  'a trace to a name': made({ ...trace, packet: { to: 'example.org' } }, 'spec.packet.to'),
  'a trace to everybody': made({ ...trace, packet: { to: '255.255.255.255' } }, 'spec.packet.to'),
  'a trace to a group': made({ ...trace, packet: { to: 'ff02::1' } }, 'spec.packet.to'),
  'a trace to nobody': made({ ...trace, packet: { to: '0.0.0.0' } }, 'spec.packet.to'),
  'a trace to a link-local address': made({ ...trace, packet: { to: 'fe80::1' } }),
  'a trace from another address': made({ ...trace, packet: { to: '10.0.0.5', from: '10.9.9.9' } }),
  'a trace from a name': made({ ...trace, packet: { to: '10.0.0.5', from: 'web' } }, 'spec.packet.from'),
  'a trace from one family to the other': made({ ...trace, packet: { to: '10.0.0.5', from: 'fd00::1' } }, 'spec.packet.from'),
  'a trace of what arrives': made({ ...trace, packet: { to: '10.0.0.5', from: '10.0.0.6', arrives: true } }),
  'a trace of what arrives from nobody': made({ ...trace, packet: { to: '10.0.0.5', arrives: true } }, 'spec.packet.from'),
  'a trace of TCP': made({ ...trace, packet: { to: '10.0.0.5', protocol: 'tcp', l4Port: 80 } }),
  'a trace of TCP to no port': made({ ...trace, packet: { to: '10.0.0.5', protocol: 'tcp' } }, 'spec.packet.l4Port'),
  'a trace of ICMP to a port': made({ ...trace, packet: { to: '10.0.0.5', l4Port: 80 } }, 'spec.packet.l4Port'),
  'a trace to port 70000': made({ ...trace, packet: { to: '10.0.0.5', protocol: 'udp', l4Port: 70_000 } }, 'spec.packet.l4Port'),
  'counters with bounds of a capture': made({ ...capture, about: 'counters' }, 'spec.capture'),
  'an Inquiry for ever': made({ about: 'wiring', port: 'a', ttlSeconds: 86400 }, 'spec.ttlSeconds'),
  'an Inquiry is about something else': changed({ about: 'counters', port: 'a' }, { about: 'explain', port: 'a' }, 'spec.about'),
  'an Inquiry is about another Port': changed({ about: 'counters', port: 'a' }, { about: 'counters', port: 'b' }, 'spec.port'),
  'an Inquiry is about another node': changed({ about: 'wiring', node: 'a' }, { about: 'wiring', node: 'b' }, 'spec.node'),
  'an inventory comes to repair': changed(
    { about: 'inventory', node: 'a' },
    { about: 'inventory', node: 'a', repair: true },
    'spec.repair',
  ),
  'a trace is of another packet': changed(trace, { ...trace, packet: { to: '10.0.0.6' } }, 'spec.packet'),
  'a capture has other bounds': changed(capture, { ...capture, capture: { packets: 11, seconds: 10, snapLength: 64 } }, 'spec.capture'),
  'an Inquiry lives longer': changed(
    { about: 'wiring', port: 'a', ttlSeconds: 60 },
    { about: 'wiring', port: 'a', ttlSeconds: 61 },
    'spec.ttlSeconds',
  ),
}
