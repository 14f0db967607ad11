// Ceilings, not taste: size, depth and floating promises. What may import what is held by test/repo/imports.test.ts.
import tseslint from 'typescript-eslint'
import { elapsedForDurations } from './test/repo/elapsed-for-durations.ts'
import { rejectionsHandled } from './test/repo/rejections-handled.ts'

/** Who may take what is handed in to everybody else, and why. */
const takesByItself = {
  'agent/main.ts': 'a start file',
  'agent/uninstall.ts': 'a start file',
  'webhooks/start.ts': 'a start file',
  'workers/start-in-cluster.ts': 'a start file',
  'agent/bgp/{bird-socket,host,port-holder}.ts': 'BGP daemons, behind agent/bgp/daemon.ts',
  'agent/cni/{conf,restore-delegate,plugin,server}.ts': 'the machine, behind agent/machine/machine.ts',
  'agent/machine/this-machine.ts': 'the machine, behind agent/machine/machine.ts',
  'agent/{ports/program,machine/sockets,machine/link-speed}.ts': 'the machine, behind agent/machine/machine.ts',
  'agent/inspectors/{admin-socket,node-host,processes,proxy-folders}.ts':
    'namespaces, processes and files, behind agent/inspectors/inspectors.ts',
  'agent/ledger/disk.ts': 'the disk of a ledger',
  'agent/links/refuse-router-advertisements.ts': 'a setting of the kernel for one interface, behind agent/links/links.ts',
  'agent/nsm/namespaces.ts': 'network namespaces as NSM names them, behind agent/nsm/wires.ts',
  'agent/links/named-namespace.ts': 'network namespaces as files, behind agent/links/links.ts',
  'agent/unix/file-{sockets,stream}.ts': 'sockets and files, behind platform/grpc/carried-files.ts',
  'agent/native/*.ts': 'programs and addons that were built',
  'agent/netlink/{addon,ip}.ts': 'the kernel, behind Netlink',
  'agent/ovs/{control-socket,openflow/openflow-connection,probe}.ts': 'a data plane: Open vSwitch',
  'agent/dataplanes/{not-beside-ovs,linux/vlans}.ts': 'a data plane: Linux',
  'agent/tables/passage.ts': 'a data plane: Linux',
  'agent/dataplanes/bess/{change,names,one-at-a-time,underlay,watch}.ts': 'a data plane: BESS',
  'webhooks/agents/server.ts': 'the socket of agents outside Kubernetes',
  'webhooks/page/files.ts': 'the files of the page',
  'webhooks/plugins/issuer.ts': 'the key of a folder, standalone',
  'workers/drivers/credentials.ts': 'files of credentials',
}
/** Who compares the time of day with dates, and of what: of everybody else's nothing lasts by it. */
const judgesDates = {
  'platform/nsm/**/*.ts': "ends of tokens and registrations, and calls' deadlines, as messages say",
  'platform/queue/redis-queue.ts': "BullMQ's own scores",
  'webhooks/admission/{paths,reserve}.ts': 'until when a path is answered at, and an address reserved, as objects say',
  'webhooks/admission/mutate-pod.ts': 'when a request came, as its pod says from then on',
  'webhooks/plugins/{auth,issuer,kube-access}.ts': 'tokens',
  'webhooks/page/sign-in.ts': 'a cookie that lives as long as its token',
  'webhooks/rest/{server,watch,across/watch}.ts': 'certificates, tokens',
  'webhooks/rest/subscriptions/subscriptions.ts': 'cursors',
  'workers/controllers/upkeep/audits.ts': 'when it is compared again, as an Audit says',
  'workers/controllers/upkeep/reservations.ts': 'until when an address is reserved, as its lock says',
  'workers/loop/{make-in-one-commit,pass,status-reports}.ts': 'what plans and reports say',
  'workers/notify/{dispatcher,keep/{acknowledge-notice,kubernetes-event,subscription-statuses}}.ts': 'what Notices and Events say',
  'workers/metrics.ts': 'how old an object is, by its own dates',
  'workers/notify/send/http.ts': 'Retry-After as a date, and when a callback was signed',
}
const handedIn = 'is handed in: clock (platform/clock.ts), chance (platform/chance.ts), files and sockets behind a contract'
const modules = [
  'timers',
  'timers/promises',
  'worker_threads',
  'child_process',
  'fs',
  'fs/promises',
  'net',
  'tls',
  'http',
  'http2',
  'https',
  'dgram',
  'dns',
  'dns/promises',
]
const takings = [
  'NewExpression[callee.name="Date"][arguments.length=0]',
  'MemberExpression[object.name="Date"][property.name="now"]',
  'MemberExpression[object.name="performance"][property.name="now"]',
  'MemberExpression[object.name="process"][property.name="hrtime"]',
  'MemberExpression[object.name="Math"][property.name="random"]',
  'MemberExpression[object.name="AbortSignal"][property.name="timeout"]',
  'MemberExpression[object.name="crypto"][property.name=/^(randomUUID|getRandomValues|subtle)$/]',
  'CallExpression[callee.name=/^(setTimeout|setInterval|setImmediate|fetch)$/]',
]

export default tseslint.config(
  { ignores: ['node_modules/', 'openapi/types.ts', '.data/', 'gui/dist/'] },
  {
    files: ['**/*.{ts,tsx}'],
    plugins: {
      '@typescript-eslint': tseslint.plugin,
      ours: { rules: { 'elapsed-for-durations': elapsedForDurations, 'rejections-handled': rejectionsHandled } },
    },
    languageOptions: { parser: tseslint.parser, parserOptions: { projectService: true } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      complexity: ['error', 10],
      'max-depth': ['error', 3],
      'max-params': ['error', 4],
      'max-lines': ['error', 400],
      // Prettier wraps code; this is for comments. A text is not broken into pieces for its length.
      'max-len': ['error', { code: 140, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true, ignoreUrls: true }],
      'no-constant-condition': ['error', { checkLoops: 'allExceptWhileTrue' }],
      'prefer-const': 'error',
      eqeqeq: 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': [
        'error',
        {
          allowForKnownSafeCalls: [
            {
              from: 'package',
              package: 'node:test',
              name: ['test', 'describe', 'it', 'suite', 'before', 'after', 'beforeEach', 'afterEach'],
            },
          ],
        },
      ],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/no-unnecessary-type-assertion': 'error',
    },
  },
  {
    // In a test, what nobody hears of fails the test.
    files: ['**/*.ts'],
    ignores: ['test/**'],
    rules: { 'ours/rejections-handled': 'error' },
  },
  {
    files: ['{agent,platform,webhooks,workers}/**/*.ts'],
    ignores: Object.keys(judgesDates),
    rules: { 'ours/elapsed-for-durations': 'error' },
  },
  {
    // A simulation runs all of it on a time and chance of its own (test/sim/guard.ts sees what slips through).
    files: ['{core,agent,webhooks,workers}/**/*.ts'],
    ignores: Object.keys(takesByItself),
    rules: {
      'no-restricted-syntax': ['error', ...takings.map((selector) => ({ selector, message: `This ${handedIn}.` }))],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          paths: [
            ...modules.map((name) => ({ name: `node:${name}`, message: `It ${handedIn}.`, allowTypeImports: true })),
            {
              name: 'node:crypto',
              importNames: ['randomUUID', 'randomBytes', 'randomInt', 'randomFillSync', 'getRandomValues', 'webcrypto'],
              message: `It ${handedIn}.`,
            },
          ],
          patterns: [
            {
              group: ['**/platform/clock.ts', '**/platform/chance.ts'],
              importNames: ['realClock', 'realRandom', 'realUids'],
              message: 'Only start files name the real ones.',
            },
          ],
        },
      ],
    },
  },
)
