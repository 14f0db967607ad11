// Secrets that were planted wherever people put them are not in a bundle.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { IncomingMessage } from 'node:http'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { redact, redactText } from '../../cli/bundle/redact.ts'
import { openCliServer, type CliServer } from './cli-server.ts'

const run = promisify(execFile)
let cli: CliServer
let folder = ''
before(async () => {
  cli = await openCliServer()
  folder = await mkdtemp(join(tmpdir(), 'megrez-bundle-'))
})
after(async () => {
  await cli.close()
  await rm(folder, { recursive: true })
})

/** Each has PLANTED in it, and is the secret that it says. */
const planted = {
  callbackPath: 'https://hooks.example.org/services/PLANTED-path?key=PLANTED-query',
  userinfo: 'https://user:PLANTED-password@example.org/x',
  annotation: 'PLANTED-annotation',
  env: 'PLANTED-env',
  argument: '--password=PLANTED-argument',
  exec: 'PLANTED-exec',
  signing: 'whsec_PLANTEDPLANTEDPLANTEDPLANTED',
  jwt: 'eyJhbGciOi.PLANTEDpayload.PLANTEDsignature',
  pem: '-----BEGIN EC PRIVATE KEY-----\nPLANTED\n-----END EC PRIVATE KEY-----',
  config: JSON.stringify({ cniVersion: '1.1.0', kubeconfig: { token: 'PLANTED-config' } }),
}

async function plant(): Promise<void> {
  const { store } = cli.rest
  const at = { namespace: 'b' }
  await store.create({
    kind: 'Subscription',
    metadata: { ...at, name: 'told', annotations: { 'example.org/note': planted.annotation } },
    spec: { sink: planted.callbackPath, profile: 'eno' },
  })
  const told = await store.get({ kind: 'Subscription', namespace: 'b', name: 'told' })
  await store.patchStatus(
    { ref: { kind: 'Subscription', namespace: 'b', name: 'told' }, uid: told!.metadata.uid },
    { report: { phase: 'error', message: `${planted.userinfo} answered 500 to Bearer PLANTED-bearer` } },
  )
  await store.create({
    kind: 'Vpc',
    metadata: { ...at, name: 'v', annotations: { 'megrez.io/last-applied': planted.signing } },
    spec: { provider: 'builtin', callbackURL: planted.callbackPath },
  })
  await store.create({
    kind: 'Port',
    metadata: { ...at, name: 'p' },
    spec: { subnet: 's', type: 'kernel', postCreateExec: ['/bin/x', planted.exec] },
  })
  await store.create({
    kind: 'Pod',
    metadata: { ...at, name: 'pod', annotations: { 'megrez.io/callback-url': planted.callbackPath, 'megrez.io/vpc': 'v' } },
    spec: { containers: [{ name: 'c', image: 'i', env: [{ name: 'A', value: planted.env }], args: [planted.argument] }] },
  })
  await store.create({ kind: 'NetworkAttachmentDefinition', metadata: { ...at, name: 'd' }, spec: { config: planted.config } })
  await store.create({ kind: 'Secret', metadata: { ...at, name: 's' }, spec: { data: { password: 'UExBTlRFRA==' } } })
}

test('a bundle has the objects, health and figures, and none of the secrets that were planted', async () => {
  await plant()
  const file = join(folder, 'b.tar.gz')
  const requests: string[] = []
  const note = ({ url = '' }: IncomingMessage): void => void requests.push(url)
  cli.rest.app.server.on('request', note)
  const { exit, out, err } = await cli.megrez(`bundle -o ${file}`)
  cli.rest.app.server.off('request', note)
  assert.deepEqual(requests.toSorted(), [...new Set(requests)].toSorted(), 'nothing is asked twice')
  assert.deepEqual([exit, out], [0, `${file}\n`], err)
  assert.equal((await stat(file)).mode & 0o077, 0, 'of its owner alone')
  const { stdout: listed } = await run('tar', ['-tzf', file])
  const names = listed
    .trim()
    .split('\n')
    .map((path) => path.split('/').slice(1).join('/'))
  for (const name of [
    'version.json',
    'me.json',
    'doctor.txt',
    'left-out.txt',
    'objects/subscriptions.json',
    'objects/pods.json',
    'objects/ports.json',
  ])
    assert.ok(names.includes(name), `${name} is not among ${names.join(' ')}`)
  const { stdout: all } = await run('tar', ['-xzOf', file])
  assert.doesNotMatch(all, /PLANTED|UExBTlRFRA/)
  assert.ok(!all.includes(cli.rest.token))
  assert.match(all, /"sink": "https:\/\/hooks\.example\.org\/\(redacted\)"/, 'who is told stays')
  assert.match(all, /"megrez\.io\/vpc": "v"/, 'what we look at stays')
  assert.match(all, /"\/bin\/x"/)
})

test('a file that is there is not written over', async () => {
  const file = join(folder, 'once.tar.gz')
  assert.equal((await cli.megrez(`bundle -o ${file} -n b`)).exit, 0)
  assert.match((await cli.megrez(`bundle -o ${file}`)).err, /is there already/)
})

test('what may not be seen is said to be missing', async () => {
  const viewer = await cli.rest.issuer.issue({ subject: 'v', scope: 'viewer:b' }, 600)
  const file = join(folder, 'viewer.tar.gz')
  const { exit, err } = await cli.megrez(`bundle -o ${file} -n b`, viewer)
  assert.equal(exit, 0, err)
  assert.match((await run('tar', ['-xzOf', file])).stdout, /^nodes: .*\n/m)
})

for (const [what, text] of Object.entries(planted))
  test(`a secret inside a sentence is replaced: ${what}`, () => {
    if (['annotation', 'env', 'exec', 'callbackPath'].includes(what))
      assert.doesNotMatch(JSON.stringify(redact({ annotations: { x: text }, env: text })), /PLANTED/)
    else if (what === 'config') assert.doesNotMatch(redactText(text), /PLANTED/)
    else assert.doesNotMatch(redactText(`it said ${text} and went on`), /PLANTED/)
  })
