import type { Renderer } from '../renderer.ts'
import { read } from './read.ts'
import { render } from './render.ts'

export const bird: Renderer = { render, read }
