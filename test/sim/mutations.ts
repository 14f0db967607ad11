// Proof that the simulator sees: each patch in mutations/ puts one fault into the mended code, in a copy of the tree, and seeds are run
// until one fails that does not fail without the patch; cases of Fabrics for those named fabric-…, of clouds for cloud-…, of VLANs for
// vlan-…, and the kept case alone where the patch names one. `npm run sim:mutations [-- NAME … --seeds N --from N --jobs J]`; outside CI.
import { rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { caseOf } from './case.ts'
import { cloudCaseOf } from './cloud-case.ts'
import { fabricCaseOf } from './fabric-case.ts'
import { copied, firstFailed, keptCaseOf, mutations, seenNearby, withMutation, type Failed } from './mutated.ts'
import { runCase } from './run.ts'
import { vlanCaseOf } from './vlan-case.ts'

interface Verdict {
  readonly name: string
  readonly found: Failed | undefined
}

const { values, positionals } = parseArgs({
  options: {
    seeds: { type: 'string', default: '2000' },
    from: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
  },
  allowPositionals: true,
})
const from = Number(values.from)
const end = from + Number(values.seeds)
const selected = mutations.filter((name) => positionals.length === 0 || positionals.some((each) => name.includes(each)))

const kinds: Readonly<Record<string, { readonly flags: readonly string[]; readonly drawn: typeof caseOf }>> = {
  fabric: { flags: ['--fabrics'], drawn: fabricCaseOf },
  cloud: { flags: ['--clouds'], drawn: cloudCaseOf },
  vlan: { flags: ['--vlans'], drawn: vlanCaseOf },
}

async function firstSeed(name: string, copy: string): Promise<Failed | undefined> {
  const [, kind = ''] = /^(fabric|cloud|vlan)-/.exec(name) ?? []
  const { flags, drawn } = kinds[kind] ?? { flags: [], drawn: caseOf }
  for (let seed = from; seed < end;) {
    const found = await firstFailed(copy, ['--seeds', String(end - seed), '--from', String(seed), ...flags])
    if (found === undefined) return undefined
    // A fault that is there without the patch proves nothing.
    if ((await runCase(drawn(found.seed), { traces: false })).failure === undefined) return found
    seed = found.seed + 1
  }
  return undefined
}

function show({ name, found }: Verdict): void {
  const kept = keptCaseOf(name)
  console.log(
    found === undefined
      ? `NOT FOUND in ${kept ?? `${values.seeds} seeds`}: ${name}`
      : `found ${kept === undefined ? `after ${found.seed - from + 1} seeds` : `by ${kept}`}: ${name}: ${found.invariant}: ${found.what.slice(0, 200)}`,
  )
}

const verdicts: Verdict[] = []
const waiting = [...selected]
await Promise.all(
  Array.from({ length: Math.min(Number(values.jobs), selected.length) }, async () => {
    const copy = copied()
    try {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const mutation = name
        const found =
          keptCaseOf(mutation) === undefined
            ? await withMutation(mutation, copy, () => firstSeed(mutation, copy))
            : (await seenNearby(mutation, copy))?.failed
        const verdict = { name, found }
        verdicts.push(verdict)
        show(verdict)
      }
    } finally {
      rmSync(copy, { recursive: true })
    }
  }),
)
const missed = verdicts.filter(({ found }) => found === undefined)
console.log(`${verdicts.length - missed.length} of ${verdicts.length} were found`)
// All of the faults that were once there; of the others one may escape.
process.exitCode = selected.length === 0 || missed.some(({ name }) => /^s\d/.test(name)) || missed.length > 1 ? 1 : 0
