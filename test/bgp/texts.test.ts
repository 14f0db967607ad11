// Whatever a speaker says, the daemons take the text of it; and FRR arrives by commands where a fresh start does.
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { bird } from '../../core/bgp/bird/bird.ts'
import { difference } from '../../core/bgp/frr/difference.ts'
import { frr } from '../../core/bgp/frr/frr.ts'
import type { Surroundings } from '../../core/bgp/renderer.ts'
import type { PrefixRule, SpeakerGroup, SpeakerSession, SpeakerSpec } from '../../core/bgp/speaker.ts'
import { bgpMissing } from '../../lab/programs/bgp.ts'
import { run } from '../../platform/programs/run.ts'
import { seeded } from '../workers/test-cluster.ts'

const skip = (await bgpMissing({ install: false, print: () => undefined })) ?? false
const speakers = 30

const around: Surroundings = {
  password: () => `!#$%&'()*+,-./09:;<=>?@AZ[\\]^_\`az{|}~`,
  links: ['192.0.2.0/24', '2001:db8::/64'],
  underlay: [
    { prefix: '0.0.0.0/0', via: '192.0.2.254' },
    { prefix: '::/0', via: '2001:db8::fe' },
  ],
  hostRoutes: () => ['10.9.0.5/32', 'fd09::5/128'],
  leavingRoutes: () => ['10.9.0.6/32'],
  missedAfterMs: () => 0,
}

function drawn(random: () => number): SpeakerSpec {
  const whole = (most: number): number => Math.floor(random() * most)
  const maybe = <T>(what: T): T | undefined => (random() < 0.5 ? what : undefined)
  const given = <K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } =>
    value === undefined ? {} : ({ [key]: value } as { readonly [P in K]: T })
  const several = <T>(most: number, one: (i: number) => T): readonly T[] => Array.from({ length: whole(most + 1) }, (_, i) => one(i))
  const community = (): string => ['64512:100', '4200000000:1:2', 'graceful-shutdown', 'no-export'][whole(4)]!
  const filter = () => {
    const [prefix, length, bits] = (
      [
        ['10.0.0.0/8', 8, 32],
        ['0.0.0.0/0', 0, 32],
        ['2001:db8::/32', 32, 128],
        ['::/0', 0, 128],
        ['192.0.2.1/32', 32, 32],
      ] as const
    )[whole(5)]!
    const ge = maybe(length + whole(bits - length + 1))
    return { prefix, ...given('ge', ge), ...given('le', maybe((ge ?? length) + whole(bits - (ge ?? length) + 1))) }
  }
  const rule = (): PrefixRule => ({
    ...filter(),
    action: random() < 0.7 ? 'accept' : 'reject',
    ...given('communities', maybe(several(2, community))),
  })
  const session = (i: number, at: number, internal = random() < 0.5): SpeakerSession => ({
    name: `peer-${i}.x`,
    address: random() < 0.6 ? `192.0.2.${at * 20 + i + 10}` : `2001:db8:${whole(2)}::${at * 20 + i + 10}`,
    as: internal ? 64_512 : 4_200_000_000,
    ...given('l4Port', maybe(1790)),
    ...given('multihop', maybe(1 + whole(255))),
    ...given('rrClient', internal ? maybe(true) : undefined),
    ...given('clusterID', maybe('192.0.2.250')),
    ...given('passwordSecret', maybe({ name: 'peers', key: 'a' })),
    ...given('bfd', maybe({ intervalMilliseconds: 50 + whole(500), multiplier: 2 + whole(9) })),
    holdSeconds: 9 + whole(100),
    keepaliveSeconds: 1 + whole(4),
    connectRetrySeconds: 1 + whole(100),
    ...given('maximumPrefixes', maybe({ ipv4: 1 + whole(100_000), ipv6: 1 + whole(1000) })),
    import: [...several(3, rule)],
    export: [...several(3, rule)],
    ...given('communities', maybe(several(3, community))),
    external: random() < 0.5,
    addressFamilies: (['ipv4', 'ipv6'] as const).slice(0, 1 + whole(2)),
  })
  const group = (i: number): SpeakerGroup => ({
    name: `group-${i}`,
    as: 64_512,
    routerID: '192.0.2.1',
    table: 0x4d00_0001 + i,
    addresses: { ipv4: '192.0.2.1', ...given('ipv6', maybe('2001:db8::1')) },
    sessions: several(4, (j) => session(j, i)),
    advertise: several(2, (j) => ({ cidr: `10.9.${j}.0/24`, hostRoutes: random() < 0.5, vni: 5 })),
    imports: several(2, () => ({ vpc: 'a/b', vni: 5, allow: several(2, filter), gateways: [] })),
    ...given('gracefulRestartSeconds', maybe(1 + whole(4000))),
    maximumPaths: 1 + whole(64),
  })
  return { node: 'a', groups: several(3, group) }
}

describe('texts of speakers', { skip }, () => {
  test(`BIRD and FRR take ${speakers} of them, and FRR the way from each to the next`, async () => {
    const random = seeded(20_261_129)
    const folder = await mkdtemp(join(tmpdir(), 'mgz-bgp-texts-'))
    try {
      const file = join(folder, 'text')
      let before = ''
      for (let i = 0; i < speakers; i++) {
        const speaker = drawn(random)
        await writeFile(file, bird.render(speaker, around).text)
        const taken = await run('bird', ['-p', '-c', file])
        assert.equal(taken.code, 0, `${taken.stderr}${JSON.stringify(speaker)}`)
        const { text } = frr.render(speaker, around)
        for (const each of [text, difference(before, text).join('\n')]) {
          await writeFile(file, each)
          const outcome = await run('vtysh', ['-C', '-f', file])
          assert.equal(outcome.code, 0, `${outcome.stdout}${outcome.stderr}${JSON.stringify(speaker)}`)
        }
        before = text
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  })
})
