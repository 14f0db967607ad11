// An object for a person: what it is, how it came to be so, and what was said of it.
import { stringify } from 'yaml'
import { nicStatusAnnotation } from '../../core/kinds/annotations.ts'
import { isObject, type Json } from '../../core/json.ts'
import { since, type Item } from '../kinds/columns.ts'
import { safe, tableOf } from './table.ts'

interface StatedCondition {
  readonly type: string
  readonly status: string
  readonly reason?: string
  readonly message?: string
  readonly lastTransitionTime?: string
}
interface TimelineEntry {
  readonly time: string
  readonly phase: string
  readonly reason: string
}
/** What REST has of an Event. */
export interface ToldEvent extends Item {
  readonly spec: {
    readonly regarding: { readonly kind: string; readonly namespace?: string; readonly name: string }
    readonly type: string
    readonly reason: string
    readonly note: string
    readonly eventTime: string
    readonly count?: number
  }
}

/** Shown by themselves, or of no use to a person. */
const apart = new Set(['phase', 'message', 'conditions', 'timeline', 'told', 'asked', 'sequence', 'observedGeneration'])
/** An annotation may hold a whole object. */
const annotationMax = 160

export function describedText(item: Item, events: readonly ToldEvent[], now: number): string {
  const { metadata, spec, status } = item as Item & { readonly spec?: Json; readonly status?: Json }
  const rest = Object.fromEntries(Object.entries(status ?? {}).filter(([field]) => !apart.has(field)))
  return safe(
    [
      headOf(item, status ?? {}, now),
      section('Annotations', annotationLines(metadata.annotations ?? {})),
      section('Spec', yamlOf(spec)),
      section('Status', yamlOf(rest)),
      section('Nics', nicLines(metadata.annotations?.[nicStatusAnnotation])),
      section('Conditions', conditionLines((status?.['conditions'] ?? []) as readonly StatedCondition[], now)),
      section('Timeline', timelineLines((status?.['timeline'] ?? []) as readonly TimelineEntry[])),
      section('Events', eventLines(events, now)),
    ].join(''),
  )
}

function headOf({ kind, apiVersion, metadata }: Item, status: Json, now: number): string {
  const { name, namespace, labels = {}, creationTimestamp, deletionTimestamp } = metadata
  const rows: readonly (readonly [string, unknown])[] = [
    ['Name', name],
    ['Namespace', namespace],
    ['Kind', `${kind} (${String(apiVersion)})`],
    [
      'Labels',
      Object.entries(labels)
        .map(([key, value]) => `${key}=${value}`)
        .join(', ') || undefined,
    ],
    ['Created', `${creationTimestamp} (${since(creationTimestamp, now)} ago)`],
    ['Deleted', deletionTimestamp === undefined ? undefined : `${deletionTimestamp} (asked ${since(deletionTimestamp, now)} ago)`],
    ['Phase', status['phase']],
    ['Message', status['message']],
  ]
  return rows
    .filter(([, value]) => value !== undefined)
    .map(([title, value]) => `${`${title}:`.padEnd(12)}${String(value)}\n`)
    .join('')
}

const section = (title: string, lines: string): string => (lines === '' ? '' : `\n${title}:\n${lines.replace(/^(?=.)/gm, '  ')}`)
const yamlOf = (value: Json | undefined): string => (value === undefined || Object.keys(value).length === 0 ? '' : stringify(value))

const annotationLines = (annotations: Readonly<Record<string, string>>): string =>
  Object.entries(annotations)
    .filter(([key]) => key !== nicStatusAnnotation)
    .map(([key, value]) => `${key}: ${value.length > annotationMax ? `${value.slice(0, annotationMax)}…` : value}\n`)
    .join('')

function conditionLines(conditions: readonly StatedCondition[], now: number): string {
  if (conditions.length === 0) return ''
  return tableOf(
    ['Type', 'Status', 'Since', 'Reason', 'Message'],
    conditions.map(({ type, status, reason = '', message = '', lastTransitionTime }) => [
      type,
      status,
      since(lastTransitionTime, now),
      reason,
      message,
    ]),
  )
}

const timelineLines = (timeline: readonly TimelineEntry[]): string =>
  timeline.length === 0
    ? ''
    : tableOf(
        ['Time', 'Phase', 'Reason'],
        timeline.map(({ time, phase, reason }) => [time, phase, reason]),
      )

function eventLines(events: readonly ToldEvent[], now: number): string {
  if (events.length === 0) return ''
  return tableOf(
    ['Type', 'Reason', 'Age', 'Note'],
    events.map(({ spec: { type, reason, eventTime, note, count = 1 } }) => [
      type,
      reason,
      `${since(eventTime, now)}${count > 1 ? ` (${count} times)` : ''}`,
      note,
    ]),
  )
}

/** Of a pod: our report in its annotation. */
function nicLines(text: string | undefined): string {
  const report = readReport(text)
  const nics = Array.isArray(report['nics']) ? report['nics'].filter(isObject) : []
  if (nics.length === 0) return ''
  const cell = (value: unknown): string => (Array.isArray(value) ? value.map(String).join(',') : value === undefined ? '' : String(value))
  return tableOf(
    ['Nic', 'Port', 'Phase', 'Addresses', 'Message'],
    nics.map((nic) => ['name', 'port', 'phase', 'addresses', 'message'].map((field) => cell(nic[field]))),
  )
}

function readReport(text: string | undefined): Json {
  try {
    const value: unknown = text === undefined ? {} : JSON.parse(text)
    return isObject(value) ? value : {}
  } catch {
    return {}
  }
}
