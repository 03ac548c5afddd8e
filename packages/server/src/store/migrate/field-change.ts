/** The changes of one field between two schemas. */
import { type Change, safe, unsafe } from './change.ts'
import { declaredName, type FieldSchema, type NounSchema } from './schema.ts'

/** A new field is safe where records that are there already have a value for it. */
export function addedField(of: NounSchema, field: FieldSchema): Change {
  const noun = of.name
  const sentence = `add field "${declaredName(field)}" to "${declaredName(of)}"`
  if (field.nullable || field.default !== undefined || field.defaultFrom !== undefined)
    return safe('add-field', noun, sentence)
  const reason = 'Records that are there already would have no value for it.'
  return unsafe('add-field', noun, sentence, reason, 'Give it a default(), or make it nullable().')
}

/** What differs between a field as it was and as it is declared now. */
export function* fieldChanges(of: NounSchema, before: FieldSchema, after: FieldSchema): Generator<Change> {
  const noun = of.name
  const [was, is, called] = [declaredName(before), declaredName(after), declaredName(of)]
  const field = `field "${is}" of "${called}"`
  if (before.name !== after.name) {
    const sentence =
      was === is
        ? `rename the column of ${field} from "${before.name}" to "${after.name}"`
        : `rename field "${was}" of "${called}" to "${is}"`
    yield safe('rename-field', noun, sentence)
  }
  if (isRetyped(before, after)) {
    const sentence = `change ${field} from ${described(before)} to ${described(after)}`
    yield unsafe(
      'retype-field',
      noun,
      sentence,
      'Its values have to be converted.',
      'Add a new field instead to keep the old values.',
    )
  }
  yield* choiceChanges(noun, field, before, after)
  if (before.nullable && !after.nullable) yield safe('require-field', noun, `make ${field} required`)
  if (!before.nullable && after.nullable) yield safe('free-field', noun, `let ${field} be null`)
  if (differ([before.default, before.defaultFrom], [after.default, after.defaultFrom])) {
    yield safe('change-default', noun, `change the default of ${field}`)
  }
  if (differ(before.limits, after.limits)) yield safe('change-limits', noun, `change the limits of ${field}`)
}

function* choiceChanges(noun: string, field: string, before: FieldSchema, after: FieldSchema): Generator<Change> {
  if (before.kind !== 'choice' || after.kind !== 'choice') return
  const { choices: old = [] } = before
  const { choices: now = [] } = after
  for (const value of now)
    if (!old.includes(value)) yield safe('add-choice', noun, `add the value "${value}" to ${field}`)
  for (const value of old) {
    if (now.includes(value)) continue
    const reason = 'Records that hold it would hold a value that the field does not have.'
    yield unsafe(
      'drop-choice',
      noun,
      `drop the value "${value}" of ${field}`,
      reason,
      'Keep the value until no record holds it.',
    )
  }
}

/** Whether values of a field are stored in another way, or mean something else. */
function isRetyped(before: FieldSchema, after: FieldSchema): boolean {
  const form = ({ kind, scale, guid, target }: FieldSchema) => [kind, scale, guid, target]
  return differ(form(before), form(after))
}

/** A field in words: decimal of scale 2. */
export function described({ kind, scale, guid, target }: FieldSchema): string {
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
