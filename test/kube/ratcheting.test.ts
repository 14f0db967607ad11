// What rules on the spec alone are for: an object from before a rule can still be reported on.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { definitionOf } from '../../core/kinds/index.ts'
import { crd } from '../../openapi/schemas/crd.ts'
import { applyCrds, kubectl, kubeSkip, newNamespace, tryKubectl } from '../setup/kubectl.ts'
import { until } from '../setup/until.ts'

describe('a rule that comes after the object', { skip: kubeSkip }, () => {
  test('lets its status, labels and finalizers be written, and asks of the next spec', async (t) => {
    const namespace = await newNamespace('ratcheting')
    const group = `${namespace}.example.org`
    const folder = await mkdtemp(join(tmpdir(), 'megrez-crds-'))
    t.after(() => rm(folder, { recursive: true }))
    const write = (rules: readonly object[]) => {
      const definition = { ...definitionOf('Subnet'), rules } as ReturnType<typeof definitionOf>
      return writeFile(join(folder, 'subnets.yaml'), JSON.stringify(crd(definition)).replaceAll('megrez.io', group))
    }
    await write([])
    await applyCrds(folder)
    t.after(() => kubectl(['delete', 'crd', `subnets.${group}`]))
    const subnet = {
      apiVersion: `${group}/v1alpha1`,
      kind: 'Subnet',
      metadata: { name: 'old', namespace },
      spec: { vpc: 'a', ipv4: { cidr: '10.0.0.5/24' } },
    }
    await kubectl(['create', '-f', '-'], { input: JSON.stringify(subnet) })

    await write(definitionOf('Subnet').rules)
    await applyCrds(folder)
    const resource = `subnets.${group}`
    const patch = (body: object, ...more: readonly string[]) =>
      tryKubectl(['patch', resource, 'old', '-n', namespace, '--type=merge', '-p', JSON.stringify(body), ...more])
    const another = JSON.stringify({ ...subnet, metadata: { name: 'new', namespace } })
    const inForce = async () =>
      /spec\.ipv4\.cidr: Invalid value: .*must be an IPv4 block/.test(
        (await tryKubectl(['create', '--dry-run=server', '-f', '-'], { input: another })).stderr,
      )
    await until(inForce, 'the new rules refuse a second such object')

    for (const [body, ...more] of [
      [{ status: { phase: 'error', validated: false } }, '--subresource=status'],
      [{ metadata: { labels: { a: 'b' }, finalizers: [`${group}/f`] } }],
      [{ metadata: { finalizers: null } }],
    ] as const) {
      const { code, stderr } = await patch(body, ...more)
      assert.equal(code, 0, stderr)
    }
    assert.match((await patch({ spec: { dns: { nameservers: ['192.0.2.53'] } } })).stderr, /spec\.ipv4\.cidr: Invalid value/)
  })
})
