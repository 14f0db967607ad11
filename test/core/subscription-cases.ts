// What a Subscription may say: rows of the table of rule-cases.ts.

interface RuleCase {
  readonly kind: 'Subscription'
  readonly spec: object
  readonly refused?: string
}

const sink = 'https://hooks.example.org/'
const row = (spec: object, refused?: string): RuleCase => ({ kind: 'Subscription', spec, ...(refused === undefined ? {} : { refused }) })
const filter = (given: object, refused?: string): RuleCase => row({ sink, filter: given }, refused)
const auth = (given: object, refused?: string): RuleCase => row({ sink, auth: given }, refused)

export const subscriptionCases: Readonly<Record<string, RuleCase>> = {
  'a Subscription may say nothing': row({}),
  'a Subscription may say everything': row({
    sink,
    profile: 'cloudevents',
    mode: 'binary',
    verbosity: 'SHORT',
    paused: true,
    keepSeconds: 60,
    test: 'a',
    replay: { id: 'a', after: 'x' },
    signing: { secret: 'hooks' },
    ca: '-----BEGIN CERTIFICATE-----\n',
    filter: { kinds: ['Port', 'Pod'], namespaces: ['a'], names: ['b'], labels: 'c=d', phases: ['ready', 'deleted'] },
    auth: { type: 'oauth2', secret: 'hooks', tokenEndpoint: 'https://issuer.example.org/token' },
  }),
  'a sink by another protocol': row({ sink: 'ftp://example.org/' }, 'spec.sink'),
  'a profile that is unknown': row({ sink, profile: 'other' }, 'spec.profile'),
  'a kind that is none': filter({ kinds: ['ports'] }, 'spec.filter.kinds[0]'),
  'a kind named twice': filter({ kinds: ['Port', 'Port'] }, 'spec.filter.kinds[1]'),
  'a phase that is unknown': filter({ phases: ['done'] }, 'spec.filter.phases[0]'),
  'an eno Subscription merges': row({ sink, merge: true, profile: 'eno' }),
  'another Subscription merges': row({ sink, merge: true, profile: 'sol' }, 'spec.merge'),
  'another Subscription says that it does not merge': row({ sink, merge: false, profile: 'sol' }),
  'a Subscription without a sink authenticates': row({ auth: { type: 'bearer', secret: 'hooks' } }, 'spec.auth'),
  'a bearer': auth({ type: 'bearer', secret: 'hooks' }),
  'a bearer without a Secret': auth({ type: 'bearer' }, 'spec.auth.secret'),
  'a way to authenticate that is unknown': auth({ type: 'digest', secret: 'hooks' }, 'spec.auth.type'),
  'client credentials without a token endpoint': auth({ type: 'oauth2', secret: 'hooks' }, 'spec.auth.tokenEndpoint'),
  'a bearer with a token endpoint': auth({ type: 'bearer', secret: 'hooks', tokenEndpoint: sink }, 'spec.auth.tokenEndpoint'),
  'client credentials by a certificate': auth({
    type: 'oauth2-certificate',
    secret: 'hooks',
    tokenEndpoint: sink,
    clientId: 'megrez',
    thumbprint: 'A'.repeat(43),
  }),
  'client credentials by a certificate without a token endpoint': auth(
    { type: 'oauth2-certificate', secret: 'hooks', clientId: 'megrez' },
    'spec.auth.tokenEndpoint',
  ),
  'client credentials by a certificate without a client': auth(
    { type: 'oauth2-certificate', secret: 'hooks', tokenEndpoint: sink },
    'spec.auth.clientId',
  ),
  'client credentials by a word with a client': auth(
    { type: 'oauth2', secret: 'hooks', tokenEndpoint: sink, clientId: 'megrez' },
    'spec.auth.clientId',
  ),
  'a thumbprint of no certificate': auth(
    { type: 'oauth2-certificate', secret: 'hooks', tokenEndpoint: sink, clientId: 'megrez', thumbprint: 'A'.repeat(42) },
    'spec.auth.thumbprint',
  ),
  'a certificate without a token has no thumbprint': auth(
    { type: 'certificate', secret: 'hooks', thumbprint: 'A'.repeat(43) },
    'spec.auth.thumbprint',
  ),
  'a filter by VNF': filter({ nfv: { vnfInstanceIds: ['a'], vnfProducts: [{ provider: 'b', product: 'c' }] } }),
  'a filter by a product of nobody': filter({ nfv: { vnfProducts: [{ product: 'c' }] } }, 'spec.filter.nfv.vnfProducts[0].provider'),
  'a filter by no VNF': filter({ nfv: { vnfInstanceIds: [] } }, 'spec.filter.nfv.vnfInstanceIds'),
  'kept longer than a week': row({ keepSeconds: 604801 }, 'spec.keepSeconds'),
  'a CA that is no certificate': row({ sink, ca: 'x' }, 'spec.ca'),
}
