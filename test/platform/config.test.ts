import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigInvalid } from '../../core/errors.ts'
import { readConfig, settings } from '../../platform/config.ts'

function refusal(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (err) {
    if (err instanceof ConfigInvalid) return err.message
    throw err
  }
  return 'taken'
}

test('where nothing is set, every setting has its default', () => {
  const expected = Object.fromEntries(Object.entries(settings).map(([name, { fallback }]) => [name, fallback]))
  assert.deepEqual(readConfig({ PATH: '/usr/bin', HOME: '/root' }), expected)
})

test('every default is a value that its own setting takes', () => {
  for (const [name, { env, fallback }] of Object.entries(settings)) {
    if (fallback === undefined) continue
    const given = Array.isArray(fallback) ? fallback.join(',') : typeof fallback === 'object' ? JSON.stringify(fallback) : String(fallback)
    assert.deepEqual(readConfig({ [env]: given })[name as keyof typeof settings], fallback, env)
  }
})

test('no two settings read one variable, and all begin alike', () => {
  const names = Object.values(settings).map(({ env }) => env)
  assert.equal(new Set<string>(names).size, names.length)
  for (const name of names) assert.match(name, /^MEGREZ_[A-Z0-9_]+$/)
})

const taken: Record<string, { readonly env: Record<string, string>; readonly gives: object }> = {
  'a number': { env: { MEGREZ_CONCURRENCY: '7' }, gives: { concurrency: 7 } },
  'a word of several': { env: { MEGREZ_LOG_LEVEL: 'debug' }, gives: { logLevel: 'debug' } },
  'a flag': { env: { MEGREZ_CALLBACK_HTTP: 'true' }, gives: { callbackHttp: true } },
  'blocks, with blanks and a last comma': {
    env: { MEGREZ_CALLBACK_ALLOW: '192.0.2.0/24, 2001:db8::/32,' },
    gives: { callbackAllow: ['192.0.2.0/24', '2001:db8::/32'] },
  },
  'a public URL, without the slash at its end': {
    env: { MEGREZ_PUBLIC_URL: 'https://megrez.example.org:8443/nfv/' },
    gives: { publicUrl: 'https://megrez.example.org:8443/nfv' },
  },
  'an empty text for what may be absent': { env: { MEGREZ_REDIS: '' }, gives: { redis: undefined } },
  'limits without flavors': { env: { MEGREZ_NIC_LIMITS: '{"default":2}' }, gives: { nicLimits: { default: 2, flavors: {} } } },
  'limits with flavors': {
    env: { MEGREZ_NIC_LIMITS: '{"default":2,"flavors":{"m1.large":4}}' },
    gives: { nicLimits: { default: 2, flavors: { 'm1.large': 4 } } },
  },
}
for (const [what, { env, gives }] of Object.entries(taken))
  test(`${what} is taken`, () => {
    const config = readConfig(env)
    for (const [name, value] of Object.entries(gives)) assert.deepEqual(config[name as keyof typeof config], value)
  })

const refused: Record<string, readonly [name: string, value: string]> = {
  'a number with a unit': ['MEGREZ_RESERVATION_MS', '30s'],
  'a number that is empty': ['MEGREZ_CONCURRENCY', ''],
  'a number below its least': ['MEGREZ_CONCURRENCY', '0'],
  'a number above its greatest': ['MEGREZ_VNI_MAX', '16777216'],
  'a hexadecimal number': ['MEGREZ_VNI_MIN', '0x10'],
  'a word that is none of several': ['MEGREZ_CLUSTER_NIC', 'None'],
  'a flag that is neither': ['MEGREZ_CALLBACK_HTTP', '1'],
  'a name that is empty': ['MEGREZ_NAMESPACE', ' '],
  'a block with host bits': ['MEGREZ_CALLBACK_ALLOW', '192.0.2.0/24,10.0.0.1/8'],
  'limits that are no JSON': ['MEGREZ_NIC_LIMITS', '8'],
  'limits without a default': ['MEGREZ_NIC_LIMITS', '{"flavors":{}}'],
  'limits of nothing': ['MEGREZ_NIC_LIMITS', '{"default":0}'],
  'flavors that are a list': ['MEGREZ_NIC_LIMITS', '{"default":8,"flavors":[4]}'],
  'a flavor without a count': ['MEGREZ_NIC_LIMITS', '{"default":8,"flavors":{"m1.large":"4"}}'],
  'limits with a word that means nothing': ['MEGREZ_NIC_LIMITS', '{"default":8,"flavours":{}}'],
}
for (const [what, [name, value]] of Object.entries(refused))
  test(`${what} is refused by name, and the refusal says what would be right`, () => {
    const { takes } = Object.values(settings).find(({ env }) => env === name)!
    assert.equal(refusal({ [name]: value }), `setting ${name}: must be ${takes}; it is ${JSON.stringify(value)}`)
  })

test('all mistakes are told at once', () => {
  assert.equal(
    refusal({ MEGREZ_CONCURENCY: '3', MEGREZ_CALLBACK_HTTP: 'yes', MEGREZ_WINGS: '2' }),
    'setting MEGREZ_CALLBACK_HTTP: must be true or false; it is "yes"; MEGREZ_CONCURENCY: no such setting (MEGREZ_CONCURRENCY is one); MEGREZ_WINGS: no such setting',
  )
})

test('a range of VNIs that ends before it begins is refused', () => {
  assert.equal(
    refusal({ MEGREZ_VNI_MIN: '9000', MEGREZ_VNI_MAX: '8000' }),
    'setting MEGREZ_VNI_MIN: must not be above MEGREZ_VNI_MAX, 8000',
  )
})

test('what a kubelet says of Services called like us is not a setting', () => {
  const links = {
    MEGREZ_PORT: 'tcp://192.0.2.1:443',
    MEGREZ_PORT_443_TCP: 'tcp://192.0.2.1:443',
    MEGREZ_PORT_443_TCP_ADDR: '192.0.2.1',
    MEGREZ_WEBHOOKS_SERVICE_HOST: '192.0.2.1',
    MEGREZ_WEBHOOKS_SERVICE_PORT_HTTPS: '443',
    MEGREZ_SERVICE_PORT: '443',
  }
  assert.equal(refusal(links), 'taken')
  assert.equal(refusal({ MEGREZ_PORT: '8080' }), 'setting MEGREZ_PORT: no such setting')
})

test('what other programs of the repository read is left to them', () => {
  assert.equal(
    refusal({
      MEGREZ_TRIALS: '100',
      MEGREZ_TEST_REDIS: '/run/redis.sock',
      MEGREZ_URL: 'http://127.0.0.1:7080',
      MEGREZ_PEERS_REQUIRED: '1',
    }),
    'taken',
  )
  assert.match(refusal({ MEGREZ_URLS: 'x' }), /MEGREZ_URLS: no such setting/)
})

test('what a composition root decides stands over the environment', () => {
  assert.equal(readConfig({ MEGREZ_CALLBACK_HTTP: 'false' }, { callbackHttp: true }).callbackHttp, true)
})
