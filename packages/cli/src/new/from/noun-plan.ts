/** Plans a noun: keeps only valid fields, and adds a note with the reason for each other field. */
import { DeclarationError, identity, noun } from '@nomen/core'
import { identifierOf } from '../identifier.ts'
import type { NounDraft } from '../project.ts'
import { type FieldPlan, planField, planText } from './field-plan.ts'
import type { Note } from './note.ts'

export interface NounPlan {
  readonly name: string
  readonly fields: ReadonlyMap<string, FieldPlan>
  /** Sets of fields that are unique together. */
  readonly unique?: readonly (readonly string[])[]
  /** Name of the table, if it differs from the noun. */
  readonly table?: string | undefined
  readonly description?: string | undefined
}

/** The valid fields of a noun. `sourceOf` gives the name of a field in the source. */
export function validFields(
  { name, fields }: NounPlan,
  sourceOf: (field: string) => string,
  note: (note: Note) => void,
): ReadonlyMap<string, FieldPlan> {
  return new Map(
    [...fields].filter(([field, plan]) => {
      const error = declarationErrorOf(name, field, plan)
      if (error) note({ source: sourceOf(field), text: `Left out: ${error.mistake} Fix: ${error.fix}` })
      return !error
    }),
  )
}

function declarationErrorOf(name: string, field: string, plan: FieldPlan): DeclarationError | undefined {
  const isIdentity = plan[0].name === 'identity'
  const identityName = field === 'id' ? 'otherId' : 'id'
  try {
    noun(name, { [field]: planField(plan), ...(!isIdentity && { [identityName]: identity() }) })
    return undefined
  } catch (error) {
    if (error instanceof DeclarationError) return error
    throw error
  }
}

/** The field that represents a record: its label. */
export function labelOf(fields: NounPlan['fields']): string | undefined {
  return ['name', 'title', 'label'].find((field) => fields.get(field)?.[0].name === 'text')
}

export function nounDraft(
  { name, fields, unique = [], table, description }: NounPlan,
  resource: object,
  children: NounDraft['children'] = [],
): NounDraft {
  const label = labelOf(fields)
  const trimmedDescription = description?.trim() || undefined
  const options = {
    ...(trimmedDescription !== undefined && { description: trimmedDescription }),
    ...(table !== undefined && { table }),
    ...(label !== undefined && { label }),
    ...(unique.length > 0 && { unique }),
  }
  return {
    name,
    identifier: identifierOf(name, 'Noun'),
    fields: [...fields].map(([field, plan]) => ({ name: field, declaration: planText(plan) })),
    ...(Object.keys(options).length > 0 && { options }),
    ...(Object.keys(resource).length > 0 && { resource }),
    ...(children.length > 0 && { children }),
  }
}
