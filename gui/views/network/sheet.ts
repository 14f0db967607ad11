// How elements look on the canvas, in the colours of the page.
import type { StylesheetJson } from 'cytoscape'
import { colour } from '../../frame/theme.ts'
import { hues } from './graph.ts'
import { wayRules } from './trace/sheet.ts'

const sans = 'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif'
const phases = ['ready', 'pending', 'error', 'terminating'] as const

export function sheet(): StylesheetJson {
  return [
    {
      selector: 'node',
      style: {
        'font-family': sans,
        'font-size': 13.5,
        color: colour('text'),
        label: 'data(label)',
        'text-valign': 'center',
        'text-halign': 'center',
        'text-wrap': 'wrap',
        'min-zoomed-font-size': 6,
        'overlay-opacity': 0,
        'border-width': 1.5,
        'border-color': colour('line-strong'),
        'background-color': colour('raised'),
      },
    },
    {
      selector: 'node[kind = "Pod"]',
      style: { shape: 'round-rectangle', width: 148, height: 32, 'text-max-width': '132', 'text-wrap': 'ellipsis' },
    },
    {
      selector: 'node[kind = "Port"]',
      style: { shape: 'ellipse', width: 16, height: 16, 'text-valign': 'bottom', 'text-margin-y': 3, 'font-size': 10 },
    },
    {
      selector: 'node[kind = "Subnet"]',
      style: {
        shape: 'round-rectangle',
        width: 168,
        height: 'data(high)',
        'text-max-width': '156',
        'font-weight': 600,
        'line-height': 1.25,
      },
    },
    {
      selector: 'node[?group]',
      style: { shape: 'round-rectangle', width: 156, height: 46, 'font-weight': 600, 'text-max-width': '146', 'line-height': 1.3 },
    },
    {
      selector: 'node[?open], node[?holds]',
      style: {
        'background-color': colour('surface'),
        'border-width': 1,
        'border-color': colour('line'),
        'text-valign': 'top',
        'text-halign': 'center',
        'text-margin-y': -5,
        'text-max-width': '400',
        color: colour('muted'),
        padding: '14px',
        'corner-radius': '10',
      },
    },
    ...fabricRules(),
    ...hueRules(),
    ...phases.map((phase) => ({
      selector: `node[phase = "${phase}"][!holds][kind != "Subnet"]`,
      style: { 'border-color': colour(phase) },
    })),
    {
      selector: 'edge',
      style: {
        'curve-style': 'straight',
        width: 'data(wide)',
        'line-opacity': 0.75,
        'line-color': colour('line-strong'),
        'font-family': 'ui-monospace, "JetBrains Mono", "DejaVu Sans Mono", monospace',
        'font-size': 11,
        color: colour('muted'),
        'source-label': 'data(label)',
        'source-text-offset': 'data(at)' as unknown as number,
        'min-zoomed-font-size': 7,
        'text-background-color': colour('canvas'),
        'text-background-opacity': 0.9,
        'text-background-padding': '2px',
        'overlay-opacity': 0,
      },
    },
    ...Array.from({ length: hues }, (_, i) => ({ selector: `edge[hue = "vpc${i}"]`, style: { 'line-color': colour(`vpc-${i}`) } })),
    ...fabricLines(),
    { selector: 'edge[?twin]', style: { 'curve-style': 'bezier', 'control-point-step-size': 46 } },
    // Above what they pass by stand alone those that lead into a card.
    { selector: 'edge[relation != "port"]', style: { 'z-compound-depth': 'bottom' } },
    { selector: 'edge[?quiet]', style: { 'source-label': '', 'line-opacity': 0.45 } },
    { selector: 'edge[?quiet].near, edge[?quiet].chosen', style: { 'source-label': 'data(label)', 'line-opacity': 0.9 } },
    { selector: 'edge[phase = "pending"]', style: { 'line-style': 'dashed' } },
    { selector: 'edge[phase = "error"]', style: { 'line-style': 'dotted', 'line-color': colour('error') } },
    ...wayRules(),
    { selector: '.far', style: { opacity: 0.22 } },
    {
      selector: '.chosen',
      style: { 'border-color': colour('accent'), 'border-width': 2.5, 'line-color': colour('accent'), 'z-index': 10 },
    },
  ]
}

const fabricRules = (): StylesheetJson => [
  { selector: 'node[kind = "Node"][!group]', style: { shape: 'round-rectangle', width: 156, height: 'data(high)' } },
  {
    selector: 'node[kind = "Switch"], node[kind = "Switches"]',
    style: {
      shape: 'rectangle',
      width: 156,
      height: 'data(high)',
      'background-color': colour('sunken'),
      'border-color': colour('line-strong'),
      'border-width': 2,
    },
  },
  { selector: 'node[phase = "unreachable"]', style: { 'border-color': colour('error'), 'border-style': 'dashed' } },
  {
    selector: 'node[kind = "VLAN"], node[kind = "VLANs"]',
    style: {
      shape: 'cut-rectangle',
      width: 156,
      height: 'data(high)',
      'background-color': colour('accent-soft'),
      'border-color': colour('accent'),
    },
  },
  { selector: 'node[kind = "PhysicalNetwork"]', style: { shape: 'barrel', width: 156, height: 40, 'background-color': colour('sunken') } },
]

const fabricLines = (): StylesheetJson => [
  {
    selector: 'edge[relation = "tunnel"]',
    style: { 'line-style': 'dashed', 'line-dash-pattern': [7, 4], 'line-opacity': 0.5, width: 1.4 },
  },
  ...['wired-to', 'gateway', 'open-on', 'of', 'carried-by'].map((relation) => ({
    selector: `edge[relation = "${relation}"]`,
    style: {
      'line-color': colour('line-strong'),
      'source-text-offset': 66,
    } as const,
  })),
  {
    selector: 'edge[relation = "open-on"]',
    style: { 'line-color': colour('accent'), 'line-style': 'dashed', 'line-dash-pattern': [2, 4] },
  },
]

const hueRules = (): StylesheetJson =>
  Array.from({ length: hues }, (_, i) => ({
    selector: ['[kind = "Subnet"]', '[kind = "Vpc"][!holds]', '[kind = "Segment"][!holds]']
      .map((of) => `node[hue = "vpc${i}"]${of}`)
      .join(', '),
    style: { 'background-color': colour(`vpc-${i}`), 'background-opacity': 0.16, 'border-color': colour(`vpc-${i}`) },
  }))
