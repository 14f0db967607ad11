// The real kubectl: what it shows as it happens, and what `megrez apply --kubectl` sends through it.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { before, describe, test } from 'node:test'
import { run } from '../../cli/run.ts'
import { installCrds, kubeconfigPath, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'

const program = process.env['MEGREZ_TEST_KUBECTL'] ?? 'kubectl'

describe('kubectl', { skip: kubeSkip }, () => {
  let namespace = ''
  before(async () => {
    await installCrds()
    namespace = await newNamespace('kubectl')
  })

  async function megrez(args: string, input: string): Promise<{ exit: number; out: string; err: string }> {
    let out = ''
    let err = ''
    const env = {
      ...process.env,
      KUBECONFIG: String(kubeconfigPath),
      PATH: `${program.includes('/') ? `${dirname(program)}:` : ''}${process.env['PATH']}`,
    }
    const exit = await run(args.split(' '), {
      env,
      out: (text) => (out += text),
      err: (text) => (err += text),
      stdin: [Buffer.from(input)] as unknown as AsyncIterable<Buffer>,
      now: () => Date.now(),
      signal: new AbortController().signal,
    })
    return { exit, out, err }
  }

  test('watches objects of ours as their phase changes', async () => {
    const watch = spawn(program, [
      '--kubeconfig',
      String(kubeconfigPath),
      'get',
      'vpcs',
      '-n',
      namespace,
      '--watch',
      '--output-watch-events',
    ])
    let shown = ''
    watch.stdout.on('data', (text: Buffer) => (shown += text.toString()))
    const ended = new Promise((resolve) => watch.on('close', resolve))
    try {
      await kubectl(['create', '-n', namespace, '-f', '-'], {
        input: '{"apiVersion":"megrez.io/v1alpha1","kind":"Vpc","metadata":{"name":"seen"},"spec":{}}',
      })
      await until(() => /ADDED +seen +builtin/.test(shown), 'the new one is shown')
      await kubectl([
        'patch',
        'vpc',
        'seen',
        '-n',
        namespace,
        '--subresource=status',
        '--type=merge',
        '-p',
        '{"status":{"vni":4100,"phase":"ready"}}',
      ])
      await until(() => /MODIFIED +seen +builtin +4100 +ready/.test(shown), 'its phase is shown')
      await kubectl(['delete', 'vpc', 'seen', '-n', namespace])
      await until(() => /DELETED +seen/.test(shown), 'its end is shown')
    } finally {
      watch.kill()
      await ended
    }
  })

  const literal = `apiVersion: v1
kind: Pod
metadata: {name: nginx}
spec:
  VMs: [{name: nginx, image: www.foo.com/vmimages/nginx, flavor: m1.large, ports: [{VMPort: 443}]}]
  vpc: vpc-1a2b3c4d
  nics: [{subnet: subnet-1, ip: 192.168.0.12}]
`

  test('refuses a literal pod, and takes what megrez apply makes of it', async () => {
    const refused = await tryKubectl(['apply', '-n', namespace, '-f', '-'], { input: literal })
    assert.match(refused.stderr, /unknown field "spec\.(VMs|nics|vpc)"/)
    const dry = await megrez(`apply -f - -n ${namespace} --kubectl --dry-run`, literal)
    assert.deepEqual([dry.exit, dry.out], [0, 'pod/nginx created (server dry run)\n'], dry.err)
    const done = await megrez(`apply -f - -n ${namespace} --kubectl`, literal)
    assert.deepEqual([done.exit, done.out], [0, 'pod/nginx created\n'], done.err)
    const { metadata, spec } = JSON.parse(await kubectl(['get', 'pod', 'nginx', '-n', namespace, '-o', 'json'])) as {
      metadata: { annotations: Record<string, string> }
      spec: { containers: { image: string; ports: { containerPort: number }[] }[] }
    }
    const { 'megrez.io/vpc': vpc, 'megrez.io/nics': nics, 'megrez.io/vm-flavor': flavor } = metadata.annotations
    assert.deepEqual([vpc, nics, flavor], ['vpc-1a2b3c4d', '[{"subnet":"subnet-1","ip":"192.168.0.12"}]', 'm1.large'])
    assert.deepEqual([spec.containers[0]?.image, spec.containers[0]?.ports[0]?.containerPort], ['www.foo.com/vmimages/nginx', 443])
    assert.equal((await megrez(`apply -f - -n ${namespace} --kubectl`, literal)).out, 'pod/nginx unchanged\n')
  })

  test('tells through megrez apply what the API server refuses', async () => {
    const done = await megrez(`apply -f - -n ${namespace} --kubectl`, literal.replace('name: nginx}', 'name: Nginx}'))
    assert.equal(done.exit, 1)
    assert.match(done.err, /metadata\.name: Invalid value: "Nginx"/)
  })
})
