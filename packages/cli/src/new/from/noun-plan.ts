/** A noun as it will be declared: only what may be declared is kept, and the rest is noted with its reason. */
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
  /** What a database calls its table, where that is not its name. */
  readonly table?: string | undefined
  readonly comment?: string | undefined
  /** What is said of its fields elsewhere. */
  readonly comments?: ReadonlyMap<string, string>
}

/** The fields of a noun that the declaration takes. `placeOf` names a field as it stands in what was read. */
export function fittingFields(
  { name, fields }: NounPlan,
  placeOf: (field: string) => string,
  note: (note: Note) => void,
): ReadonlyMap<string, FieldPlan> {
  return new Map(
    [...fields].filter(([field, plan]) => {
      const refused = refusalOf(name, field, plan)
      if (refused) note({ place: placeOf(field), text: `Left out: ${refused.rule} Fix: ${refused.fix}` })
      return !refused
    }),
  )
}

function refusalOf(name: string, field: string, plan: FieldPlan): DeclarationError | undefined {
  const isIdentity = plan[0].name === 'identity'
  const other = field === 'id' ? 'otherId' : 'id'
  try {
    noun(name, { [field]: planField(plan), ...(!isIdentity && { [other]: identity() }) })
    return undefined
  } catch (error) {
    if (error instanceof DeclarationError) return error
    throw error
  }
}

export function nounDraft(
  { name, fields, unique = [], table, comment, comments }: NounPlan,
  resource: object,
  children: NounDraft['children'] = [],
): NounDraft {
  const label = ['name', 'title', 'label'].find((field) => fields.get(field)?.[0].name === 'text')
  const options = {
    ...(table !== undefined && { table }),
    ...(label !== undefined && { label }),
    ...(unique.length > 0 && { unique }),
  }
  return {
    name,
    identifier: identifierOf(name, 'Noun'),
    ...(comment !== undefined && { comment }),
    fields: [...fields].map(([field, plan]) => {
      const said = comments?.get(field)
      return { name: field, declaration: planText(plan), ...(said !== undefined && { comment: said }) }
    }),
    ...(Object.keys(options).length > 0 && { options }),
    ...(Object.keys(resource).length > 0 && { resource }),
    ...(children.length > 0 && { children }),
  }
}
