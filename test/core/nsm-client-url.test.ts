import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readClientUrls } from '../../core/nsm/client-url.ts'

const cases: Readonly<Record<string, readonly object[] | RegExp>> = {
  dns: [{ networkService: 'dns', labels: {} }],
  'kernel://dns': [{ networkService: 'dns', labels: {} }],
  'kernel://dns/nsm-1': [{ networkService: 'dns', name: 'nsm-1', labels: {} }],
  'kernel://dns/nsm-1?app=web&zone=b%2Fc': [{ networkService: 'dns', name: 'nsm-1', labels: { app: 'web', zone: 'b/c' } }],
  'dns?app=a+b&app=c&=': /labels must be/,
  'dns?app=a+b&app=c': [{ networkService: 'dns', labels: { app: 'a b' } }],
  'dns?app': [{ networkService: 'dns', labels: { app: '' } }],
  'dns?app=%zz': /labels must be/,
  'kernel://one/a, two/b': [
    { networkService: 'one', name: 'a', labels: {} },
    { networkService: 'two', name: 'b', labels: {} },
  ],
  'vfio://dns/nsm-1': /vfio is not done/,
  'memif://dns': /memif is not done/,
  'kernel://dns@other.example.org/nsm-1': /another domain, other\.example\.org,/,
  '': /no URL/,
  'kernel://': /no URL/,
  'one,,two': /no URL/,
  'kernel://dns/a/b': /no URL/,
}

for (const [text, expected] of Object.entries(cases))
  test(`${JSON.stringify(text)} is ${expected instanceof RegExp ? 'refused' : 'read'}`, () => {
    const found = readClientUrls(text)
    if (expected instanceof RegExp) assert.match('wrong' in found ? found.wrong : 'nothing', expected)
    else assert.deepEqual(found, expected)
  })
