// What goes between Vpcs that are peered, as things with a key and a text, and as a table of nftables: the node's connection tracking does
// not see it. Each direction goes by the kernel of its sender's node alone, or by a tunnel one way and by routes the other: half of a
// connection is INVALID to the node, and kube-proxy drops what is that. Nothing of it is translated, so nothing is lost.

/** What comes from a router, or from a block by the link of the nodes, and goes to a block. */
export type UntrackedThing = { readonly kind: 'untracked'; readonly to: string } & (
  { readonly vni: number; readonly from?: undefined } | { readonly from: string; readonly vni?: undefined }
)

export const untrackedWriters = {
  untracked: ({ vni, from, to }: UntrackedThing): readonly [key: string, text: string] => [
    `untracked/${vni ?? 'any'}/${to}${from === undefined ? '' : ` from ${from}`}`,
    'not tracked',
  ],
}
export const untrackedReaders = {
  untracked: ([by = '', ...rest]: readonly string[]): UntrackedThing => {
    const [to = '', from = ''] = rest.join('/').split(' from ')
    return by === 'any' ? { kind: 'untracked', from, to } : { kind: 'untracked', vni: Number(by), to }
  },
}

export const untrackedTable = 'inet megrez-peers'
const lines = ([4, 6] as const).flatMap((of) => {
  const ip = of === 4 ? 'ip' : 'ip6'
  return [
    `set sent${of} { typeof iifname . ${ip} daddr; flags interval; }`,
    `set between${of} { typeof ${ip} saddr . ${ip} daddr; flags interval; }`,
  ]
})
const rules = (['ip', 'ip6'] as const).flatMap((ip) => {
  const of = ip === 'ip' ? 4 : 6
  return [`iifname . ${ip} daddr @sent${of} notrack`, `iifname != "mggx*" ${ip} saddr . ${ip} daddr @between${of} notrack`]
})

/** As nft reads it: whole. */
export const untrackedRuleset = `table ${untrackedTable} {
${lines.map((line) => `  ${line}\n`).join('')}  chain apart {
    type filter hook prerouting priority -310; policy accept;
${rules.map((rule) => `    ${rule}\n`).join('')}  }
}
`
