/** Rules for filters: query parameters of lists that are named after properties. */
import { wordsOf } from '@nomen/core/openapi'
import { listsOf, propertiesOf, queryOf, type View } from '../view.ts'
import { camelCase } from '../word/words.ts'
import type { Rule } from './rule.ts'

/** The filters of each list, with the properties of its records. */
function* filtersOf(view: View) {
  for (const operation of listsOf(view)) {
    const listKey = operation.key.replace(/-(detail|summary)$/, '')
    const properties = new Map([
      ...(propertiesOf(operation) ?? []),
      ...(propertiesOf(view.find('get', `${listKey}/{}`)) ?? []),
    ])
    for (const parameter of queryOf(operation)) {
      if (parameter.role === 'filter' || parameter.role === 'include') yield { operation, parameter, properties }
    }
  }
}

/** Parameters that add parts to the response. Some apis have a property of the same name, or of a longer one. */
const expansions = new Set(['expand', 'embed', 'fields', 'meta'])

const filterName: Rule = {
  code: 'filter-name',
  severity: 'error',
  about: 'A filter on a property must have exactly the name of the property.',
  *check(view) {
    for (const { operation, parameter, properties } of filtersOf(view)) {
      if (properties.has(parameter.name)) continue
      const spelling = camelCase(wordsOf(parameter.name)).toLowerCase()
      const property = [...properties.keys()].find((name) => camelCase(wordsOf(name)).toLowerCase() === spelling)
      if (property === undefined) continue
      yield {
        pointer: parameter.pointer,
        message: `GET ${operation.path} filters the property "${property}" with the parameter "${parameter.name}".`,
        fix: `Rename the parameter to "${property}".`,
      }
    }
  },
}

const filterAbbreviation: Rule = {
  code: 'filter-abbreviation',
  severity: 'warning',
  about: 'The name of a filter must not be an abbreviation of a property.',
  *check(view) {
    for (const { operation, parameter, properties } of filtersOf(view)) {
      if (properties.has(parameter.name) || expansions.has(parameter.name)) continue
      const property = [...properties.keys()].find((name) => isAbbreviation(parameter.name, name))
      if (property === undefined) continue
      yield {
        pointer: parameter.pointer,
        message: `The parameter "${parameter.name}" of GET ${operation.path} abbreviates the property "${property}".`,
        fix: `Rename it to "${property}".`,
      }
    }
  },
}

/** Short forms that are neither the start of the word nor its consonants. */
const shortForms = new Map([['dept', 'department']])

/** The start of a word (`org`), its first letter and some consonants (`lbl`, `qty`), or a known short form. */
function isAbbreviation(name: string, property: string): boolean {
  if (shortForms.get(name) === property) return true
  const abbreviation = wordsOf(name).join('')
  const full = wordsOf(property).join('')
  const isOneWord = wordsOf(name).length === 1 && wordsOf(property).length === 1
  if (!isOneWord || abbreviation.length < 3 || !/^[a-z]+$/.test(full) || full.length < abbreviation.length + 2)
    return false
  if (full.startsWith(abbreviation)) return true
  return /^[a-z][^aeiou]+$/.test(abbreviation) && hasLettersInOrder(abbreviation, full)
}

function hasLettersInOrder(letters: string, word: string): boolean {
  if (letters[0] !== word[0]) return false
  let index = 0
  for (const letter of letters) {
    index = word.indexOf(letter, index) + 1
    if (index === 0) return false
  }
  return true
}

const repeatableFilter: Rule = {
  code: 'repeatable-filter',
  severity: 'warning',
  about: 'Clients must be able to repeat include, and each filter on a property.',
  *check(view) {
    for (const { operation, parameter, properties } of filtersOf(view)) {
      // An object has the limits of a range, which is not repeated.
      if ([undefined, 'array', 'object'].includes(parameter.shape.type)) continue
      const property = properties.get(parameter.name)
      if ((!property && parameter.name !== 'include') || expansions.has(parameter.name)) continue
      // The filter of a computed property is custom code, and both values of a boolean would match every record.
      if (property?.isReadOnly && parameter.shape.type === 'boolean') continue
      yield {
        pointer: parameter.pointer,
        message: `The parameter "${parameter.name}" of GET ${operation.path} accepts only one ${parameter.shape.type}.`,
        fix: 'Allow the parameter to be repeated (an array); a record matches if it has any of the values.',
      }
    }
  },
}

export const filterRules: readonly Rule[] = [filterName, filterAbbreviation, repeatableFilter]
