// Who may import whom. The first row whose folder holds a file is the one that counts for it.

export interface Row {
  /** A folder (with its slash) or a file. */
  readonly of: string
  /** Folders and files of this repository. */
  readonly from: readonly string[]
  readonly npm: readonly string[]
  /** Not `node:` modules either. */
  readonly pure?: true
  /** Exceptions to `from`. */
  readonly never?: readonly string[]
}

/** Of core's own folder: nothing but each other. */
const words = ['core/errors.ts', 'core/backoff.ts', 'core/json.ts', 'core/same-json.ts']

export const table: readonly Row[] = [
  { of: 'core/net/', from: ['core/net/'], npm: [], pure: true },
  { of: 'core/kinds/', from: ['core/kinds/', 'core/net/', ...words], npm: ['typebox'], pure: true },
  { of: 'core/node/', from: ['core/node/', 'core/kinds/', 'core/net/', ...words], npm: [], pure: true },
  // Renderings of one node: OpenFlow, a graph of BESS modules, links and neighbours of Linux.
  {
    of: 'core/pipeline/',
    from: ['core/pipeline/', 'core/pieces/kind.ts', 'core/node/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/graph/',
    from: [
      'core/graph/',
      'core/pieces/kind.ts',
      'core/contracts/',
      'core/pipeline/gateway-mac.ts',
      'core/node/',
      'core/kinds/',
      'core/net/',
      ...words,
    ],
    npm: [],
    pure: true,
  },
  {
    of: 'core/linux/',
    from: [
      'core/linux/',
      'core/contracts/',
      'core/pieces/kind.ts',
      'core/pipeline/gateway-mac.ts',
      'core/pipeline/switch.ts',
      'core/wire/netlink/bpf.ts',
      'core/node/',
      'core/kinds/',
      'core/net/',
      ...words,
    ],
    npm: [],
    pure: true,
  },
  // What a node is to carry, kind by kind, and what each comes to in each rendering.
  {
    of: 'core/pieces/',
    from: ['core/pieces/', 'core/pipeline/', 'core/graph/', 'core/linux/', 'core/node/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/contracts/',
    from: ['core/contracts/', 'core/pieces/kind.ts', 'core/node/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/plan/',
    from: [
      'core/plan/',
      'core/fingerprints.ts',
      'core/contracts/',
      'core/pieces/',
      'core/pipeline/',
      'core/node/',
      'core/kinds/',
      'core/net/',
      ...words,
    ],
    npm: [],
    pure: true,
  },
  // Bytes and text to values and back.
  { of: 'core/wire/', from: ['core/wire/', 'core/pipeline/', 'core/net/', ...words], npm: ['@bufbuild/protobuf'], pure: true },
  // Descriptors of others to objects of ours.
  { of: 'core/nsd/', from: ['core/nsd/', 'core/net/', ...words], npm: [], pure: true },
  { of: 'core/admit/', from: ['core/admit/', 'core/kinds/', 'core/net/', ...words], npm: ['typebox'], pure: true },
  // What people write, in YAML: read alike wherever it comes from.
  { of: 'core/yaml.ts', from: [], npm: ['yaml'], pure: true },
  { of: 'core/', from: words, npm: [], pure: true },
  {
    of: 'platform/',
    from: ['platform/', 'core/'],
    npm: ['pino', 'prom-client', '@kubernetes/client-node', 'bullmq', 'ioredis', 'undici', '@grpc/grpc-js', 'yaml'],
  },
  // REST serves what the contract says.
  { of: 'webhooks/', from: ['webhooks/', 'platform/', 'core/', 'openapi/paths/'], npm: ['fastify', 'jose', 'yaml'] },
  { of: 'workers/', from: ['workers/', 'platform/', 'core/'], npm: ['undici', '@grpc/grpc-js', 'yaml'] },
  { of: 'agent/', from: ['agent/', 'platform/', 'core/'], never: ['platform/queue'], npm: ['undici', '@grpc/grpc-js', 'pino'] },
  // The standalone composition root: the one place where all roles meet.
  { of: 'cli/serve', from: ['cli/', 'webhooks/', 'workers/', 'platform/', 'core/'], npm: ['fastify', 'yaml'] },
  // Real programs, clusters and switches, started for demonstrations and tests.
  { of: 'lab/', from: ['lab/', 'platform/', 'core/'], npm: ['yaml', 'undici'] },
  { of: 'cli/load/figures.ts', from: ['core/metrics.ts'], npm: ['prom-client'] },
  // Shipped by itself: nothing of ours but itself.
  { of: 'receiver/', from: ['receiver/'], npm: [] },
  // Played with the real parts: processes, switches.
  { of: 'cli/story', from: ['cli/', 'lab/', 'platform/', 'receiver/', 'core/'], npm: ['yaml'] },
  {
    of: 'cli/demo',
    from: ['cli/', 'lab/', 'openapi/types.ts', 'core/net/', 'core/kinds/', 'core/json.ts', 'platform/programs/until.ts'],
    npm: ['yaml'],
  },
  { of: 'cli/commands/listen.ts', from: ['cli/', 'receiver/'], npm: [] },
  { of: 'cli/commands/explain.ts', from: ['cli/', 'core/kinds/', 'core/node/explained.ts'], npm: [] },
  {
    of: 'cli/explain/',
    from: [
      'cli/',
      'core/kinds/',
      'core/node/',
      'core/graph/renderer.ts',
      'core/linux/render.ts',
      'core/pieces/port.ts',
      'core/pipeline/compile.ts',
      'core/plan/node/pieces.ts',
    ],
    npm: [],
  },
  {
    of: 'cli/',
    from: [
      'cli/',
      'openapi/types.ts',
      'core/net/',
      'core/kinds/',
      'core/json.ts',
      'core/same-json.ts',
      'core/yaml.ts',
      'platform/programs/until.ts',
      'core/admit/pod/rewrite.ts',
      'core/admit/nearest.ts',
    ],
    npm: ['openapi-fetch', 'yaml'],
  },
  // What a client is: it has the contract, and nothing else of ours.
  { of: 'examples/', from: ['examples/', 'openapi/types.ts'], npm: ['openapi-fetch'] },
  // The contract, and what of it an API server is told: kinds and rights.
  {
    of: 'openapi/',
    from: [
      'openapi/',
      'core/kinds/',
      'core/admit/object/agent-access.ts',
      'core/admit/object/callback-secrets.ts',
      'core/admit/rest/rights.ts',
      'core/admit/rest/roles.ts',
      'core/errors.ts',
    ],
    npm: ['yaml', 'openapi-typescript'],
  },
]
