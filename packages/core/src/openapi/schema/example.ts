/** Example values of fields for OpenAPI documents. */
import type { FieldSpec } from '../../field/field.ts'
import { patternOf } from '../../field/pattern/pattern.ts'
import { readValue } from '../../field/read-value.ts'
import { wordsOf } from '../../naming/words.ts'
import { type AnyNoun, specOf, targetOf } from '../../noun/noun.ts'

/** The example of a field. The name of the field and its noun, if it has one, decide on the example of a string. */
export function exampleOf(spec: FieldSpec, field: string, noun?: AnyNoun): unknown {
  if (spec.example !== undefined) return spec.example
  if (spec.default !== undefined) return spec.default
  if (spec.defaultFrom !== undefined && noun) {
    const source = exampleOf(specOf(noun, spec.defaultFrom), spec.defaultFrom, noun)
    if ('value' in readValue(spec, source)) return source
  }
  switch (spec.kind) {
    case 'identity':
      return spec.guid ? guid : 1
    case 'reference':
      // The record of the example has the ID of the example, and rules may forbid that a record refers to itself.
      if (spec.nullable && !spec.managed && noun && targetOf(noun, field) === noun) return null
      return spec.guid ? guid : 1
    case 'guid':
      return guid
    case 'integer':
    case 'number':
      return firstValid(spec, [spec.min, 1, spec.max])
    case 'decimal':
      return firstValid(spec, [spec.min, '1', spec.max])
    case 'boolean':
      return true
    case 'choice':
      return spec.choices?.[0]
    case 'date':
      return firstValid(spec, [spec.min, '2026-11-15', spec.max])
    case 'timestamp':
      return firstValid(spec, [spec.min, '2026-11-15T09:30:00.000Z', spec.max])
    case 'email':
      return firstValid(spec, ['ada@example.com', 'ada@a.test', 'a@b'])
    case 'url':
      return firstValid(
        spec,
        exampleUrls.map((url) => url.padEnd(spec.minLength ?? 0, 'x')),
      )
    default:
      return textOf(spec, field, noun)
  }
}

const guid = '0b2f8c1e-5d1c-4c0e-9b57-2f6f3f1f9a10'

/** Examples, the usual one first; shorter ones if it is too long. */
const exampleUrls = ['https://example.com/', 'https://a.test', 'http://a']

/** The first example that is valid for the field, in canonical form. */
function firstValid(spec: FieldSpec, candidates: readonly unknown[]): unknown {
  const results = candidates.map((candidate) => readValue(spec, candidate))
  return results.find((result) => 'value' in result)?.value
}

/** Examples of strings, by the words of the field's name, or by the last of them. */
const texts: { readonly [words: string]: string } = {
  'first name': 'Ada',
  'last name': 'Lovelace',
  'full name': 'Ada Lovelace',
  username: 'ada',
  'user name': 'ada',
  phone: '+43 1 234 56 78',
  city: 'Vienna',
  country: 'Austria',
  color: '#3366cc',
}

function textOf(
  { minLength = 0, maxLength = 255, pattern }: FieldSpec,
  field: string,
  noun?: AnyNoun,
): string | undefined {
  if (pattern) return patternOf(pattern).sample({ minLength, maxLength })
  const words = wordsOf(field)
  const isName = noun !== undefined && (field === 'name' || field === 'title')
  const example =
    texts[words.join(' ')] ??
    texts[words.at(-1) ?? ''] ??
    `Example ${isName ? noun.name.replaceAll('-', ' ') : words.join(' ')}`
  return [...example.padEnd(minLength, '.')].slice(0, maxLength).join('').trimEnd().padEnd(minLength, '.')
}
