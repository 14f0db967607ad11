// Who can talk to whom in a Vpc, and which policy says so.
import { client, taken } from '../../contract/api.ts'
import { keyOf } from '../../contract/kinds.ts'
import { choose, type PagePlace } from '../../frame/place.ts'
import { objects } from '../../live/objects.ts'
import { useAnswer } from '../../parts/answer.ts'
import { Empty } from '../../parts/empty.tsx'
import { Failure } from '../../parts/failure.tsx'
import { Graph } from './graph.tsx'
import { Matrix } from './matrix.tsx'
import { WhatIf } from './what-if.tsx'
import { hasPorts, portIn, protocolIn, protocols, questionIn, segmentOf, type MatrixAnswer } from './question.ts'

export function Page({ place }: { readonly place: PagePlace }) {
  const vpcs = [...objects.of('Vpc').values()].filter((each) => segmentOf(each) !== undefined).map(keyOf)
  const vpc = vpcs.find((each) => each === place['vpc']) ?? vpcs.sort()[0]
  if (vpc === undefined)
    return (
      <Empty title={objects.has('Vpc') ? 'There is no Vpc with a VNI' : 'Reading …'}>
        <p>Policies judge what passes between the Ports of a Vpc.</p>
      </Empty>
    )
  return (
    <div class="page">
      <header class="head">
        <h1>Policy</h1>
        <Question place={place} vpc={vpc} vpcs={vpcs} />
      </header>
      <Answer place={place} vpc={vpc} />
      <WhatIf key={vpc} vpc={vpc} />
    </div>
  )
}

interface QuestionProps {
  readonly place: PagePlace
  readonly vpc: string
  readonly vpcs: readonly string[]
}

function Question({ place, vpc, vpcs }: QuestionProps) {
  const protocol = protocolIn(place)
  return (
    <form class="question" onSubmit={(event) => event.preventDefault()}>
      <Choice label="Vpc" of={vpcs.slice(0, 1_000)} value={vpc} onChoose={(value) => choose({ vpc: value, cell: undefined })} />
      <Choice label="Protocol" of={protocols} value={protocol} onChoose={(value) => choose({ protocol: value })} />
      {hasPorts(protocol) && (
        <label class="filter">
          <span>Port</span>
          <input
            type="number"
            min={1}
            max={65_535}
            value={portIn(place)}
            onChange={(event) => choose({ port: event.currentTarget.value })}
          />
        </label>
      )}
      {hasPorts(protocol) && (
        <Choice label="IP" of={['4', '6']} value={place['family'] === '6' ? '6' : '4'} onChoose={(value) => choose({ family: value })} />
      )}
      <Choice label="As" of={['matrix', 'graph']} value={place['as'] ?? 'matrix'} onChoose={(value) => choose({ as: value })} />
    </form>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly of: readonly string[]
  readonly value: string
  readonly onChoose: (value: string) => void
}

const Choice = ({ label, of, value, onChoose }: ChoiceProps) => (
  <label class="filter">
    <span>{label}</span>
    <select value={value} onChange={(event) => onChoose(event.currentTarget.value)}>
      {of.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  </label>
)

function Answer({ place, vpc }: { readonly place: PagePlace; readonly vpc: string }) {
  const query = questionIn(place, vpc)
  const { answer, err } = useAnswer<MatrixAnswer>(JSON.stringify(query), objects.version.value, async () =>
    taken(await client.GET('/v1/policy/matrix', { params: { query } })),
  )
  if (err !== undefined) return <Failure err={err} />
  if (answer === undefined) return <p class="waiting">Reading …</p>
  if (answer.groups.length === 0) return <Empty title={`No Port of ${vpc} has an IPv${query.family ?? 4} address`} />
  if (place['as'] === 'graph') return <Graph answer={answer} />
  return <Matrix answer={answer} segment={segmentOf(objects.of('Vpc').get(vpc))} chosen={place['cell']} />
}
