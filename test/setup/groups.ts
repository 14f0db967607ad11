/** What a group of tests may need beside Node.js. */
export type Service =
  | 'redis'
  | 'kube'
  | 'ovs'
  | 'cluster'
  | 'gnmi'
  | 'bess'
  | 'policy-oracle'
  | 'nsm-peer'
  | 'cnitool'
  | 'multus'
  | 'buildah'
  | 'dpdk'
  | 'prometheus'
  | 'chromium'
  | 'openstack'
  | 'machines'
  | 'bgp'
  | 'keepalived'
  | 'haproxy'

export interface Group {
  readonly name: string
  /** Globs, from the root of the repository. */
  readonly files: readonly string[]
  /** Without these the group is skipped, or fails where CI=true. */
  readonly needs: readonly Service[]
  /** Without these it runs all the same, and says so. */
  readonly uses: readonly Service[]
  /** How many test files run at a time. */
  readonly concurrency: number
  /** These files share processes (./shards.ts); the others have one each, as they look at it as a whole or change it. */
  readonly shared?: readonly string[]
  /** Of its files those that `npm test` leaves to `npm test -- --all`, as they take long. */
  readonly long?: readonly string[]
  /** What it needs takes minutes to build: `npm test` runs it where that has been done, `npm test -- --all` does it. */
  readonly whereBuilt?: true
  /** Nothing of it is measured by a clock: it takes what of the machine the others leave. */
  readonly waits?: true
  /** For one test. */
  readonly timeoutMs: number
  /** For the whole group: a file that leaves something open would otherwise never end. */
  readonly endMs: number
}

const minute = 60_000
/** What `npm test -- --all` takes on two cores where all is built: CI's, at full trials, with other work beside it, on 2026-11-24. */
export const allMinutes = 50

/**
 * Stages one after the other; in a stage the tracks go beside each other, and groups of a track one after the other. Much of what a track
 * of two does is waiting, and the simulation, which looks at no clock, has what is left of the machine from its stage on to the end; what
 * wants all cores beside it has a stage of its own.
 */
export const stages: readonly (readonly (readonly string[])[])[] = [
  [['fast']],
  [['redis', 'kube', 'bgp', 'policy', 'gui'], ['node', 'process'], ['sim']],
  [['bess', 'nsm']],
  [['cluster'], ['fabric', 'neutron']],
]

/** In the order in which their results are told: the quick first. */
export const groups: Readonly<Record<string, Group>> = {
  fast: {
    name: 'fast',
    files: ['test/{core,drivers,repo,platform,webhooks,workers,agent,cli,openapi,setup,upgrade}/**/*.test.ts', 'test/sim/*.test.ts'],
    needs: [],
    uses: [],
    concurrency: 2,
    shared: ['test/{core,drivers,repo,platform,webhooks,workers,agent,cli,openapi,setup,upgrade}/**/*.test.ts'],
    timeoutMs: 6 * minute,
    endMs: 30 * minute,
  },
  // The simulation at its full dose: its small one is among the fast.
  sim: {
    name: 'sim',
    files: ['test/sim/full/**/*.test.ts'],
    needs: [],
    uses: [],
    concurrency: 1,
    waits: true,
    timeoutMs: 50 * minute,
    endMs: 80 * minute,
  },
  redis: {
    name: 'redis',
    files: ['test/redis/**/*.test.ts'],
    needs: ['redis'],
    uses: [],
    concurrency: 1,
    timeoutMs: 10 * minute,
    endMs: 30 * minute,
  },
  kube: {
    name: 'kube',
    files: ['test/kube/**/*.test.ts'],
    needs: ['kube'],
    uses: ['redis', 'prometheus'],
    concurrency: 1,
    long: [
      'test/kube/{certificates,chart-installed,chart-metrics,cluster-rest,cluster-rivals,freeing,hang,late-workers}.test.ts',
      'test/kube/{live-compacted,server-killed,versions}.test.ts',
    ],
    timeoutMs: 15 * minute,
    endMs: 45 * minute,
  },
  // Each file has namespaces and switches of its own, and waits half of its time.
  node: {
    name: 'node',
    files: ['test/node/**/*.test.ts'],
    needs: ['ovs'],
    uses: ['cnitool', 'dpdk', 'machines', 'keepalived', 'haproxy'],
    concurrency: 2,
    long: ['test/node/{agent,br-netfilter,dpdk,full-disk,hang,in-use,load,move,planes,ports-without-pod}.test.ts'],
    timeoutMs: 10 * minute,
    endMs: 45 * minute,
  },
  cluster: {
    name: 'cluster',
    files: ['test/cluster/**/*.test.ts'],
    needs: ['ovs', 'cluster'],
    uses: ['redis', 'multus', 'buildah'],
    whereBuilt: true,
    concurrency: 1,
    timeoutMs: 10 * minute,
    endMs: 50 * minute,
  },
  // Verdicts, against two engines of others.
  policy: {
    name: 'policy',
    files: ['test/policy/**/*.test.ts'],
    needs: ['policy-oracle'],
    uses: [],
    whereBuilt: true,
    concurrency: 1,
    timeoutMs: 10 * minute,
    endMs: 10 * minute,
  },
  bess: {
    name: 'bess',
    files: ['test/bess/**/*.test.ts'],
    needs: ['ovs', 'bess'],
    uses: ['cnitool'],
    whereBuilt: true,
    concurrency: 1,
    timeoutMs: 10 * minute,
    endMs: 30 * minute,
  },
  // Beside the programs of Network Service Mesh, on loopback.
  nsm: {
    name: 'nsm',
    files: ['test/nsm/**/*.test.ts'],
    // Its nodes are namespaces, and ping is among what the lab needs.
    needs: ['nsm-peer', 'ovs'],
    uses: [],
    whereBuilt: true,
    concurrency: 1,
    timeoutMs: 8 * minute,
    endMs: 15 * minute,
  },
  fabric: {
    name: 'fabric',
    files: ['test/fabric/**/*.test.ts'],
    needs: ['ovs'],
    uses: ['gnmi', 'redis'],
    concurrency: 1,
    timeoutMs: 10 * minute,
    endMs: 20 * minute,
  },
  // OpenStack's own servers and agents. Two worlds beside each other: each waits half of its time.
  neutron: {
    name: 'neutron',
    files: ['test/neutron/**/*.test.ts'],
    needs: ['ovs', 'openstack'],
    uses: ['machines'],
    whereBuilt: true,
    concurrency: 2,
    timeoutMs: 12 * minute,
    endMs: 50 * minute,
  },
  // Each file has servers of its own; the others wait while recipes are compiled.
  process: {
    name: 'process',
    files: ['test/process/**/*.test.ts'],
    needs: [],
    uses: ['redis', 'prometheus'],
    concurrency: 2,
    long: ['test/process/{kill,notify-kill,recipes}.test.ts'],
    timeoutMs: 30 * minute,
    endMs: 60 * minute,
  },
  // BGP daemons that are the distribution's.
  bgp: {
    name: 'bgp',
    files: ['test/bgp/**/*.test.ts'],
    needs: ['bgp', 'ovs'],
    uses: [],
    concurrency: 2,
    timeoutMs: 8 * minute,
    endMs: 15 * minute,
  },
  // The page, in a browser.
  gui: {
    name: 'gui',
    files: ['test/gui/**/*.test.ts'],
    needs: ['chromium'],
    uses: [],
    concurrency: 1,
    timeoutMs: 6 * minute,
    endMs: 25 * minute,
  },
}
