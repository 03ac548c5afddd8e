/** Keywords with schemas inside. */
import { changed, type KeywordRow, narrowed, keywordRow as row, silent, tightened, widened } from './keyword-row.ts'

const text = { type: 'string' }
const list = { type: 'array' }
const integer = { type: 'integer' }
const short = { type: 'string', maxLength: 5 }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
/** Biome rejects the name, because a promise has such a function. */
const thenKeyword = 'then'
const mapping = { text: '#/components/schemas/Text', number: '#/components/schemas/Number' }
const forms = { oneOf: [ref('Text'), ref('Number')] }
const discriminated = (members: object) => ({ ...forms, discriminator: { propertyName: 'kind', mapping, ...members } })
const objects = (members: object) => ({ type: 'object', ...members })
const arrays = (members: object) => ({ type: 'array', ...members })

export const applicatorRows: readonly KeywordRow[] = [
  row('properties added', objects({}), objects({ properties: { a: text } }), ['keeps', 'breaks'], ['keeps', 'breaks']),
  row('properties retyped', objects({ properties: { a: text } }), objects({ properties: { a: integer } }), ...changed),
  row(
    'properties tightened',
    objects({ properties: { a: text } }),
    objects({ properties: { a: short } }),
    ...tightened,
  ),
  row(
    'required',
    objects({ properties: { a: text } }),
    objects({ properties: { a: text }, required: ['a'] }),
    ...narrowed,
  ),
  row('patternProperties added', objects({}), objects({ patternProperties: { '^x': text } }), ...narrowed),
  row(
    'patternProperties retyped',
    objects({ patternProperties: { '^x': text } }),
    objects({ patternProperties: { '^x': integer } }),
    ...changed,
  ),
  row(
    'patternProperties tightened',
    objects({ patternProperties: { '^x': text } }),
    objects({ patternProperties: { '^x': short } }),
    ...tightened,
  ),
  row(
    'patternProperties by another pattern',
    objects({ patternProperties: { '^x': text } }),
    objects({ patternProperties: { '^y': text } }),
    ...changed,
  ),
  row(
    'patternProperties beside additionalProperties',
    objects({ additionalProperties: text }),
    objects({ additionalProperties: text, patternProperties: { '^x': integer } }),
    ...changed,
  ),
  row(
    'patternProperties of a closed object',
    objects({ additionalProperties: false, patternProperties: { '^x': text } }),
    objects({ additionalProperties: false }),
    ...tightened,
  ),
  row('additionalProperties false', objects({}), objects({ additionalProperties: false }), ...tightened),
  row('additionalProperties added', objects({}), objects({ additionalProperties: text }), ...narrowed),
  row(
    'additionalProperties retyped',
    objects({ additionalProperties: text }),
    objects({ additionalProperties: integer }),
    ...changed,
  ),
  row('additionalProperties of any type', objects({}), objects({ additionalProperties: {} }), ...silent),
  row('additionalProperties true', objects({}), objects({ additionalProperties: true }), ...silent),
  row('unevaluatedProperties false', objects({}), objects({ unevaluatedProperties: false }), ...tightened),
  row('unevaluatedProperties added', objects({}), objects({ unevaluatedProperties: text }), ...narrowed),
  row(
    'unevaluatedProperties retyped',
    objects({ unevaluatedProperties: text }),
    objects({ unevaluatedProperties: integer }),
    ...changed,
  ),
  row('propertyNames added', objects({}), objects({ propertyNames: { pattern: '^a' } }), ...tightened),
  row(
    'propertyNames changed',
    objects({ propertyNames: { pattern: '^a' } }),
    objects({ propertyNames: { pattern: '^b' } }),
    ['breaks', 'breaks'],
    ['keeps', 'keeps'],
  ),
  row('dependentRequired added', objects({}), objects({ dependentRequired: { a: ['b'] } }), ...narrowed),
  row(
    'dependentRequired changed',
    objects({ dependentRequired: { a: ['b'] } }),
    objects({ dependentRequired: { a: ['c'] } }),
    ...changed,
  ),
  row(
    'dependentRequired in another order',
    objects({ dependentRequired: { a: ['b', 'c'] } }),
    objects({ dependentRequired: { a: ['c', 'b'] } }),
    ...silent,
  ),
  row('dependentSchemas added', objects({}), objects({ dependentSchemas: { a: { required: ['b'] } } }), ...narrowed),
  row(
    'dependentSchemas changed',
    objects({ dependentSchemas: { a: { required: ['b'] } } }),
    objects({ dependentSchemas: { a: { required: ['c'] } } }),
    ...changed,
  ),
  row('items added', arrays({}), arrays({ items: text }), ...narrowed),
  row('items retyped', arrays({ items: text }), arrays({ items: integer }), ...changed),
  row('items of any type', arrays({}), arrays({ items: {} }), ...silent),
  row('items false', arrays({ prefixItems: [text] }), arrays({ prefixItems: [text], items: false }), ...tightened),
  row('prefixItems added', arrays({}), arrays({ prefixItems: [text] }), ...narrowed),
  row('prefixItems retyped', arrays({ prefixItems: [text] }), arrays({ prefixItems: [integer] }), ...changed),
  row('prefixItems tightened', arrays({ prefixItems: [text] }), arrays({ prefixItems: [short] }), ...tightened),
  row('prefixItems extended', arrays({ prefixItems: [text] }), arrays({ prefixItems: [text, text] }), ...narrowed),
  row(
    'prefixItems extended where no other element was allowed',
    arrays({ prefixItems: [text], items: false }),
    arrays({ prefixItems: [text, text], items: false }),
    ['keeps', 'breaks'],
    ['keeps', 'breaks'],
  ),
  row('prefixItems beside items', arrays({ items: text }), arrays({ items: text, prefixItems: [integer] }), ...changed),
  row('prefixItems as items', arrays({ items: text }), arrays({ items: text, prefixItems: [text] }), ...silent),
  row('unevaluatedItems false', arrays({}), arrays({ unevaluatedItems: false }), ...tightened),
  row('unevaluatedItems added', arrays({}), arrays({ unevaluatedItems: text }), ...narrowed),
  row(
    'unevaluatedItems retyped',
    arrays({ unevaluatedItems: text }),
    arrays({ unevaluatedItems: integer }),
    ...changed,
  ),
  row('contains added', arrays({}), arrays({ contains: text }), ...narrowed),
  row('contains changed', arrays({ contains: text }), arrays({ contains: integer }), ...changed),
  row('not added', {}, { not: text }, ...narrowed),
  row('not changed', { not: text }, { not: integer }, ...changed),
  row(
    'not with a property named title',
    { not: objects({ properties: { title: text } }) },
    { not: objects({ properties: { title: integer } }) },
    ...changed,
  ),
  row(
    'not with names in another order',
    { not: { required: ['a', 'b'] } },
    { not: { required: ['b', 'a'] } },
    ...silent,
  ),
  row('not with a described schema', { not: text }, { not: { ...text, description: 'd' } }, ...silent),
  row(
    'if and then added',
    objects({}),
    objects({ if: { required: ['a'] }, [thenKeyword]: { required: ['b'] } }),
    ...narrowed,
  ),
  row(
    'then added',
    objects({ if: { required: ['a'] }, else: { required: ['b'] } }),
    objects({ if: { required: ['a'] }, else: { required: ['b'] }, [thenKeyword]: { required: ['c'] } }),
    ...narrowed,
  ),
  row(
    'else added',
    objects({ if: { required: ['a'] }, [thenKeyword]: { required: ['b'] } }),
    objects({ if: { required: ['a'] }, [thenKeyword]: { required: ['b'] }, else: { required: ['c'] } }),
    ...narrowed,
  ),
  row(
    'then changed',
    objects({ if: { required: ['a'] }, [thenKeyword]: { required: ['b'] } }),
    objects({ if: { required: ['a'] }, [thenKeyword]: { required: ['c'] } }),
    ...changed,
  ),
  row(
    'else changed',
    objects({ if: { required: ['a'] }, else: { required: ['b'] } }),
    objects({ if: { required: ['a'] }, else: { required: ['c'] } }),
    ...changed,
  ),
  row('allOf added', text, { allOf: [text, { maxLength: 5 }] }, ...tightened),
  row(
    'the empty text for null',
    { type: ['integer', 'null'] },
    { anyOf: [{ type: 'integer' }, { type: 'string', enum: [''] }], 'x-nomen-null': '' },
    ...silent,
  ),
  row('the empty text for null in a text', { type: ['string', 'null'] }, { ...text, 'x-nomen-null': '' }, ...silent),
  row('allOf with the same', text, { allOf: [text] }, ...silent),
  row('allOf with a description', text, { allOf: [text, { description: 'd' }] }, ...silent),
  row('anyOf added', text, { anyOf: [text, integer] }, ...widened),
  row('oneOf added', text, { oneOf: [text, integer] }, ...widened),
  row('anyOf extended', { anyOf: [text, list] }, { anyOf: [text, list, objects({})] }, ...widened),
  row('oneOf extended', { oneOf: [text, list] }, { oneOf: [text, list, objects({})] }, ...widened),
  row('discriminator added', forms, discriminated({}), ...narrowed),
  row('discriminator with another property', discriminated({}), discriminated({ propertyName: 'type' }), ...changed),
  row(
    'discriminator without a value',
    discriminated({}),
    discriminated({ mapping: { text: mapping.text } }),
    ...narrowed,
  ),
  row(
    'discriminator with another schema of a value',
    discriminated({}),
    discriminated({ mapping: { ...mapping, number: mapping.text } }),
    ...changed,
  ),
  row('oneOf whose alternatives both match', text, { oneOf: [text, short] }, ['breaks', 'breaks'], ['breaks', 'keeps']),
  row(
    'oneOf of numbers',
    { type: 'number' },
    { oneOf: [{ type: 'number' }, integer] },
    ['breaks', 'breaks'],
    ['breaks', 'keeps'],
  ),
  row(
    'oneOf instead of anyOf',
    { anyOf: [text, short] },
    { oneOf: [text, short] },
    ['breaks', 'none'],
    ['none', 'none'],
  ),
  row('oneOf of separate values', { enum: ['a'] }, { oneOf: [{ const: 'a' }, { const: 'b' }] }, ...widened),
  row('$ref to another schema', ref('Text'), ref('Number'), ...changed),
  row('$ref instead of the schema', text, ref('Text'), ...silent),
  row('$ref inside not', { not: ref('Text') }, { not: ref('Number') }, ...changed),
  row('$dynamicRef changed', { $dynamicRef: '#a' }, { $dynamicRef: '#b' }, ...changed),
]
