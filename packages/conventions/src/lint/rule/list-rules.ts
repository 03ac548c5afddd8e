/** Rules for lists: envelope, pagination and variants. */
import type { DocumentOperation, Shape } from '@nomen/core/openapi'
import { listsOf, missingNames, propertiesOf, queryOf } from '../view.ts'
import { nameList } from '../word/words.ts'
import type { Rule } from './rule.ts'

const isNested = ({ segments }: DocumentOperation) => segments.some(({ text }) => text.includes('{'))

/** Whether a response body is a page. The type of `results` may be missing in the document. */
function isPage({ properties }: Shape): boolean {
  const { type, types } = properties.get('results')?.shape ?? {}
  return properties.has('pageInfo') && (type === 'array' || types?.size === 0)
}

function bodyDescription({ type, properties }: Shape): string {
  if (type === 'array') return 'a plain array'
  if (properties.has('pageInfo') && properties.has('results')) return 'results that are not an array'
  return `an object with ${nameList([...properties.keys()])}`
}

const paginationEnvelope: Rule = {
  code: 'pagination-envelope',
  severity: 'error',
  about: 'A list must return pageInfo and results; only a list below a record may be a plain array.',
  *check(view) {
    for (const operation of listsOf(view)) {
      const content = operation.success
      const shape = content?.shape
      if (!content || !shape || (shape.type === 'array' && isNested(operation))) continue
      if (isPage(shape)) continue
      yield {
        pointer: operation.pointer,
        message: `GET ${operation.path} returns ${bodyDescription(shape)}.`,
        fix: 'Return an object with pageInfo and results.',
      }
    }
  },
}

const pageInfoNames = ['pageSize', 'pageNumber', 'numberOfPages', 'numberOfRecords']

/** `the parameter "page"`, `the parameters "page" and "perPage"` */
function wordWithNames(word: string, names: readonly string[]): string {
  return `the ${word}${names.length === 1 ? '' : 's'} ${nameList(names)}`
}

const pageInfoProperty: Rule = {
  code: 'page-info-property',
  severity: 'error',
  about: `pageInfo must have at least the integers ${pageInfoNames.join(', ')}.`,
  *check(view) {
    const checked = new Set<Shape>()
    for (const operation of listsOf(view)) {
      const property = operation.success?.shape?.properties.get('pageInfo')
      if (!property || checked.has(property.shape)) continue
      checked.add(property.shape)
      const missing = pageInfoNames.filter((name) => property.shape.properties.get(name)?.shape.type !== 'integer')
      if (missing.length === 0) continue
      yield {
        pointer: property.pointer,
        message: `pageInfo of GET ${operation.path} lacks ${wordWithNames('integer', missing)}.`,
        fix: `Add ${wordWithNames('integer', missing)}.`,
      }
    }
  },
}

const pageParameter: Rule = {
  code: 'page-parameter',
  severity: 'error',
  about: 'A paginated list must have the optional integer parameters pageNumber and pageSize.',
  *check(view) {
    for (const operation of listsOf(view)) {
      const parameters = queryOf(operation)
      const pageParameterNames = parameters.filter(({ role }) => role === 'page').map(({ name }) => name)
      const standardParameters = ['pageNumber', 'pageSize'].map((name) =>
        parameters.find((parameter) => parameter.name === name),
      )
      const otherPageParameterNames = pageParameterNames.filter((name) => name !== 'pageNumber' && name !== 'pageSize')
      const isPaginated = operation.success?.shape?.properties.has('pageInfo') === true
      const missing = ['pageNumber', 'pageSize'].filter((_, index) => !standardParameters[index])
      if (missing.length > 0 && (isPaginated || otherPageParameterNames.length > 0)) {
        yield {
          pointer: operation.pointer,
          message:
            otherPageParameterNames.length > 0
              ? `GET ${operation.path} has ${wordWithNames('parameter', otherPageParameterNames)} instead of ${nameList(missing)}.`
              : `GET ${operation.path} does not have ${wordWithNames('parameter', missing)}.`,
          fix: 'Use the parameters pageNumber and pageSize.',
        }
      }
      for (const parameter of standardParameters) {
        if (!parameter || (parameter.shape.type === 'integer' && !parameter.isRequired)) continue
        yield {
          pointer: parameter.pointer,
          message: `The parameter "${parameter.name}" of GET ${operation.path} is ${parameter.isRequired ? 'required' : 'not an integer'}.`,
          fix: 'Make it an optional integer with a default.',
        }
      }
    }
  },
}

const listVariant: Rule = {
  code: 'list-variant',
  severity: 'error',
  about: 'A -summary list must have only properties of the default list; a -detail list must have all of them.',
  *check(view) {
    for (const operation of view.table.operations) {
      const key = operation.key
      const [, variant] = /-(detail|summary)$/.exec(key) ?? []
      const list = variant && view.find('get', key.slice(0, -variant.length - 1))
      if (!list || operation.method !== 'get') continue
      const [variantProperties, listProperties] = [propertiesOf(operation), propertiesOf(list)]
      const isDetail = variant === 'detail'
      const differingNames = isDetail
        ? missingNames(listProperties, variantProperties)
        : missingNames(variantProperties, listProperties)
      if (differingNames.length === 0) continue
      yield {
        pointer: operation.pointer,
        message: `GET ${operation.path} ${isDetail ? 'lacks' : 'has'} ${nameList(differingNames)}, which GET ${list.path} ${isDetail ? 'has' : 'lacks'}.`,
        fix: isDetail
          ? `Add the missing properties of GET ${list.path}.`
          : `Remove the properties that GET ${list.path} does not have.`,
      }
    }
  },
}

const incompleteRecord: Rule = {
  code: 'incomplete-record',
  severity: 'warning',
  about: 'A single record must have all properties that it has in a list.',
  *check(view) {
    for (const list of listsOf(view)) {
      const recordRead = view.find('get', `${list.key.replace(/-(detail|summary)$/, '')}/{}`)
      const missing = missingNames(propertiesOf(list), propertiesOf(recordRead))
      if (!recordRead || missing.length === 0) continue
      yield {
        pointer: recordRead.pointer,
        message: `GET ${recordRead.path} lacks ${nameList(missing)}, which GET ${list.path} has.`,
        fix: `Return ${missing.length === 1 ? 'this property' : 'these properties'} from GET ${recordRead.path} too.`,
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
