import type { Renderer } from '../renderer.ts'
import { missedAfter } from './missed-after.ts'
import { read } from './read.ts'
import { render } from './render.ts'

export const bird: Renderer = { render, read, missedAfter }
