// docs/anti-spoofing.md, from the table that is sent as packets.
import { spoofs } from '../laws/spoofing.ts'
import { wrapped } from '../../openapi/wrapped.ts'

export const antiSpoofingPath = 'docs/anti-spoofing.md'

export function antiSpoofingPage(): string {
  const kinds = [...new Set(spoofs.map(({ about }) => about))]
  return wrapped(
    [
      '# What a port may send',
      '',
      'Generated from `test/laws/spoofing.ts` by `npm run gen`. Every frame below is sent as a packet, by a port in a VNI with an IPv4 and an IPv6 address and the allowed address pairs `10.0.0.64/28` without and',
      "`10.0.0.100` and `2001:db8::100` with a MAC of their own, to another port on its node; the last ones by a port with `portSecurity: false`. `test/node/spoofing.test.ts` asks Open vSwitch and the kernel's",
      'data plane, `test/bess/spoofing.test.ts` BESS: each has to give the one verdict that stands here. Ports in VLANs of a physical network have the same guards, behind their tags.',
      '',
      'A port that is to hand out addresses, be a router, or speak anything but ARP and IP, says `portSecurity: false`.',
      '',
      ...kinds.flatMap((kind) => [
        `## ${kind.slice(0, 1).toUpperCase()}${kind.slice(1)}`,
        '',
        '| frame | |',
        '|---|---|',
        ...spoofs.filter(({ about }) => about === kind).map(({ says, verdict }) => `| ${says} | ${verdict} |`),
        '',
      ]),
      '## Where data planes differ',
      '',
      'Frames that nobody was seen to send are not in the table, and not every data plane can read them. Each refuses then, and none lets a false one pass:',
      '',
      "- A neighbour solicitation or advertisement with more than one option is refused by the kernel's data plane and BESS; on Open vSwitch it passes if all that it says is true.",
      '- BESS reads headers at fixed places. It refuses UDP behind options of IPv4, IPv6 behind more than one extension header or behind one of more than eight bytes, and neighbour discovery behind any.',
      '- Of a pod behind an interface of the kernel, BESS gets no IPv4 fragment at all, though the table has two that pass: the kernel puts them together first (docs/bess.md).',
      '',
    ].join('\n'),
  )
}
