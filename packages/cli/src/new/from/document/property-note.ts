/** Notes about constraints of a property that its field does not have. */
import type { Shape } from '@nomen/core/openapi'
import type { Call, FieldPlan } from '../field-plan.ts'
import { patternFault } from './schema-field.ts'

/** Formats that a field checks, or that do not affect JSON. */
const supportedFormats = ['email', 'uri', 'url', 'uuid', 'date', 'date-time', 'int32', 'int64', 'float', 'double']

/** Keywords that no field checks. */
const unchecked = ['multipleOf', 'exclusiveMinimum', 'exclusiveMaximum', 'const'] as const

export function propertyNotes(shape: Shape, [kind, ...modifiers]: FieldPlan): readonly string[] {
  const { schema, type } = shape
  const notes: string[] = []
  if (kind.name === 'reference' && type === 'object')
    return [`An object in the document, here the ID of a ${(kind.args[0] as { noun: string }).noun}.`]
  const { format, pattern } = schema
  if (typeof format === 'string' && !supportedFormats.includes(format))
    notes.push(`Its format ${format} is not checked: the field is ${kind.name}().`)
  if (typeof pattern === 'string' && !hasPattern(kind)) notes.push(patternNote(pattern, kind))
  for (const keyword of unchecked)
    if (schema[keyword] !== undefined)
      notes.push(`Its ${keyword} ${JSON.stringify(schema[keyword])} is not checked: write a rule.`)
  if (Array.isArray(schema.enum) && kind.name !== 'choice')
    notes.push(`Its values ${schema.enum.join(', ')} are not checked: write a rule.`)
  const lengths = ['minLength', 'maxLength'].filter((name) => schema[name] !== undefined && schema[name] !== 0)
  // An email address has at most 254 characters.
  const isImplied = kind.name === 'email' && schema.minLength === undefined && Number(schema.maxLength) >= 254
  if (lengths.length > 0 && kind.name !== 'text' && !isImplied)
    notes.push(`Its ${lengths.join(' and ')} is not checked: the field is ${kind.name}().`)
  const defaultValue = schema.default
  if (defaultValue !== undefined && !modifiers.some(({ name }) => name === 'default'))
    notes.push(
      `Its default ${JSON.stringify(defaultValue)} is left out${kind.name === 'reference' ? ': a reference cannot have one' : ''}.`,
    )
  if (schema.readOnly === true && !['identity', 'createdAt', 'updatedAt'].includes(kind.name))
    notes.push('It is read-only in the document, but requests may set it here.')
  return notes
}

function hasPattern({ args }: Call): boolean {
  const [options] = args as readonly [{ readonly pattern?: RegExp }?]
  return options?.pattern !== undefined
}

/** Why a pattern of the document is not declared. */
function patternNote(pattern: string, { name }: Call): string {
  const fault = name === 'text' ? patternFault(pattern) : undefined
  const reason = name === 'text' ? fault && `it ${fault}` : `only text() can have a pattern, and the field is ${name}()`
  return `Its pattern ${pattern} is not checked${reason === undefined ? '' : `, because ${reason}`}. Write a rule.`
}
