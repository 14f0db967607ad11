// How the way of a traced packet looks on the canvas: strong where it passes, dashed where it would have gone on. That it dies stands in
// words and by its sign at the label too.
import type { StylesheetJson } from 'cytoscape'
import { colour } from '../../../frame/theme.ts'

const heads = { out: 'target-arrow', in: 'source-arrow' } as const

export const wayRules = (): StylesheetJson => [
  {
    selector: '[way]',
    style: { 'border-color': colour('accent'), 'border-width': 3, 'border-style': 'solid', 'line-color': colour('accent'), 'z-index': 9 },
  },
  { selector: 'edge[way]', style: { width: 3.5, 'line-opacity': 1, 'source-label': 'data(label)', color: colour('text') } },
  ...Object.entries(heads).map(([towards, head]) => ({
    selector: `edge[way][towards = "${towards}"]`,
    style: { [`${head}-shape`]: 'triangle', [`${head}-color`]: colour('accent'), 'arrow-scale': 1.2 },
  })),
  {
    selector: '[way = "unreached"]',
    style: {
      'border-style': 'dashed',
      'border-width': 2,
      'border-color': colour('muted'),
      'line-style': 'dashed',
      'line-color': colour('muted'),
    },
  },
  { selector: 'edge[way = "unreached"]', style: { width: 2, 'source-arrow-shape': 'none', 'target-arrow-shape': 'none' } },
  {
    selector: '[way = "dies"]',
    style: {
      'border-color': colour('error'),
      'border-width': 4,
      'border-style': 'double',
      'line-color': colour('error'),
      color: colour('error'),
    },
  },
]
