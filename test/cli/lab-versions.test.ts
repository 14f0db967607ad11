import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stagingReplaces } from '../../lab/programs/go.ts'
import { atLeast, versionIn } from '../../lab/programs/versions.ts'

test('a version is read out of what each program prints', () => {
  assert.deepEqual(versionIn('etcd Version: 3.4.23\nGit SHA: Not provided\nGo Version: go1.19.8\n'), [3, 4, 23])
  assert.deepEqual(versionIn('Kubernetes v1.34.4\n'), [1, 34, 4])
  assert.deepEqual(versionIn('Client Version: version.Info{Major:"1", Minor:"20", GitVersion:"v1.20.2"}'), [1, 20, 2])
  assert.deepEqual(versionIn('v3.19.0+g3d8990f'), [3, 19, 0])
  assert.deepEqual(versionIn('go1.26'), [1, 26, 0])
  assert.equal(versionIn('command not found'), undefined)
})

test('versions compare by number, part by part', () => {
  assert.ok(atLeast([1, 32, 0], [1, 32]))
  assert.ok(atLeast([1, 100, 0], [1, 32]))
  assert.ok(atLeast([2, 0, 0], [1, 32]))
  assert.ok(!atLeast([1, 20, 2], [1, 32]))
  assert.ok(!atLeast([0, 99, 9], [1, 32]))
  assert.ok(!atLeast([1], [1, 32]))
})

test('a replacement by a staging folder becomes the release of that module, any other is left out', () => {
  const goMod = `module k8s.io/kubernetes

replace k8s.io/alone => ./staging/src/k8s.io/alone

replace (
\tk8s.io/api => ./staging/src/k8s.io/api
\tk8s.io/client-go => ./staging/src/k8s.io/client-go
\texample.org/fork => example.org/other v1.0.0
)
`
  assert.deepEqual(stagingReplaces(goMod, '1.34.4'), [
    '-replace=k8s.io/alone=k8s.io/alone@v0.34.4',
    '-replace=k8s.io/api=k8s.io/api@v0.34.4',
    '-replace=k8s.io/client-go=k8s.io/client-go@v0.34.4',
  ])
})
