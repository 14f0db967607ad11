// The demo, played by this page with the rights of whoever looks: the same objects as `npm run demo` makes, over REST.
import { signal } from '@preact/signals'
import { demoKinds, demoNamespaces, demoSelector, demoSteps, type Manifest, type Step } from '../../examples/demo-steps.ts'
import pod1 from '../../examples/pod1.yaml'
import pod2 from '../../examples/pod2.yaml'
import pod3 from '../../examples/pod3.yaml'
import pod4 from '../../examples/pod4.yaml'
import pod5 from '../../examples/pod5.yaml'
import { create, list, read, Refusal, remove, type WriteAnswer } from '../contract/api.ts'
import type { Item, Kind } from '../contract/kinds.ts'
import { reportOf } from '../contract/report.ts'
import { may, session } from '../contract/session.ts'

import { notices, subscribe } from './notices.ts'

export { isOfDemo } from '../../examples/demo-steps.ts'

/** This page makes Subscriptions too: its notices are pulled, as no browser receives any. They go last, and hear of the end. */
const kindsMade = [...demoKinds, 'Subscription'] as const
const steps = demoSteps([pod1, pod2, pod3, pod4, pod5])
const [lookEveryMs, looksMost] = [150, 200]

export interface ShownStep {
  readonly is: string
  readonly state: 'waiting' | 'now' | 'done' | 'failed'
  /** What came of it: addresses, or the words of the refusal. */
  readonly said?: string
  readonly isRefused: boolean
}
export interface DemoState {
  /** `hidden`: done, and nobody wants to read of it any more. */
  readonly is: 'idle' | 'playing' | 'done' | 'failed' | 'removing' | 'hidden'
  readonly steps: readonly ShownStep[]
  readonly err?: unknown
}
const idle: DemoState = { is: 'idle', steps: [] }
export const demo = signal<DemoState>(idle)

/** A cluster's pods come from its API server, and are not this page's to make. */
export const mayPlay = (): boolean =>
  session.me.value?.standalone === true && demoNamespaces.every((namespace) => kindsMade.every((kind) => may('create', kind, namespace)))

export const mayRemove = (): boolean =>
  demoNamespaces.every((namespace) => kindsMade.every((kind) => may('list', kind, namespace) && may('delete', kind, namespace)))

export async function playDemo(): Promise<void> {
  if (demo.value.is === 'playing') return
  demo.value = { is: 'playing', steps: steps.map(({ is, isRefused }) => ({ is, isRefused, state: 'waiting' })) }
  notices.start()
  for (const [i, step] of steps.entries()) {
    setStep(i, { state: 'now' })
    try {
      setStep(i, { state: 'done', said: await played(step) })
    } catch (err) {
      setStep(i, { state: 'failed' })
      demo.value = { ...demo.value, is: 'failed', err }
      return
    }
  }
  demo.value = { ...demo.value, is: 'done' }
}

export function hideDemo(): void {
  notices.stop()
  demo.value = { ...idle, is: 'hidden' }
}

function setStep(at: number, change: Partial<ShownStep>): void {
  demo.value = { ...demo.value, steps: demo.value.steps.map((each, i) => (i === at ? { ...each, ...change } : each)) }
}

/** @returns what came of it */
async function played({ namespace, manifests, isRefused }: Step<Manifest>): Promise<string> {
  await subscribe(namespace)
  if (isRefused) return refusalOf(namespace, manifests)
  let last: Item | undefined
  for (const manifest of manifests) {
    const kind = manifest.kind as Kind
    await create(kind, namespace, manifest)
    last = await ready(kind, namespace, manifest.metadata.name)
  }
  const nics = last === undefined ? [] : (reportOf(last).nics ?? [])
  return nics.map(({ name, addresses = [] }) => `${name} ${addresses.join(', ')}`).join(', ')
}

async function refusalOf(namespace: string, manifests: readonly Manifest[]): Promise<string> {
  try {
    for (const manifest of manifests) await create(manifest.kind as Kind, namespace, manifest)
  } catch (err) {
    if (err instanceof Refusal && err.status === 422) return err.message
    throw err
  }
  throw new Error('the server has taken a pod whose address another pod has')
}

async function ready(kind: Kind, namespace: string, name: string): Promise<Item> {
  let seen: Item | undefined
  await until(`${kind} ${namespace}/${name} is ready`, async () => {
    seen = (await read(kind, { namespace, name })).item
    return reportOf(seen).phase === 'ready'
  })
  return seen as Item
}

async function until(sentence: string, holds: () => Promise<boolean>): Promise<void> {
  for (let i = 0; i < looksMost; i++) {
    if (await holds()) return
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
  }
  throw new Error(`not within half a minute: ${sentence}`)
}

const ofDemo = async (kind: Kind): Promise<readonly Item[]> => (await list(kind, { labelSelector: demoSelector })).items

/** What would be refused of it is a pod: the others go once they are used no more. */
export async function tryRemoving(): Promise<WriteAnswer> {
  const pods = await ofDemo('Pod')
  const answers = await Promise.all(pods.map(({ metadata }) => remove('Pod', metadata, true)))
  return { item: undefined, warnings: answers.flatMap(({ warnings }) => warnings) }
}

/** Users first; what is used still is asked for again until it goes. */
export async function removeDemo(): Promise<WriteAnswer> {
  const { value: before } = demo
  demo.value = { ...before, is: 'removing' }
  try {
    for (const kind of kindsMade) await removeAll(kind)
    notices.stop()
    demo.value = idle
  } catch (err) {
    demo.value = before
    throw err
  }
  return { item: undefined, warnings: [] }
}

const removeAll = (kind: Kind): Promise<void> =>
  until(`the demo's ${kind}s are gone`, async () => {
    const items = await ofDemo(kind)
    for (const { metadata } of items) await remove(kind, metadata).catch(unlessSoon)
    return items.length === 0
  })

function unlessSoon(err: unknown): void {
  if (!(err instanceof Refusal && [404, 409, 412].includes(err.status))) throw err
}
