// Who may import whom. The first row whose folder holds a file is the one that counts for it.

export interface Row {
  /** A folder (with its slash) or a file. */
  readonly of: string
  /** What is in it, for the table of folders in ARCHITECTURE.md; absent: it is part of a folder that stands there. */
  readonly is?: string
  /** Folders and files of this repository. */
  readonly from: readonly string[]
  readonly npm: readonly string[]
  /** Not `node:` modules either. */
  readonly pure?: true
  /** Exceptions to `from`. */
  readonly never?: readonly string[]
}

/** Of core's own folder: nothing but each other. */
const words = ['core/errors.ts', 'core/backoff.ts', 'core/counts.ts', 'core/json.ts', 'core/same-json.ts']

export const table: readonly Row[] = [
  { of: 'core/net/', is: 'addresses, blocks, MACs, segments, derived names', from: ['core/net/'], npm: [], pure: true },
  {
    of: 'core/kinds/',
    is: 'what each kind is: fields, rules, indexes to select by',
    from: ['core/kinds/', 'core/net/', ...words],
    npm: ['typebox'],
    pure: true,
  },
  {
    of: 'core/node/',
    is: 'what a node is to carry, as values; items of a rendering',
    from: ['core/node/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/policy/',
    is: 'who may talk to whom: policies compiled to rules, and the verdict of rules',
    from: ['core/policy/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/bgp/',
    is: 'BGP of one node: a speaker as configuration of BIRD or FRR, and what these say of it',
    from: ['core/bgp/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  // Renderings of one node: OpenFlow, a graph of BESS modules, links and neighbours of Linux.
  {
    of: 'core/pipeline/',
    is: 'Open vSwitch: tables, registers, flows, groups, meters',
    from: ['core/pipeline/', 'core/pieces/kind.ts', 'core/routing/maglev.ts', 'core/node/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/graph/',
    is: 'BESS: a graph of modules',
    from: ['core/graph/', 'core/pieces/kind.ts', 'core/contracts/', 'core/node/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/routing/',
    is: "what a node's kernel routes, whatever the data plane is",
    from: ['core/routing/', 'core/node/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/linux/',
    is: 'the Linux kernel: links, neighbours, nftables, BPF',
    from: [
      'core/linux/',
      'core/contracts/',
      'core/pieces/kind.ts',
      'core/pipeline/ovsdb/switch.ts',
      'core/pipeline/model/',
      'core/pipeline/openflow/',
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
    is: 'the kinds of pieces that nodes carry, with a column for each data plane',
    from: [
      'core/pieces/',
      'core/pipeline/',
      'core/graph/',
      'core/linux/',
      'core/routing/',
      'core/policy/rules/stateless.ts',
      'core/policy/rules/decided.ts',
      'core/node/',
      'core/kinds/',
      'core/net/',
      ...words,
    ],
    npm: [],
    pure: true,
  },
  {
    of: 'core/contracts/',
    is: 'store, queue, driver, VPC provider, fabric driver, data plane, notifier',
    from: ['core/contracts/', 'core/pieces/kind.ts', 'core/node/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/plan/',
    is: 'planners: from what is wanted and seen to steps; reports and notices',
    from: [
      'core/plan/',
      'core/fingerprints.ts',
      'core/contracts/',
      // What a SecurityGroup says, for clouds that have rules of their own.
      'core/policy/read/security-group.ts',
      'core/policy/one-form.ts',
      'core/nsm/',
      'core/pieces/',
      'core/pipeline/',
      'core/nsm/expiry.ts',
      'core/node/',
      'core/kinds/',
      'core/net/',
      ...words,
    ],
    npm: [],
    pure: true,
  },
  // Bytes and text to values and back.
  {
    of: 'core/wire/',
    is: 'protocols as bytes and text, both ways: OpenFlow, OVSDB, netlink, nft, BESS, gNMI, CNI, Nova',
    from: ['core/wire/', 'core/pipeline/', 'core/node/', 'core/net/', ...words],
    npm: ['@bufbuild/protobuf'],
    pure: true,
  },
  // Descriptors of others to objects of ours.
  {
    of: 'core/nsd/',
    is: 'network service descriptors (TOSCA) to objects of ours',
    from: ['core/nsd/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/nsm/',
    is: 'rules of Network Service Mesh: which endpoints a client gets, and until when',
    from: ['core/nsm/', 'core/wire/nsm/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  {
    of: 'core/admit/',
    is: 'what is refused and what is filled in; roles and rights',
    from: ['core/admit/', 'core/nsm/template.ts', 'core/nsm/client-url.ts', 'core/kinds/', 'core/net/', ...words],
    npm: ['typebox'],
    pure: true,
  },
  // What people look at.
  {
    of: 'core/views/explain/',
    from: [
      'core/views/explain/',
      'core/kinds/',
      'core/node/',
      'core/graph/renderer.ts',
      'core/pieces/policy/not-done.ts',
      'core/linux/render.ts',
      'core/pieces/port.ts',
      'core/pipeline/compile.ts',
      'core/plan/node/external-policy.ts',
      'core/plan/node/pieces.ts',
    ],
    npm: [],
    pure: true,
  },
  // What a packet would meet: policies' verdicts, and models of what nodes carry.
  {
    of: 'core/views/walk/',
    from: [
      'core/views/walk/',
      'core/views/explain/plane-names.ts',
      'core/contracts/',
      'core/policy/',
      'core/pieces/',
      'core/pipeline/',
      'core/graph/',
      'core/linux/',
      'core/plan/node/',
      'core/node/',
      'core/kinds/',
      'core/net/',
    ],
    npm: [],
    pure: true,
  },
  {
    of: 'core/views/',
    is: 'what a page and the command line show: the network as a graph, who refers to whom, explanations, search',
    from: ['core/views/', 'core/kinds/', 'core/net/', ...words],
    npm: [],
    pure: true,
  },
  // What people write, in YAML: read alike wherever it comes from.
  { of: 'core/yaml.ts', is: 'YAML, read alike by the command line and REST', from: [], npm: ['yaml'], pure: true },
  {
    of: 'core/',
    is: 'errors, metrics, back-off, comparison of JSON: tables and functions that have no folder',
    from: words,
    npm: [],
    pure: true,
  },
  {
    of: 'platform/http/',
    is: 'HTTP: a client of systems that are not ours, the guard that callbacks go through, a server on its address',
    from: ['platform/http/', 'platform/clock.ts', 'core/'],
    npm: ['undici'],
  },
  {
    of: 'platform/',
    is: 'what the processes share: stores, queues, caches, clocks, logs, metrics, TLS, settings',
    from: ['platform/', 'core/'],
    npm: ['pino', 'prom-client', '@kubernetes/client-node', 'bullmq', 'ioredis', '@grpc/grpc-js', 'jose', 'yaml'],
  },
  // REST serves what the contract says.
  {
    of: 'webhooks/',
    is: 'HTTP in: admission, REST, the server of agents outside Kubernetes',
    from: ['webhooks/', 'platform/', 'core/', 'openapi/paths/'],
    npm: ['fastify', 'jose', 'yaml'],
  },
  {
    of: 'workers/',
    is: 'the loop, its rows, drivers of clouds and switches, the dispatcher of notices',
    from: ['workers/', 'platform/', 'core/'],
    npm: ['@grpc/grpc-js', 'yaml'],
  },
  {
    of: 'agent/',
    is: 'one node: CNI, pieces, data planes, ledger',
    from: ['agent/', 'platform/', 'core/'],
    never: ['platform/queue'],
    npm: ['@grpc/grpc-js', 'pino'],
  },
  // The standalone composition root: the one place where all roles meet.
  {
    of: 'cli/serve',
    is: 'all of one machine in one process: `npm start`',
    from: ['cli/', 'webhooks/', 'workers/', 'platform/', 'core/'],
    npm: ['fastify', 'yaml'],
  },
  // Real programs, clusters and switches, started for demonstrations and tests.
  {
    of: 'lab/',
    is: 'real programs, switches and clusters, started for demonstrations and tests',
    from: ['lab/', 'platform/', 'core/'],
    npm: ['yaml'],
  },
  { of: 'cli/load/figures.ts', from: ['core/metrics.ts'], npm: ['prom-client'] },
  // Shipped by itself: nothing of ours but itself.
  { of: 'receiver/', is: 'a kit for receivers of callbacks, shipped by itself', from: ['receiver/'], npm: [] },
  // Played with the real parts: processes, switches.
  { of: 'cli/story', from: ['cli/', 'lab/', 'platform/', 'receiver/', 'core/'], npm: ['yaml'] },
  {
    of: 'cli/demo',
    from: [
      'cli/',
      'lab/',
      'examples/demo-steps.ts',
      'openapi/types.ts',
      'core/net/',
      'core/kinds/',
      'core/json.ts',
      'platform/programs/until.ts',
    ],
    npm: ['yaml'],
  },
  // A client or an endpoint of Network Service Mesh is a process of its own.
  { of: 'cli/nsm/', from: ['cli/', 'platform/', 'core/'], npm: [] },
  { of: 'cli/commands/listen.ts', from: ['cli/', 'receiver/'], npm: [] },
  // It has the folder of a standalone server, and signs by the key that is in it.
  {
    of: 'cli/commands/token.ts',
    from: ['cli/', 'core/admit/nearest.ts', 'core/admit/rest/rights.ts', 'platform/clock.ts', 'webhooks/plugins/issuer.ts'],
    npm: [],
  },
  {
    of: 'cli/commands/explain.ts',
    from: ['cli/', 'core/kinds/', 'core/node/explained.ts', 'core/views/explain/explain.ts', 'core/views/explain/plane-names.ts'],
    npm: [],
  },
  { of: 'cli/explain/', from: ['cli/', 'core/kinds/', 'core/node/'], npm: [] },
  {
    of: 'cli/',
    is: 'the command `megrez`: it knows the contract alone',
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
      'core/views/explain/explain.ts',
    ],
    npm: ['openapi-fetch', 'yaml'],
  },
  { of: 'gui/build.ts', from: [], npm: ['vite', 'yaml'] },
  {
    of: 'gui/demo/',
    from: ['gui/', 'examples/demo-steps.ts', ...[1, 2, 3, 4, 5].map((n) => `examples/pod${n}.yaml`)],
    npm: ['preact', '@preact/signals'],
    pure: true,
  },
  {
    of: 'gui/',
    is: 'Doppler, the page: it runs in a browser, and knows the contract alone',
    from: ['gui/', 'openapi/types.ts'],
    npm: ['preact', '@preact/signals', 'cytoscape', 'uplot', 'openapi-fetch'],
    pure: true,
  },
  // What a client is: it has the contract, and nothing else of ours.
  {
    of: 'examples/',
    is: 'manifests, the steps of the demo, and a client',
    from: ['examples/', 'openapi/types.ts'],
    npm: ['openapi-fetch'],
  },
  // The contract, and what of it an API server is told: kinds and rights.
  {
    of: 'openapi/',
    is: 'the contract: OpenAPI, CRDs, roles and pages, generated from the kinds; the operations beside them',
    from: [
      'openapi/',
      'core/kinds/',
      'core/admit/object/agent-access.ts',
      'core/admit/object/callback-secrets.ts',
      'core/admit/rest/rights.ts',
      'core/admit/rest/roles.ts',
      'core/errors.ts',
      'core/probe-paths.ts',
    ],
    npm: ['yaml', 'openapi-typescript', 'prettier'],
  },
]
