/** Rules of lists: their envelope, their pages and their variants. */
import { type DocumentOperation, type Shape, usualRole } from '@nomen/core/openapi'
import { lacking, listsOf, propertiesOf, queryOf } from '../view.ts'
import { listed } from '../word/words.ts'
import type { Rule } from './rule.ts'

const isNested = ({ segments }: DocumentOperation) => segments.some(({ text }) => text.includes('{'))

const paginationEnvelope: Rule = {
  code: 'pagination-envelope',
  severity: 'error',
  about: 'A list answers pageInfo and results; only a list below a record may be a plain array.',
  *check(view) {
    for (const operation of listsOf(view)) {
      const content = operation.success
      const shape = content?.shape
      if (!content || !shape || (shape.type === 'array' && isNested(operation))) continue
      if (shape.properties.has('pageInfo') && shape.properties.get('results')?.shape.type === 'array') continue
      const found = shape.type === 'array' ? 'a plain array' : `an object of ${listed([...shape.properties.keys()])}`
      yield {
        pointer: operation.pointer,
        message: `GET ${operation.path} answers ${found}.`,
        fix: 'Answer an object of pageInfo and results.',
      }
    }
  },
}

const pageFigures = ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords']

const pageInfoProperty: Rule = {
  code: 'page-info-property',
  severity: 'error',
  about: `pageInfo has at least ${pageFigures.join(', ')}, and all of them are integers.`,
  *check(view) {
    const seen = new Set<Shape>()
    for (const operation of listsOf(view)) {
      const property = operation.success?.shape?.properties.get('pageInfo')
      if (!property || seen.has(property.shape)) continue
      seen.add(property.shape)
      const wrong = pageFigures.filter((name) => property.shape.properties.get(name)?.shape.type !== 'integer')
      if (wrong.length === 0) continue
      yield {
        pointer: property.pointer,
        message: `pageInfo of GET ${operation.path} has no integer ${listed(wrong)}.`,
        fix: `Give it ${pageFigures.join(', ')}, each an integer.`,
      }
    }
  },
}

const pageParameter: Rule = {
  code: 'page-parameter',
  severity: 'error',
  about: 'A list in pages takes pageNumber and pageSize: optional integers.',
  *check(view) {
    for (const operation of listsOf(view)) {
      const parameters = queryOf(operation)
      const others = parameters.map(({ name }) => name).filter((name) => usualRole(name) === 'page')
      const own = ['pageNumber', 'pageSize'].map((name) => parameters.find((one) => one.name === name))
      const foreign = others.filter((name) => name !== 'pageNumber' && name !== 'pageSize')
      const isPaginated = operation.success?.shape?.properties.has('pageInfo') === true
      const missing = ['pageNumber', 'pageSize'].filter((_, index) => !own[index])
      if (missing.length > 0 && (isPaginated || foreign.length > 0)) {
        yield {
          pointer: operation.pointer,
          message: `GET ${operation.path} has no parameter ${listed(missing)}${foreign.length > 0 ? `, but ${listed(foreign)}` : ''}.`,
          fix: 'Take pageNumber and pageSize.',
        }
      }
      for (const one of own) {
        if (!one || (one.shape.type === 'integer' && !one.isRequired)) continue
        yield {
          pointer: one.pointer,
          message: `The parameter "${one.name}" of GET ${operation.path} is ${one.isRequired ? 'required' : 'no integer'}.`,
          fix: 'Let it be an optional integer with a default.',
        }
      }
    }
  },
}

const listVariant: Rule = {
  code: 'list-variant',
  severity: 'error',
  about: 'A summary shows no property that the list lacks, and a detail lacks none of the list.',
  *check(view) {
    for (const operation of view.table.operations) {
      const pattern = operation.key
      const [, variant] = /-(detail|summary)$/.exec(pattern) ?? []
      const list = variant && view.find('get', pattern.slice(0, -variant.length - 1))
      const [shown, usual] = list && operation.method === 'get' ? [propertiesOf(operation), propertiesOf(list)] : []
      if (!list || !shown || !usual) continue
      const wrong = variant === 'detail' ? lacking(usual, shown) : lacking(shown, usual)
      if (wrong.length === 0) continue
      const isDetail = variant === 'detail'
      yield {
        pointer: operation.pointer,
        message: `GET ${operation.path} ${isDetail ? 'lacks' : 'shows'} ${listed(wrong)}, which GET ${list.path} ${isDetail ? 'shows' : 'does not'}.`,
        fix: isDetail ? 'Let it show all of the list and more.' : 'Let it show less than the list.',
      }
    }
  },
}

const incompleteRecord: Rule = {
  code: 'incomplete-record',
  severity: 'warning',
  about: 'The single record shows all that its list shows.',
  *check(view) {
    for (const list of listsOf(view)) {
      const single = view.find('get', `${list.key.replace(/-(detail|summary)$/, '')}/{}`)
      const missing = lacking(propertiesOf(list), propertiesOf(single))
      if (!single || missing.length === 0) continue
      yield {
        pointer: single.pointer,
        message: `GET ${single.path} lacks ${listed(missing)}, which GET ${list.path} shows.`,
        fix: 'Let the single record show everything.',
      }
    }
  },
}

export const listRules: readonly Rule[] = [
  paginationEnvelope,
  pageInfoProperty,
  pageParameter,
  listVariant,
  incompleteRecord,
]
