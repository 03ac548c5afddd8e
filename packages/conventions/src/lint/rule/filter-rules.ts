/** Rules of filters: the query parameters of lists that are called after properties. */
import { wordsOf } from '@nomen/core/openapi'
import { listsOf, propertiesOf, queryOf, type View } from '../view.ts'
import { camelCase } from '../word/words.ts'
import type { Rule } from './rule.ts'

/** The filters of a list, beside the properties that they may be called after. */
function* filtersOf(view: View) {
  for (const operation of listsOf(view)) {
    const pattern = operation.key.replace(/-(detail|summary)$/, '')
    const properties = new Set([
      ...(propertiesOf(view.find('get', `${pattern}/{}`))?.keys() ?? []),
      ...(propertiesOf(operation)?.keys() ?? []),
    ])
    for (const parameter of queryOf(operation)) {
      if (parameter.role === 'filter' || parameter.role === 'include') yield { operation, parameter, properties }
    }
  }
}

const filterName: Rule = {
  code: 'filter-name',
  severity: 'error',
  about: 'A filter on a property is called exactly as the property.',
  *check(view) {
    for (const { operation, parameter, properties } of filtersOf(view)) {
      if (properties.has(parameter.name)) continue
      const spelling = camelCase(wordsOf(parameter.name)).toLowerCase()
      const property = [...properties].find((name) => camelCase(wordsOf(name)).toLowerCase() === spelling)
      if (property === undefined) continue
      yield {
        pointer: parameter.pointer,
        message: `GET ${operation.path} filters the property "${property}" by "${parameter.name}".`,
        fix: `Call the parameter "${property}".`,
      }
    }
  },
}

const filterAbbreviation: Rule = {
  code: 'filter-abbreviation',
  severity: 'warning',
  about: 'A filter on a property is not called by an abbreviation of it.',
  *check(view) {
    for (const { operation, parameter, properties } of filtersOf(view)) {
      if (properties.has(parameter.name)) continue
      const property = [...properties].find((name) => isAbbreviation(parameter.name, name))
      if (property === undefined) continue
      yield {
        pointer: parameter.pointer,
        message: `The parameter "${parameter.name}" of GET ${operation.path} abbreviates the property "${property}".`,
        fix: `Call it "${property}".`,
      }
    }
  },
}

/** The beginning of a word (`org`), or its first letter and some of its consonants (`lbl`, `qty`). */
function isAbbreviation(name: string, property: string): boolean {
  const short = wordsOf(name).join('')
  const whole = wordsOf(property).join('')
  const isOneWord = wordsOf(name).length === 1 && wordsOf(property).length === 1
  if (!isOneWord || short.length < 3 || !/^[a-z]+$/.test(whole) || whole.length < short.length + 2) return false
  if (whole.startsWith(short)) return true
  return /^[a-z][^aeiou]+$/.test(short) && isWithin(short, whole)
}

function isWithin(letters: string, word: string): boolean {
  if (letters[0] !== word[0]) return false
  let at = 0
  for (const letter of letters) {
    at = word.indexOf(letter, at) + 1
    if (at === 0) return false
  }
  return true
}

const repeatableFilter: Rule = {
  code: 'repeatable-filter',
  severity: 'warning',
  about: 'A filter on a property, and include, may be given several times.',
  *check(view) {
    for (const { operation, parameter, properties } of filtersOf(view)) {
      // An object holds the bounds of a range, which is given once.
      if ([undefined, 'array', 'object'].includes(parameter.shape.type)) continue
      if (!properties.has(parameter.name) && parameter.name !== 'include') continue
      yield {
        pointer: parameter.pointer,
        message: `The parameter "${parameter.name}" of GET ${operation.path} takes one ${parameter.shape.type}.`,
        fix: 'Let it be an array: records that match any of the values.',
      }
    }
  },
}

export const filterRules: readonly Rule[] = [filterName, filterAbbreviation, repeatableFilter]
