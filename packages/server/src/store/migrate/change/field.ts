/** The changes of one field between two schemas. */

import { declaredName, type FieldSchema, type NounSchema } from '../schema/schema.ts'
import { type Change, safe, unsafe } from './change.ts'

/** A new field is safe if existing records get a value for it. */
export function addedField(oldNoun: NounSchema, newNoun: NounSchema, field: FieldSchema): Change {
  const noun = newNoun.name
  const sentence = `add field "${declaredName(field)}" to "${declaredName(newNoun)}"`
  const renamed = oldNoun.fields.find(({ previousName }) => previousName === field.name)
  if (renamed && !newNoun.fields.some(({ name }) => name === renamed.name)) {
    const reason = `Its values are in "${declaredName(renamed)}": another version of the service has renamed the field.`
    return unsafe('add-field', noun, sentence, reason, `Keep the column with .column('${renamed.name}').`)
  }
  if (field.nullable || field.default !== undefined || field.defaultFrom !== undefined)
    return safe('add-field', noun, sentence)
  const reason = 'Existing records would have no value for it.'
  return unsafe('add-field', noun, sentence, reason, 'Add default() or nullable() to the field.')
}

/** The differences between the old and the new declaration of a field. */
export function* fieldChanges(newNoun: NounSchema, before: FieldSchema, after: FieldSchema): Generator<Change> {
  const noun = newNoun.name
  const [oldName, newName, nounName] = [declaredName(before), declaredName(after), declaredName(newNoun)]
  const field = `field "${newName}" of "${nounName}"`
  if (before.name !== after.name) {
    const sentence =
      oldName === newName
        ? `rename the column of ${field} from "${before.name}" to "${after.name}"`
        : `rename field "${oldName}" of "${nounName}" to "${newName}"`
    const reason = 'Running instances of another version still use the previous name.'
    const fix = `Keep the column with .column('${before.name}'), or stop those instances first.`
    yield unsafe('rename-field', noun, sentence, reason, fix)
  }
  if (isRetyped(before, after)) {
    const sentence = `change ${field} from ${describeField(before)} to ${describeField(after)}`
    yield unsafe(
      'retype-field',
      noun,
      sentence,
      'Its values must be converted.',
      'Add a new field instead to keep the old values.',
    )
  }
  yield* choiceChanges(noun, field, before, after)
  if (before.nullable && !after.nullable) yield safe('require-field', noun, `make ${field} required`)
  if (!before.nullable && after.nullable) yield safe('make-nullable', noun, `make ${field} nullable`)
  if (differ([before.default, before.defaultFrom], [after.default, after.defaultFrom])) {
    yield safe('change-default', noun, `change the default of ${field}`)
  }
  if (after.databaseDefault && !before.databaseDefault && !after.nullable) {
    const sentence = `add a database default to ${field}`
    const reason = 'databaseDefault() cannot be added to an existing column.'
    yield unsafe('change-default', noun, sentence, reason, 'Use default() instead.')
  }
  yield* compatibilityChanges(noun, field, before, after)
  if (differ([before.limits, before.isShort], [after.limits, after.isShort]))
    yield safe('change-limits', noun, `change the limits of ${field}`)
}

/** Changes of what a field keeps for other versions of the service. */
function* compatibilityChanges(
  noun: string,
  field: string,
  before: FieldSchema,
  after: FieldSchema,
): Generator<Change> {
  if (after.columnDefault && !before.columnDefault)
    yield safe(
      'add-column-default',
      noun,
      `add a database default to ${field} so that the previous version can still write`,
    )
  if (before.columnDefault && !after.columnDefault)
    yield safe('drop-column-default', noun, `drop the database default of ${field}`)
  const areSame = before.nullable === after.nullable && !differ(before.choices, after.choices)
  if (after.hasMergedRules && !before.hasMergedRules && areSame)
    yield safe('merge-rules', noun, `relax the constraint of ${field} so that the previous version can still write`)
  if (before.hasMergedRules && !after.hasMergedRules)
    yield safe('restore-rules', noun, `restore the constraint of ${field}`)
}

function* choiceChanges(noun: string, field: string, before: FieldSchema, after: FieldSchema): Generator<Change> {
  if (before.kind !== 'choice' || after.kind !== 'choice') return
  const { choices: oldChoices = [] } = before
  const { choices: newChoices = [] } = after
  for (const value of newChoices)
    if (!oldChoices.includes(value)) yield safe('add-choice', noun, `add the value "${value}" to ${field}`)
  for (const value of oldChoices) {
    if (newChoices.includes(value)) continue
    const reason = 'Existing records with this value would become invalid.'
    yield unsafe(
      'drop-choice',
      noun,
      `drop the value "${value}" of ${field}`,
      reason,
      'Keep the value until no record has it.',
    )
  }
}

/** Whether a field's values are stored in another form, or mean something else. */
function isRetyped(before: FieldSchema, after: FieldSchema): boolean {
  const form = ({ kind, scale, guid, target }: FieldSchema) => [kind, scale, guid, target]
  return differ(form(before), form(after))
}

/** A field in words, such as "decimal of scale 2". */
export function describeField({ kind, scale, guid, target }: FieldSchema): string {
  switch (kind) {
    case 'decimal':
      return `decimal of scale ${scale}`
    case 'identity':
      return guid ? 'guid identity' : 'integer identity'
    case 'reference':
      return `reference to "${target}" by ${guid ? 'guid' : 'integer'}`
    default:
      return kind
  }
}

function differ(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) !== JSON.stringify(after)
}
