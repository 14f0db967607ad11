// Where callbacks of a standalone server may go: what somebody has said holds, and the defaults are for who has said nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { standaloneConfig } from '../../cli/serve/config.ts'
import { openHarness } from '../webhooks/rest-harness.ts'

const loopback = ['127.0.0.0/8', '::1/128']
const cases: readonly (readonly [
  string,
  Readonly<Record<string, string>>,
  { readonly callbackHttp?: boolean; readonly callbackAllow?: readonly string[]; readonly publicUrl?: string },
])[] = [
  [
    'go to loopback and in the clear where nobody has said anything',
    {},
    { callbackHttp: true, callbackAllow: loopback, publicUrl: 'http://127.0.0.1:7080' },
  ],
  ['go to https only where http is forbidden', { MEGREZ_CALLBACK_HTTP: 'false' }, { callbackHttp: false, callbackAllow: loopback }],
  ['reach nothing private where the list is empty', { MEGREZ_CALLBACK_ALLOW: '' }, { callbackHttp: true, callbackAllow: [] }],
  [
    'reach what is listed, and loopback only where it is listed',
    { MEGREZ_CALLBACK_ALLOW: '10.0.0.0/8' },
    { callbackAllow: ['10.0.0.0/8'] },
  ],
  ['have the links that were given', { MEGREZ_PUBLIC_URL: 'https://megrez.example.org' }, { publicUrl: 'https://megrez.example.org' }],
]
for (const [name, env, wanted] of cases) {
  test(`callbacks of a standalone server ${name}`, () => {
    const config = standaloneConfig(env, 7080)
    assert.deepEqual(Object.fromEntries(Object.keys(wanted).map((key) => [key, config[key as keyof typeof config]])), wanted)
  })
}

test('a standalone server on a free port does not say where it is before it knows', () =>
  assert.equal(standaloneConfig({}, 0).publicUrl, undefined))

test('a standalone server refuses a sink that it may not reach, where http or loopback is forbidden, and takes it where nothing is said', async () => {
  for (const [env, status] of [
    [{}, 201],
    [{ MEGREZ_CALLBACK_HTTP: 'false' }, 422],
    [{ MEGREZ_CALLBACK_ALLOW: '' }, 422],
  ] as const) {
    const rest = await openHarness(undefined, undefined, undefined, standaloneConfig(env, 0))
    try {
      const answer = await rest.ask('POST /v1/namespaces/a/subscriptions', {
        body: { metadata: { name: 's' }, spec: { sink: 'http://127.0.0.1:4000/x' } },
      })
      assert.deepEqual(
        [answer.status, answer.problem.errors?.map(({ pointer }) => pointer)],
        [status, status === 422 ? ['/spec/sink'] : undefined],
        answer.text,
      )
    } finally {
      await rest.close()
    }
  }
})
