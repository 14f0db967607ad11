import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCidr } from '../../core/net/cidr.ts'
import { forbiddenUse, specialUse } from '../../core/net/forbidden.ts'
import { parseIp } from '../../core/net/ip.ts'
import { callbackProblem } from '../../core/admit/object/callback-target.ts'

const uses: Record<string, string | undefined> = {
  '0.0.0.0': 'this network',
  '0.255.255.255': 'this network',
  '1.0.0.0': undefined,
  '9.255.255.255': undefined,
  '10.0.0.0': 'private',
  '10.255.255.255': 'private',
  '11.0.0.0': undefined,
  '100.63.255.255': undefined,
  '100.64.0.0': 'carrier-grade NAT',
  '100.100.100.200': 'cloud metadata',
  '100.127.255.255': 'carrier-grade NAT',
  '100.128.0.0': undefined,
  '126.255.255.255': undefined,
  '127.0.0.1': 'loopback',
  '127.255.255.255': 'loopback',
  '128.0.0.0': undefined,
  '168.63.129.15': undefined,
  '168.63.129.16': 'cloud metadata',
  '168.63.129.17': undefined,
  '169.253.255.255': undefined,
  '169.254.0.0': 'link-local',
  '169.254.169.254': 'link-local',
  '169.255.0.0': undefined,
  '172.15.255.255': undefined,
  '172.16.0.0': 'private',
  '172.31.255.255': 'private',
  '172.32.0.0': undefined,
  '192.0.0.8': 'protocol assignments',
  '192.0.1.0': undefined,
  '192.0.2.1': 'documentation',
  '192.88.99.1': '6to4 relay',
  '192.167.255.255': undefined,
  '192.168.0.0': 'private',
  '192.168.255.255': 'private',
  '192.169.0.0': undefined,
  '198.17.255.255': undefined,
  '198.18.0.0': 'benchmarking',
  '198.19.255.255': 'benchmarking',
  '198.20.0.0': undefined,
  '198.51.100.7': 'documentation',
  '203.0.113.7': 'documentation',
  '223.255.255.255': undefined,
  '224.0.0.0': 'multicast',
  '239.255.255.255': 'multicast',
  '240.0.0.0': 'reserved',
  '255.255.255.254': 'reserved',
  '255.255.255.255': 'broadcast',
  '::': 'unspecified',
  '::1': 'loopback',
  '::2': 'IPv4-compatible',
  '::127.0.0.1': 'IPv4-compatible',
  '::ffff:127.0.0.1': 'IPv4-mapped',
  '::ffff:8.8.8.8': 'IPv4-mapped',
  '::ffff:0:127.0.0.1': 'IPv4-translated',
  '64:ff9b::7f00:1': 'NAT64',
  '64:ff9b:1::1': 'NAT64',
  '64:ff9b:2::1': 'not global unicast',
  '100::1': 'discard',
  '1fff:ffff::1': 'not global unicast',
  '2001::1': 'Teredo',
  '2001:2::1': 'protocol assignments',
  '2001:20::1': 'protocol assignments',
  '2001:1ff:ffff::1': 'protocol assignments',
  '2001:200::1': undefined,
  '2001:db8::1': 'documentation',
  '2001:db9::1': undefined,
  '2002:7f00:1::1': '6to4',
  '2003::1': undefined,
  '2606:4700::1111': undefined,
  '3ffe::1': undefined,
  '3fff::1': 'documentation',
  '3fff:fff::1': 'documentation',
  '3fff:1000::1': undefined,
  '4000::1': 'not global unicast',
  'fbff::1': 'not global unicast',
  'fc00::1': 'private',
  'fd00:ec2::254': 'cloud metadata',
  'fdff::1': 'private',
  'fe80::1': 'link-local',
  'febf::1': 'link-local',
  'fec0::1': 'site-local',
  'ff02::1': 'multicast',
}

for (const [address, use] of Object.entries(uses))
  test(`${address} is ${use ?? 'global unicast'}`, () => assert.equal(specialUse(parseIp(address)!), use))

test('what an operator allows is reached, and nothing beside it', () => {
  const allowed = [parseCidr('10.1.0.0/16')!, parseCidr('::1/128')!]
  const use = (address: string) => forbiddenUse(parseIp(address)!, allowed)
  assert.deepEqual(
    [use('10.1.2.3'), use('10.2.0.1'), use('::1'), use('127.0.0.1'), use('8.8.8.8')],
    [undefined, 'private', undefined, 'loopback', undefined],
  )
})

test('an allowed IPv4 block does not allow the same addresses in IPv6 dress', () => {
  assert.equal(forbiddenUse(parseIp('::ffff:127.0.0.1')!, [parseCidr('127.0.0.0/8')!]), 'IPv4-mapped')
})

const strict = { callbackAllow: [], callbackHttp: false }
const loopback = { callbackAllow: ['127.0.0.0/8', '::1/128'], callbackHttp: true }
const targets: Record<string, readonly [settings: typeof strict | typeof loopback, problem: string | undefined]> = {
  'https://hooks.example.org/a?b=c': [strict, undefined],
  'https://hooks.example.org:8443/': [strict, undefined],
  'https://hooks.example.org:443/': [strict, undefined],
  'https://1.1.1.1/': [strict, undefined],
  'https://[2606:4700::1111]/': [strict, undefined],
  'http://hooks.example.org/': [strict, 'http is not https'],
  'ftp://hooks.example.org/': [loopback, 'ftp is not https'],
  'file:///etc/passwd': [loopback, 'file is not https'],
  'javascript:alert(1)': [loopback, 'javascript is not https'],
  'https://user:word@hooks.example.org/': [strict, 'it carries a user or password'],
  'https://user@hooks.example.org/': [strict, 'it carries a user or password'],
  'https://hooks.example.org:25/': [strict, "port 25 is not a web server's"],
  'https://hooks.example.org:0/': [strict, "port 0 is not a web server's"],
  'https://hooks.example.org:80/': [strict, undefined],
  'hooks.example.org': [strict, 'it is not a URL'],
  '': [strict, 'it is not a URL'],
  'https://10.0.0.1/': [strict, '10.0.0.1 is private'],
  'https://localhost/': [strict, '127.0.0.1 is loopback'],
  'https://a.LOCALHOST./': [strict, '127.0.0.1 is loopback'],
  'https://localhost.example.org/': [strict, undefined],
  'http://127.0.0.1:4000/x': [loopback, undefined],
  'http://[::1]:4000/x': [loopback, undefined],
  'http://localhost:4000/x': [loopback, undefined],
  'http://10.0.0.1:4000/x': [loopback, '10.0.0.1 is private'],
}
for (const [url, [settings, problem]] of Object.entries(targets))
  test(`a callback to '${url}' ${problem === undefined ? 'may be tried' : `is refused: ${problem}`}${settings === loopback ? ', where loopback and http are allowed' : ''}`, () =>
    assert.equal(callbackProblem(url, settings), problem))
