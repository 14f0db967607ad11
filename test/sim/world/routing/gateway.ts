// A router outside, which is not ours: it speaks with every node that is configured to speak with it, takes whatever it is told, and tells
// of a default route, of a network of others, and of one address in a block of ours.
import { nodeAddress, nodeNames } from '../../layout.ts'

export const gatewayAddress = '192.0.2.254'
export const gatewayAs = 65_000
/** Somewhere outside. */
export const outsideBlock = '198.51.100.0/24'
export const outsideAddress = '198.51.100.9'
/** In blocks of tenants. */
export const claimedPrefix = '10.0.0.4/32'

const as = 64_512
const toldPrefixes = ['0.0.0.0/0', outsideBlock, claimedPrefix]

export const gatewayTable = 100

const channel = (imports: string): readonly string[] => [
  '  ipv4 {',
  '    table world;',
  '    import filter {',
  `      ${imports}`,
  '    };',
  '    export filter {',
  '      if source != RTS_BGP then accept;',
  '      reject;',
  '    };',
  '  };',
]

export const gatewayConfig = [
  `router id ${gatewayAddress};`,
  'protocol kernel world_kernel {',
  `  kernel table ${gatewayTable};`,
  '  ipv4 {',
  '    table world;',
  '    import filter {',
  '      reject;',
  '    };',
  '    export filter {',
  '      accept;',
  '    };',
  '  };',
  '}',
  'protocol static world_blocks_ipv4 {',
  '  ipv4 { table world; };',
  ...toldPrefixes.map((prefix) => `  route ${prefix} blackhole;`),
  '}',
  ...nodeNames.flatMap((name) => [
    `protocol bgp ${name} {`,
    `  local ${gatewayAddress} as ${gatewayAs};`,
    `  neighbor ${nodeAddress(name)} as ${as};`,
    '  direct;',
    '  hold time 9;',
    '  connect retry time 2;',
    ...channel('accept;'),
    '}',
  ]),
].join('\n')
