// What the chart renders of admission's door, by a real helm.
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseAllDocuments, stringify } from 'yaml'
import { kubeconfigPath, kubeSkip } from '../setup/kubectl.ts'
import { run } from '../setup/run.ts'

const chart = join(import.meta.dirname, '../../charts/megrez')
const namespace = 'megrez-system'

interface Manifest {
  readonly kind: string
  readonly metadata: { readonly name: string; readonly annotations?: Readonly<Record<string, string>> }
  readonly webhooks: readonly { readonly clientConfig: { readonly url?: string; readonly service?: { readonly path?: string } } }[]
}

describe("the chart's admission", { skip: kubeSkip }, () => {
  let folder = ''
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'megrez-chart-'))
  })
  after(async () => {
    await rm(folder, { recursive: true })
  })
  async function helmed(args: readonly string[], values: object): Promise<string> {
    const env = { HELM_CACHE_HOME: folder, HELM_CONFIG_HOME: folder, HELM_DATA_HOME: folder, KUBECONFIG: kubeconfigPath }
    const { code, stdout, stderr } = await run(
      process.env.MEGREZ_TEST_HELM ?? 'helm',
      [...args, 'megrez', chart, '--namespace', namespace, '--values', '-'],
      { env, input: stringify(values) },
    )
    assert.equal(code, 0, stderr)
    return stdout
  }
  const rendered = async (values: object): Promise<readonly Manifest[]> =>
    parseAllDocuments(await helmed(['template', '--kube-version', '1.34'], values))
      .map((document) => document.toJS() as Manifest | null)
      .filter((each) => each !== null)

  test('hears the API server alone where it is told who has signed its certificate, and follows the registration in any case', async () => {
    const webhooksOf = async (values: object): Promise<string> =>
      JSON.stringify((await rendered(values)).find(({ kind, metadata }) => metadata.name === 'megrez-webhooks' && kind === 'Deployment'))
    const [plain, asked] = [
      await webhooksOf({}),
      await webhooksOf({ admission: { clientCaSecret: 'api-server', clientNames: ['kube-apiserver', 'other'] } }),
    ]
    for (const each of [plain, asked])
      assert.match(each, /"megrez.io\/follows-paths":"true".*"name":"MEGREZ_ADMISSION_REGISTRATION","value":"megrez"/)
    assert.doesNotMatch(plain, /ADMISSION_CLIENT/)
    assert.match(
      asked,
      /"MEGREZ_ADMISSION_CLIENT_CA","value":"\/etc\/megrez\/api-server-ca\/ca\.crt"\},\{"name":"MEGREZ_ADMISSION_CLIENT_NAMES","value":"kube-apiserver,other"/,
    )
    assert.match(asked, /"name":"api-server-ca","secret":\{"secretName":"api-server",/)
  })

  test('leaves the path to workers where they renew, and else is at the given one, or at the one that anybody can guess', async () => {
    const pathsOf = async (values: object): Promise<readonly string[]> => {
      const found = (await rendered(values)).filter(({ kind }) => kind.endsWith('WebhookConfiguration'))
      return [
        ...new Set(
          found.flatMap(({ webhooks, metadata: { annotations = {} } }) =>
            webhooks.map(
              ({ clientConfig: { url, service } }) =>
                `${annotations['megrez.io/paths'] ?? 'ours'} ${(url ?? service?.path ?? 'none').replace(/(mutate|validate)-(pods|objects)$/, '*')}`,
            ),
          ),
        ),
      ]
    }
    const path = 'x'.repeat(30)
    assert.deepEqual(await pathsOf({}), ['written none'])
    assert.deepEqual(await pathsOf({ admission: { path, annotations: { a: 'b' } } }), [`ours /${path}/*`])
    assert.deepEqual(await pathsOf({ tls: { secretName: 'mine' } }), ['ours /*'])
    assert.deepEqual(await pathsOf({ admission: { url: 'https://192.0.2.7:8443/', path } }), [`ours https://192.0.2.7:8443/${path}/*`])
  })

  test("has network policies where it knows the API server's blocks, and says so where nothing else guards admission", async () => {
    const policies = async (networkPolicy: object): Promise<number> =>
      (await rendered({ networkPolicy })).filter(({ kind }) => kind === 'NetworkPolicy').length
    assert.deepEqual(
      [await policies({}), await policies({ apiServer: ['10.0.0.0/24'] }), await policies({ enabled: false, apiServer: ['10.0.0.0/24'] })],
      [0, 2, 0],
    )
    const notes = async (values: object): Promise<string> => helmed(['install', '--dry-run=client'], values)
    const open = /WARNING: whoever reaches the TCP port of admission/
    assert.match(await notes({}), open)
    for (const values of [{ networkPolicy: { apiServer: ['10.0.0.0/24'] } }, { admission: { clientCaSecret: 'api-server' } }])
      assert.doesNotMatch(await notes(values), open)
    assert.match(await notes({ tls: { secretName: 'mine' } }), /WARNING: admission is at paths that anybody can guess/)
  })
})
