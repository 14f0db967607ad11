// Shapes of which schemas are made.
import type { Schema } from './render.ts'

export const text: Schema = { type: 'string' }

/** An object with these fields and no others. */
export const closed = (required: readonly string[], properties: Readonly<Record<string, Schema>>, description?: string): Schema => ({
  type: 'object',
  ...(description !== undefined && { description }),
  required: [...required],
  properties,
  additionalProperties: false,
})

export const listOf = (items: Schema, description?: string): Schema => ({
  type: 'array',
  items,
  ...(description !== undefined && { description }),
})
