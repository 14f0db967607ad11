// Why it is as it is, as the server explains it: its way in steps, solid what is done, dotted what is about to be; of a pod each NIC.
import { explanationOf, type Explanation, type Step } from '../../contract/about.ts'
import type { Item } from '../../contract/kinds.ts'
import { linkTo } from '../../frame/place.ts'
import { useAnswer } from '../../parts/answer.ts'
import { Failure } from '../../parts/failure.tsx'
import { Phase } from '../../parts/phase.tsx'
import { objects } from '../../live/objects.ts'

export function Steps({ item }: { readonly item: Item }) {
  // A pod's NICs are Ports: of those the stream tells too.
  const version = item.kind === 'Pod' ? objects.version.value : item.metadata.resourceVersion
  const { answer, err } = useAnswer(item.metadata.uid, version, () => explanationOf(item))
  return (
    <section class="card wide" data-explained>
      <h2>Why it is so</h2>
      {err !== undefined ? <Failure err={err} /> : answer === undefined ? <p class="quiet">Asking …</p> : <Explained of={answer} />}
    </section>
  )
}

function Explained({ of: { steps, nics = [], interfaces = [], plane } }: { readonly of: Explanation }) {
  if (steps.length + nics.length + interfaces.length === 0) return <p class="quiet">Its kind goes no way in steps: nobody reports of it.</p>
  return (
    <>
      {steps.length > 0 && <Way steps={steps} />}
      {nics.map((nic) => (
        <Nic key={nic.nic} of={nic} />
      ))}
      {interfaces.map((each) => (
        <InVlans key={`${each.pod} ${each.attachment}`} of={each} />
      ))}
      {plane !== undefined && plane.items.length > 0 && <Plane of={plane} />}
    </>
  )
}

function Nic({ of: { nic, port, phase, steps } }: { readonly of: NonNullable<Explanation['nics']>[number] }) {
  const slash = port?.indexOf('/') ?? -1
  return (
    <section aria-label={`NIC ${nic}`}>
      <h3>
        NIC <bdi>{nic}</bdi> <Phase of={phase} />{' '}
        {port !== undefined && <a href={linkTo('Port', port.slice(0, slash), port.slice(slash + 1))}>its Port</a>}
      </h3>
      <Way steps={steps} />
    </section>
  )
}

/** A pod's interface in VLANs of an attachment, and who judges it. */
const InVlans = ({
  of: { attachment, pod, vlans, because, policies },
}: {
  readonly of: NonNullable<Explanation['interfaces']>[number]
}) => (
  <section aria-label={`Interface in VLANs of ${attachment}`}>
    <h3>
      Pod <bdi>{pod}</bdi> in VLAN {vlans.join(', ')} of <bdi>{attachment}</bdi>
    </h3>
    <p>{because}</p>
    {policies.map(({ tier, policy: { kind, namespace = '', name }, rules, audit }) => (
      <p key={`${kind} ${namespace}/${name}`} class="quiet">
        {tier}: {kind} <bdi>{`${namespace}/${name}`}</bdi>, {rules} rules{audit && ', in audit'}
      </p>
    ))}
  </section>
)

const words: Readonly<Record<Step['state'], string>> = {
  done: 'done',
  now: 'it stands here',
  next: 'still to come',
  failed: 'somebody must do something',
}

const Way = ({ steps }: { readonly steps: readonly Step[] }) => (
  <ol class="receipt way">
    {steps.map(({ step, state, because, help }) => (
      <li key={step} data-state={state}>
        <span>
          <strong>{step}</strong> <span class="quiet">{words[state]}</span>
        </span>
        <span>{because}</span>
        {help !== undefined && <span class="help-line">{help}</span>}
      </li>
    ))}
  </ol>
)

/** By what is stored; the node itself is asked below. */
const Plane = ({ of: { node, dataplane, items } }: { readonly of: NonNullable<Explanation['plane']> }) => (
  <details>
    <summary>
      What {node} does for it with {dataplane}, by what is stored: {items.length}
    </summary>
    <ul class="receipt">
      {items.map(({ key, where, match, does, because }) => (
        <li key={key}>
          <span class="where">{where}</span>
          <code>{match}</code>
          <span>→ {does}</span>
          <span class="quiet">because {because}</span>
        </li>
      ))}
    </ul>
  </details>
)
