// Names outside, as a resolver on loopback answers for them.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { systemLookup } from '../../platform/dns/lookup.ts'
import { openDnsServer, type DnsServer } from '../doubles/dns-server.ts'

let dns: DnsServer
before(async () => {
  dns = await openDnsServer()
})
after(() => dns.close())
const resolve = (name: string): ReturnType<ReturnType<typeof systemLookup>['resolve']> => systemLookup([dns.server]).resolve(name)

test('both families are answered, each with how long it is good for, by way of another name too', async () => {
  dns.table.set('api.example', { ttl: 300, addresses: ['198.51.100.1', '198.51.100.2', '2001:db8::1'] })
  dns.table.set('cdn.example', { ttl: 7, addresses: ['198.51.100.3'], cname: 'edge.example' })
  const all = await resolve('api.example')
  assert.deepEqual(
    all.map(({ address, ttlSeconds }) => `${address} ${ttlSeconds}`),
    ['198.51.100.1 300', '198.51.100.2 300', '2001:db8::1 300'],
  )
  assert.deepEqual(await resolve('cdn.example'), [{ address: '198.51.100.3', ttlSeconds: 7 }])
  assert.deepEqual(dns.questions.toSorted().slice(0, 2), ['api.example 1', 'api.example 28'], 'nothing of a search list')
})

test('a name that is not there has no address; where a resolver cannot say, that is an error', async () => {
  assert.deepEqual(await resolve('nobody.example'), [])
  dns.table.set('broken.example', 'SERVFAIL')
  await assert.rejects(resolve('broken.example'), /ESERVFAIL broken.example/)
})
