// What people have tried to make servers connect to: each URL must be refused by its text alone.

/** In every spelling that the WHATWG URL standard reads as an address. */
const loopbackHosts = [
  '127.0.0.1', '127.0.0.1.', '127.1', '127.0.1', '127.255.255.254', '0x7f000001', '0x7f.0.0.1', '0x7f.1', '0X7F.0X0.0X0.0X1', '0177.0.0.1', '0177.1', '017700000001', '2130706433',
  '127.0.0.0x1', '①②⑦.⓪.⓪.①', '127。0。0。1', '127．0．0．1', '127｡0｡0｡1', '%31%32%37.0.0.1', '127%2e0%2e0%2e1', '１２７.０.０.１', '127.0.\u200b0.1', '\u00ad127.0.0.1',
  '0', '0.0.0.0', '0x0', '00', '0.1', 'localhost', 'LOCALHOST', 'localhost.', 'a.localhost', 'a.b.localhost.', 'ⓛⓞⓒⓐⓛⓗⓞⓢⓣ', 'localho%73t',
  '[::1]', '[0:0:0:0:0:0:0:1]', '[0000::0001]', '[::]', '[::0]', '[::127.0.0.1]', '[::7f00:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:127.0.0.1]', '[::ffff:0:127.0.0.1]',
  '[64:ff9b::127.0.0.1]', '[64:ff9b::7f00:1]', '[64:ff9b:1::1]', '[2002:7f00:1::]', '[2002:7f00:0001:0:0:0:0:1]', '[2001:0:7f00:1::1]', '[100::1]',
]
const privateHosts = [
  '10.0.0.1', '10.255.255.255', '0xa.1', '012.0.0.1', '167772161', '172.16.0.1', '172.31.255.255', '0xac.0x10.1', '192.168.0.1', '192.168.1', '0300.0250.1', '3232235521', '100.64.0.1', '100.127.255.254',
  '[::ffff:10.0.0.1]', '[::ffff:c0a8:1]', '[fc00::1]', '[fd00::1]', '[fd12:3456:789a::1]', '[fec0::1]', '[64:ff9b::10.0.0.1]', '[2002:0a00:0001::]',
]
const metadataHosts = [
  '169.254.169.254', '169.254.169.254.', '0xa9fea9fe', '0xa9.0xfe.0xa9.0xfe', '2852039166', '0251.0376.0251.0376', '169.254.43518', '169.16689662', '①⑥⑨.②⑤④.①⑥⑨.②⑤④', '169.254.170.2', '169.254.0.1',
  '168.63.129.16', '100.100.100.200', '[fd00:ec2::254]', '[fe80::a9fe:a9fe]', '[fe80::1]', '[febf::1]', '[::ffff:169.254.169.254]', '[::a9fe:a9fe]', '[64:ff9b::a9fe:a9fe]', '[2002:a9fe:a9fe::]',
]
const otherHosts = [
  '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255', '198.51.100.1', '203.0.113.1', '224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255', '4294967295', '0xffffffff',
  '[ff02::1]', '[ff0e::1]', '[2001:db8::1]', '[3fff::1]', '[2001:2::1]', '[2001:20::1]', '[4000::1]', '[fc00::]', '[::ffff:8.8.8.8]',
]
const badShapes = [
  '', ' ', '/', '//', 'hooks.example.org', 'https:', 'https://', 'https:///', 'http://[', 'http://[::1', 'http://[fe80::1%25lo]/', 'https://256.256.256.256/', 'https://1.2.3.4.5/', 'https://0x100000000/', 'https://exa mple.org/', 'https://a<b/', 'https://hooks.example.org:99999/',
  'file:///etc/passwd', 'ftp://hooks.example.org/', 'gopher://hooks.example.org:70/_x', 'dict://hooks.example.org:2628/', 'ldap://hooks.example.org/', 'tftp://hooks.example.org/', 'unix:///var/run/docker.sock', 'http+unix://%2Fvar%2Frun%2Fdocker.sock/', 'javascript:0', 'data:,x', 'blob:https://hooks.example.org/x', 'ws://hooks.example.org/', 'jar:http://hooks.example.org!/', 'netdoc:///etc/passwd',
  'https://user@hooks.example.org/', 'https://user:word@hooks.example.org/', 'https://:word@hooks.example.org/', 'https://hooks.example.org@127.0.0.1/', 'https://hooks.example.org%40@127.0.0.1/', 'https://hooks.example.org:443@127.0.0.1/', 'https://127.0.0.1#@hooks.example.org/', 'https://127.0.0.1\\@hooks.example.org/', 'https:\\\\127.0.0.1/', 'https:/127.0.0.1/', 'https:127.0.0.1', '\thttps://127.0.0.1/', 'https://127.0\n.0.1/', 'HTTPS://127.0.0.1/',
  ...[0, 1, 7, 19, 21, 22, 23, 25, 53, 79, 110, 111, 135, 139, 143, 179, 389, 445, 465, 514, 587, 636, 873, 993].map((l4Port) => `https://hooks.example.org:${l4Port}/`),
  'https://127.0.0.1:6379/', 'https://127.0.0.1:2379/', 'https://10.96.0.1/api/v1/secrets', 'https://127.0.0.1:10250/pods',
]

/** Every special block, at its first and last address and between, in the spellings that parsers disagree about. */
const v4Edges = ['0.0.0.1', '0.255.255.255', '10.0.0.0', '10.128.0.1', '100.64.0.0', '100.127.255.255', '127.0.0.0', '127.255.255.255', '169.254.0.0', '169.254.255.255', '172.16.0.0', '172.31.255.254', '192.0.0.0', '192.0.0.255', '192.0.2.255', '192.88.99.255', '192.168.0.0', '192.168.255.255', '198.18.0.0', '198.51.100.255', '203.0.113.255', '224.0.0.0', '239.0.0.1', '240.0.0.0', '254.255.255.255']
const numberOf = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0)
const hexOf = (text: string): string => numberOf(text).toString(16).padStart(8, '0')
const spelt = v4Edges.flatMap((text) => [text, `${numberOf(text)}`, `0x${hexOf(text)}`, text.split('.').map((part) => `0${Number(part).toString(8)}`).join('.'), `[::ffff:${text}]`, `[64:ff9b::${hexOf(text).slice(0, 4)}:${hexOf(text).slice(4)}]`, `[2002:${hexOf(text).slice(0, 4)}:${hexOf(text).slice(4)}::1]`])

export const hostileUrls: readonly string[] = [...spelt.map((host) => `https://${host}/hook`), ...[...loopbackHosts, ...privateHosts, ...metadataHosts, ...otherHosts].map((host) => `http://${host}/`), ...badShapes]

export const hostileAddresses: readonly string[] = [
  '127.0.0.1', '127.8.8.8', '0.0.0.0', '10.1.2.3', '100.64.1.1', '169.254.169.254', '172.20.0.1', '192.168.1.1', '192.0.2.1', '198.18.0.1', '224.0.0.1', '255.255.255.255',
  '::', '::1', '::ffff:127.0.0.1', '::ffff:a9fe:a9fe', '::127.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', '2001::1', 'fc00::1', 'fd00:ec2::254', 'fe80::1', 'ff02::1',
]
