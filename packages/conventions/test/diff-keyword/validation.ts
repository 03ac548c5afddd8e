/** Keywords that restrict a value itself. */
import { changed, type KeywordRow, narrowed, otherLimit, keywordRow as row, silent, tightened } from './keyword-row.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const integer = { type: 'integer' }
const list = { type: 'array' }
const object = { type: 'object' }
const long = { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER }
/** Old and next schema of a keyword that is added, and of one whose value changes. */
const limit = (keyword: string, base: object, loose: number, tight: number): readonly KeywordRow[] => [
  row(`${keyword} added`, { ...base }, { ...base, [keyword]: tight }, ...tightened),
  row(`${keyword} tightened`, { ...base, [keyword]: loose }, { ...base, [keyword]: tight }, ...tightened),
]

export const validationRows: readonly KeywordRow[] = [
  row('type added', {}, text, ...narrowed),
  row('type changed', text, number, ...changed),
  row('type narrowed', { type: ['string', 'integer'] }, text, ...narrowed),
  row('type of integers', number, { type: 'integer' }, ...narrowed),
  row('type without null', { type: ['string', 'null'] }, text, ...narrowed),
  row('enum added', text, { ...text, enum: ['a'] }, ...narrowed),
  row('enum value removed', { enum: ['a', 'b'] }, { enum: ['a'] }, ...narrowed),
  row('enum changed', { enum: ['a'] }, { enum: ['b'] }, ...changed),
  row('const added', text, { ...text, const: 'a' }, ...narrowed),
  row('const changed', { const: 'a' }, { const: 'b' }, ...changed),
  row('const as an enum', { const: 'a' }, { enum: ['a'] }, ...silent),
  row(
    'x-extensible-enum value removed',
    { 'x-extensible-enum': ['a', 'b'] },
    { 'x-extensible-enum': ['a'] },
    ...tightened,
  ),
  row(
    'x-extensible-enum instead of enum',
    { ...text, 'x-extensible-enum': ['a'] },
    { ...text, enum: ['a'] },
    ['none', 'none'],
    ['none', 'breaking'],
  ),
  ...limit('maximum', number, 9, 5),
  ...limit('exclusiveMaximum', number, 9, 5),
  ...limit('minimum', number, 1, 5),
  ...limit('exclusiveMinimum', number, 1, 5),
  ...limit('maxLength', text, 9, 5),
  ...limit('minLength', text, 1, 5),
  ...limit('maxItems', list, 9, 5),
  ...limit('minItems', list, 1, 5),
  ...limit('maxProperties', object, 9, 5),
  ...limit('minProperties', object, 1, 5),
  ...limit('maxContains', { ...list, contains: text }, 9, 5),
  ...limit('minContains', { ...list, contains: text }, 2, 5),
  row('minContains of 0', { ...list, contains: text, minContains: 0 }, { ...list, contains: text }, ...tightened),
  ...limit('multipleOf', number, 2, 4),
  row('multipleOf of fractions', { ...number, multipleOf: 0.01 }, { ...number, multipleOf: 0.1 }, ...tightened),
  row('multipleOf that every integer matches', integer, { ...integer, multipleOf: 1 }, ...silent),
  row('multipleOf of integers', integer, { ...integer, multipleOf: 2 }, ...tightened),
  row('multipleOf that makes a number whole', number, { ...number, multipleOf: 1 }, ...tightened),
  row('multipleOf changed', { ...number, multipleOf: 2 }, { ...number, multipleOf: 3 }, ...otherLimit),
  row('pattern added', text, { ...text, pattern: '^a' }, ...tightened),
  row('pattern changed', { ...text, pattern: '^a' }, { ...text, pattern: '^b' }, ...otherLimit),
  row('pattern that matches everything', text, { ...text, pattern: '' }, ...silent),
  row('pattern emptied', { ...text, pattern: '' }, { ...text, pattern: '^a' }, ...tightened),
  row('uniqueItems added', list, { ...list, uniqueItems: true }, ...tightened),
  row('uniqueItems of false', list, { ...list, uniqueItems: false }, ...silent),
  row('format added', text, { ...text, format: 'date' }, ...narrowed),
  row(
    'format of binary content in the notation of OpenAPI 3.1',
    { ...text, format: 'binary' },
    { ...text, contentMediaType: 'application/octet-stream' },
    ...silent,
  ),
  row(
    'format of base64 in the notation of OpenAPI 3.1',
    { ...text, format: 'byte' },
    { ...text, contentEncoding: 'base64' },
    ...silent,
  ),
  row(
    'format of binary content, and another contentMediaType',
    { ...text, format: 'binary' },
    { ...text, contentMediaType: 'image/png' },
    ['breaking', 'breaking'],
    ['breaking', 'breaking'],
  ),
  row('format changed', { ...text, format: 'date' }, { ...text, format: 'date-time' }, ...changed),
  row('format narrowed', { type: 'integer', format: 'int64' }, { type: 'integer', format: 'int32' }, ...narrowed),
  row('format of 64 bits added to its limits', long, { ...long, format: 'int64' }, ...silent),
  row('format of 64 bits added', { type: 'integer' }, { type: 'integer', format: 'int64' }, ...narrowed),
  row('contentEncoding added', text, { ...text, contentEncoding: 'base64' }, ...changed),
  row(
    'contentEncoding changed',
    { ...text, contentEncoding: 'base64' },
    { ...text, contentEncoding: 'base16' },
    ...changed,
  ),
  row('contentMediaType added', text, { ...text, contentMediaType: 'image/png' }, ...narrowed),
  row(
    'contentMediaType changed',
    { ...text, contentMediaType: 'image/png' },
    { ...text, contentMediaType: 'image/gif' },
    ...changed,
  ),
  row('contentSchema added', text, { ...text, contentSchema: object }, ...narrowed),
  row('contentSchema changed', { ...text, contentSchema: object }, { ...text, contentSchema: list }, ...changed),
  ...['title', 'description', '$comment', '$id', '$anchor', '$dynamicAnchor'].map((keyword) =>
    row(keyword, text, { ...text, [keyword]: 'a' }, ...silent),
  ),
  row('examples', text, { ...text, examples: ['a'] }, ...silent),
  row('$defs', text, { ...text, $defs: { a: number } }, ...silent),
  row('default of an optional field of PUT', text, { ...text, default: 'a' }, ...silent),
  row('deprecated', text, { ...text, deprecated: true }, ['compatible', 'none'], ['compatible', 'none']),
  row(
    'deprecated with a sunset',
    text,
    { ...text, deprecated: true, 'x-sunset': '2026-03-01' },
    ['compatible', 'none'],
    ['compatible', 'none'],
  ),
  row(
    'another sunset',
    { ...text, deprecated: true, 'x-sunset': '2026-03-01' },
    { ...text, deprecated: true, 'x-sunset': '2026-02-01' },
    ...silent,
  ),
  row(
    'x-stability-level',
    { ...text, 'x-stability-level': 'stable' },
    { ...text, 'x-stability-level': 'beta' },
    ...silent,
  ),
  row('readOnly', text, { ...text, readOnly: true }, ['breaking', 'compatible'], ['none', 'none']),
  row('writeOnly', text, { ...text, writeOnly: true }, ['none', 'none'], ['breaking', 'compatible']),
]
